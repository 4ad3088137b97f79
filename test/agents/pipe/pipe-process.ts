import { afterAll } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { programFile } from "../../harness/program.ts";
import { until } from "../../harness/until.ts";

const MAIN = programFile("agents/pipe/main.ts");

/** A pipe in a process of its own, so that its memory and descriptors can be read from outside. */
export async function startPipeProcess(...args: readonly string[]) {
  return startPipeProcessIn({}, ...args);
}

/** The same with variables of its environment. */
export async function startPipeProcessIn(env: Record<string, string>, ...args: readonly string[]) {
  const process_ = Bun.spawn([process.execPath, MAIN, "--port", "0", ...args], {
    // It gives freed memory back, as in production.
    env: { ...process.env, MIMALLOC_PURGE_DELAY: undefined, ...env },
    stdio: ["ignore", "pipe", "inherit"],
  });
  afterAll(() => process_.kill(9));
  const reader = process_.stdout.getReader();
  let output = "";
  const port = await until(async () => {
    const { value } = await reader.read();
    output += Buffer.from(value ?? []).toString();
    return Number(/^ready {2}http:\/\/127\.0\.0\.1:(\d+)$/m.exec(output)?.[1] ?? 0) || undefined;
  });
  return {
    port,
    origin: `http://127.0.0.1:${port}`,
    url: (path: string) => `http://127.0.0.1:${port}/api/v1/pipe/${path}`,
    rssBytes: () => {
      const kilobytes = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${process_.pid}/status`, "utf8"))?.[1];
      return Number(kilobytes) * 1024;
    },
    descriptors: () => readdirSync(`/proc/${process_.pid}/fd`).length,
    stop: async () => {
      process_.kill("SIGTERM");
      return process_.exited;
    },
  };
}
