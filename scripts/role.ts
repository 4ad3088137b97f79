import { LAUNCH_SETTINGS } from "../system/launch-settings.ts";
import { LogFile } from "./log-file.ts";
import type { OrphanWatchdog } from "./orphan-watchdog.ts";
import { endProcess } from "./processes.ts";
import type { Running, Service } from "./restart-supervisor.ts";
import { logSize, saidSince } from "./servers/server.ts";
import { SetupError } from "./setup-error.ts";

export interface RoleOptions {
  readonly name: string;
  /** Program and arguments. */
  readonly command: readonly string[];
  readonly cwd: string;
  /** The environment of the process: the whole of it, but for late settings. */
  readonly env: Readonly<Record<string, string>>;
  /** Settings that the process waits for once it has loaded (system/launch-settings.ts). */
  readonly late?: LateSettings | undefined;
  readonly log: string;
  readonly watchdog: OrphanWatchdog;
  readonly readyLimitMs?: number;
  readonly stopLimitMs?: number;
}

/** Settings that a process gets once what they are of is ready. */
export type LateSettings = Promise<Readonly<Record<string, string>>>;

/** Migrations of a full database take longest of everything at the start of a role. */
const READY_LIMIT_MS = 60_000;
/** An actor host hands its partitions over, a gateway finishes its requests. */
const STOP_LIMIT_MS = 15_000;
/** How long to wait for output that is still in the pipe when a process has ended. */
const LAST_WORDS_MS = 500;
/** A longer line is not the ready line. */
const LINE_CHARS_MAX = 65_536;

/**
 * One of Berth's own processes. It is ready when it prints a line of JSON with `"msg": "ready"`, and stops on SIGTERM.
 */
export function role(options: RoleOptions): Service {
  return { name: options.name, start: (signal) => start(options, signal) };
}

async function start(options: RoleOptions, signal: AbortSignal): Promise<Running> {
  const since = logSize(options.log);
  const { late } = options;
  const child = Bun.spawn([...options.command], {
    cwd: options.cwd,
    env: { ...options.env, ...(late && LAUNCH_SETTINGS) },
    stdio: [late ? "pipe" : "ignore", "pipe", "pipe"],
    // Ctrl-C at a terminal reaches the supervisor alone, which stops everything in order.
    detached: true,
  });
  options.watchdog.watch(child.pid, "TERM");
  const log = new LogFile(options.log);
  const { promise: announced, resolve: announce } = Promise.withResolvers<void>();
  const output = Promise.all([copy(child.stdout, log, readyWatch(announce)), copy(child.stderr, log)]);
  const exited = child.exited.then(async (code) => {
    options.watchdog.forget(child.pid);
    // Its children may survive it and hold the pipe open.
    await Promise.race([output, Bun.sleep(LAST_WORDS_MS)]);
    log.close();
    return code;
  });
  const stop = async () => {
    if (child.exitCode === null && child.signalCode === null) {
      await endProcess(child.pid, "SIGTERM", options.stopLimitMs ?? STOP_LIMIT_MS);
    }
    await exited;
  };

  const ended = Promise.race([
    exited.then((code) => `it ended with code ${code}`),
    untilAborted(signal).then(() => "it was stopped"),
  ]);
  const limitMs = options.readyLimitMs ?? READY_LIMIT_MS;
  const hindrance = late && (await Promise.race([giveSettings(child, late), ended]));
  // Counted from now: what the settings are of has time limits of its own.
  const tooLate = untilAborted(AbortSignal.timeout(limitMs));
  const outcome =
    hindrance ??
    (await Promise.race([
      announced.then(() => "ready" as const),
      ended,
      tooLate.then(
        () =>
          `it was not ready after ${limitMs / 1000} s: where this machine is busy, start again, which goes on from there`,
      ),
    ]));
  if (outcome === "ready") return { pid: child.pid, exited, stop };
  await stop();
  throw new SetupError(`${options.name} did not start: ${outcome}; ${saidSince(options.log, since)}`);
}

/** Undefined once the process has its settings, else why there are none: what they are of did not start. */
export function giveSettings(child: { stdin: unknown }, late: LateSettings): Promise<string | undefined> {
  const stdin = child.stdin as Bun.FileSink;
  return late.then(
    async (settings) => {
      try {
        stdin.write(JSON.stringify(settings));
        await stdin.end();
      } catch {
        // It has ended, and its log says why.
      }
      return undefined;
    },
    (error: Error) => error.message,
  );
}

function untilAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener("abort", () => resolve(), { once: true });
  });
}

async function copy(
  from: ReadableStream<Uint8Array>,
  log: LogFile,
  watch?: (chunk: Uint8Array) => void,
): Promise<void> {
  for await (const chunk of from) {
    log.write(chunk);
    watch?.(chunk);
  }
}

/** Searches the output for the ready line, until it is found. */
function readyWatch(announce: () => void): (chunk: Uint8Array) => void {
  const decoder = new TextDecoder();
  let rest = "";
  let seen = false;
  return (chunk) => {
    if (seen) return;
    const lines = (rest + decoder.decode(chunk, { stream: true })).split("\n");
    rest = (lines.pop() ?? "").slice(-LINE_CHARS_MAX);
    seen = lines.some(isAnnouncement);
    if (seen) announce();
  };
}

function isAnnouncement(line: string): boolean {
  try {
    const record: unknown = JSON.parse(line);
    return typeof record === "object" && record !== null && "msg" in record && record.msg === "ready";
  } catch {
    return false;
  }
}
