import { createServer } from "node:net";

/** The reason why `host` cannot listen on a port, such as `EADDRINUSE`; undefined when it can. */
export function portObstacle(port: number, host: string): Promise<string | undefined> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", (error) => resolve("code" in error ? String(error.code) : error.message));
    server.listen({ port, host, exclusive: true }, () => server.close(() => resolve(undefined)));
  });
}
