import { join } from "node:path";
import { CLEAN_ENVIRONMENT } from "../harness/environment.ts";
import { until } from "../harness/until.ts";

const ROOT = join(import.meta.dir, "../..");
const READY = { everyMs: 50 };

/** What `npm start` runs, in a process of its own. */
export interface BerthProcess {
  readonly pid: number;
  /** All that it printed so far. */
  output(): string;
  /** Waits for its last line, `ready`. */
  ready(): Promise<void>;
  /** Asks it to end, as Ctrl-C does; resolves with its exit code. */
  stop(): Promise<number>;
}

export function startBerth(env: Readonly<Record<string, string>>): BerthProcess {
  const child = Bun.spawn([process.execPath, join(ROOT, "scripts/start.ts")], {
    cwd: ROOT,
    env: { ...CLEAN_ENVIRONMENT, HOME: process.env.HOME ?? "/", ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  const read = async (from: ReadableStream<Uint8Array>) => {
    const decoder = new TextDecoder();
    for await (const chunk of from) output += decoder.decode(chunk, { stream: true });
  };
  const read_ = Promise.all([read(child.stdout), read(child.stderr)]);
  return {
    pid: child.pid,
    output: () => output,
    ready: async () => {
      await until(() => /^ready {2}http/m.test(output) || child.exitCode !== null, READY);
      if (child.exitCode !== null) throw new Error(`it ended with code ${child.exitCode}:\n${output}`);
    },
    stop: async () => {
      if (child.exitCode === null) child.kill("SIGTERM");
      const code = await child.exited;
      await read_;
      return code;
    },
  };
}

interface Process {
  readonly pid: number;
  readonly parent: number;
  readonly command: string;
}

/** A process and all that descend from it, but not those below the processes of `without`. */
export async function processTree(root: number, without: readonly number[] = []): Promise<Process[]> {
  const list = await new Response(Bun.spawn(["ps", "-A", "-o", "pid=,ppid=,command="]).stdout).text();
  const all = list.split("\n").flatMap((line) => {
    const [, pid, parent, command = ""] = /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line) ?? [];
    return pid === undefined ? [] : [{ pid: Number(pid), parent: Number(parent), command }];
  });
  const found = all.filter(({ pid }) => pid === root);
  for (const { pid } of found) {
    found.push(...all.filter((one) => one.parent === pid && !without.includes(one.pid)));
  }
  return found;
}
