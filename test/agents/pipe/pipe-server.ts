import { afterAll } from "bun:test";
import { type PipeServer, servePipe } from "../../../agents/pipe/server.ts";
import type { PipeOptions } from "../../../agents/pipe/service.ts";
import { until } from "../../harness/until.ts";
import { RawClient } from "./raw-client.ts";

const PREFIX = "/api/v1/pipe";

export interface PipeUnderTest extends PipeServer {
  readonly origin: string;
  /** A path that no other test uses. */
  path(): string;
  /** The URL of a path. */
  url(path: string): string;
  connect(): Promise<RawClient>;
  /** Sends a request whose header is given by its lines; the body is sent by the test. */
  request(method: string, path: string, lines?: readonly string[], minor?: number): Promise<RawClient>;
  /** Waits until nobody holds a place. */
  isFree(): Promise<void>;
}

/** A pipe of a test file's own, on a free port. */
export function startPipe(options: PipeOptions = {}): PipeUnderTest {
  const server = servePipe({ hostname: "127.0.0.1", port: 0, ...options });
  afterAll(() => server.stop());
  let paths = 0;
  const origin = `http://127.0.0.1:${server.port}`;
  const connect = () => RawClient.connect(server.port);
  return {
    ...server,
    origin,
    path: () => `${PREFIX}/test-${++paths}`,
    url: (path) => `${origin}${path}`,
    connect,
    async request(method, path, lines = [], minor = 1) {
      const client = await connect();
      const head = [`${method} ${path} HTTP/1.${minor}`, "Host: pipe.test", ...lines];
      return client.send(`${head.join("\r\n")}\r\n\r\n`);
    },
    async isFree() {
      await until(() => server.service.pipes.peers === 0 && server.service.pipes.paths === 0);
    },
  };
}

/** The lines of a sender's response, without the empty one at its end. */
export const linesOf = (body: Buffer): string[] => body.toString().split("\n").slice(0, -1);

export const chunked = (...parts: readonly string[]): string =>
  parts.map((part) => `${Buffer.byteLength(part, "latin1").toString(16)}\r\n${part}\r\n`).join("");

/** curl, whose output is text. */
export function curl(...args: readonly string[]) {
  const process = Bun.spawn(["curl", "--silent", "--show-error", "--max-time", "200", ...args], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  const output = new Response(process.stdout).text();
  return {
    pid: process.pid,
    kill: () => process.kill(9),
    /** Its output and its code. */
    async done(): Promise<{ text: string; code: number }> {
      const [text, code] = await Promise.all([output, process.exited]);
      return { text, code };
    },
  };
}
