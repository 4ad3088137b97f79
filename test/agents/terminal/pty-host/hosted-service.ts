import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Size } from "../../../../agents/terminal/session/protocol.ts";
import { programFile } from "../../../harness/program.ts";
import { freePort, sharedWatchdog, temporaryFolder } from "../../../harness/servers.ts";
import { until } from "../../../harness/until.ts";
import { TestClient } from "../service.ts";

const MAIN = programFile("agents/terminal/main.ts");

/** The terminal as a person starts it, with a folder of its own, so that it may die and come back. */
export async function keptService(options: { data?: string } = {}) {
  const data = options.data ?? join(temporaryFolder(), "terminal");
  const port = await freePort();
  const origin = `http://127.0.0.1:${port}`;
  const known = join(temporaryFolder(), "known");
  const home = temporaryFolder();
  const clients: TestClient[] = [];
  let child: Bun.Subprocess | null = null;

  const start = async () => {
    const argv = ["--port", String(port), "--data", data, "--known-hosts", known];
    const started = Bun.spawn([process.execPath, MAIN, ...argv, "--", "bash", "--norc", "--noprofile"], {
      env: { ...process.env, HOME: home },
      stdio: ["ignore", "ignore", "inherit"],
    });
    child = started;
    sharedWatchdog().watch(started.pid, "TERM");
    void started.exited.then(() => sharedWatchdog().forget(started.pid));
    await until(async () => (await fetch(`${origin}/api/v1/terminal/openapi.json`)).ok);
  };
  const stop = async (signal: "SIGKILL" | "SIGTERM") => {
    child?.kill(signal);
    await child?.exited;
  };
  const attach = async (token: string, size?: Size) => {
    const client = await TestClient.attach(origin, token, size);
    clients.push(client);
    return client;
  };
  await start();
  return {
    data,
    origin,
    start,
    stop,
    get pid(): number {
      return child?.pid ?? 0;
    },
    async open(query = "terminal_id=7", size?: Size) {
      const html = await (await fetch(`${origin}/?${query}`)).text();
      const client = await attach(/"token":"([^"]+)"/.exec(html)?.[1] ?? "", size);
      // A test run that is cut off must leave nobody's PTY host behind.
      sharedWatchdog().watch(ptyHostOf(data), "TERM");
      return client;
    },
    /** The processes that its PTY host holds. */
    programs: () => programsOf(ptyHostOf(data)),
    tokens: (id = 7, body: unknown = { readonly: false }, headers: Record<string, string> = {}) =>
      fetch(`${origin}/api/v1/terminal/sessions/${id}/tokens`, {
        method: "POST",
        body: JSON.stringify(body),
        headers,
      }),
    /** As a page comes back that has stayed open. */
    async comeBack(size?: Size) {
      const { token } = (await (await this.tokens()).json()) as { token: string };
      return attach(token, size);
    },
    async [Symbol.asyncDispose]() {
      for (const client of clients) client.close();
      await stop("SIGKILL");
      const ptyHost = ptyHostOf(data);
      if (ptyHost === 0) return;
      await endProcess(ptyHost, "SIGTERM");
      sharedWatchdog().forget(ptyHost);
    },
  };
}

/** The process that was started last as the PTY host of a folder; 0 when there was none. */
export function ptyHostOf(data: string): number {
  try {
    const said = readFileSync(join(data, "pty-host", "log"), "utf8");
    return Number([...said.matchAll(/PTY host (\d+) is ready/g)].at(-1)?.[1] ?? 0);
  } catch {
    return 0;
  }
}

/** What a PTY host runs, besides its watchdog. */
export function programsOf(ptyHost: number): number[] {
  const children = readFileSync(`/proc/${ptyHost}/task/${ptyHost}/children`, "utf8").trim().split(" ");
  const isWatchdog = (pid: string) =>
    readFileSync(`/proc/${pid}/cmdline`, "utf8").includes("orphan-watchdog.sh");
  return children.filter((pid) => pid !== "" && !isWatchdog(pid)).map(Number);
}

export async function endProcess(pid: number, signal: "SIGKILL" | "SIGTERM"): Promise<void> {
  try {
    process.kill(pid, signal);
  } catch {
    return;
  }
  await until(() => !isAlive(pid));
}

/** A process that has only to be buried is none. */
export function isAlive(pid: number): boolean {
  try {
    return !/^State:\s+[ZX]/m.test(readFileSync(`/proc/${pid}/status`, "utf8"));
  } catch {
    return false;
  }
}

/** The numbers that a counting program has shown, in order. */
export const numbersIn = (text: string): number[] =>
  [...text.matchAll(/^n(\d+)$/gm)].map(([, number]) => Number(number));

export const countTo = (last: number): number[] => Array.from({ length: last }, (_, at) => at + 1);
