import { hostname } from "node:os";

/** What a new container shows until its owner runs something of their own: a page on port 8080. */

const name = process.env.HOSTNAME ?? hostname();

const server = Bun.serve({
  hostname: process.env.BERTH_ADDRESS ?? "0.0.0.0",
  port: 8080,
  fetch: () =>
    new Response(`Hello from ${name}.\n`, { headers: { "content-type": "text/plain; charset=utf-8" } }),
});

// As a container's only program it would otherwise hold up a stop until the time limit.
process.on("SIGTERM", () => process.exit(0));
console.log(`welcome: http://${server.hostname}:${server.port} as ${name}`);
