import { closeSync, openSync, readFileSync, renameSync, statSync } from "node:fs";
import type { OrphanWatchdog } from "../orphan-watchdog.ts";

/** A server that runs as a process of its own. */
export interface RunningServer {
  /** The URL for clients on this machine, with the credentials. */
  readonly url: string;
  readonly pid: number;
  /** Settles when the process has ended for any reason. */
  readonly exited: Promise<number>;
  /** Ends it cleanly, and by force after its time limit. Settles when it has ended. */
  stop(): Promise<void>;
}

/** Options of every server that is started here. */
export interface ServerOptions {
  /** The folder of its data, absolute; created when missing. */
  readonly dir: string;
  /** TCP port on 127.0.0.1. */
  readonly port: number;
  /** The file that its output is appended to. */
  readonly log: string;
  readonly watchdog: OrphanWatchdog;
  /** Prints a line for the person at the terminal. */
  readonly say?: (line: string) => void;
}

/** A log past this becomes `<log>.1`, so that logs never fill a disk. */
export const LOG_BYTES_MAX = 16 * 1024 * 1024;

/** The level of a line that pino logs as `fatal`. */
const PINO_FATAL = 60;

/** How many bytes of the end of a log an error quotes. */
const TAIL_BYTES = 2_000;

/** Starts a program in a session of its own, its output appended to `log`. */
export function launch(
  argv: string[],
  options: {
    log: string;
    cwd: string;
    env: Record<string, string>;
    owner?: { uid: number; gid: number };
    /** Ends it when aborted. */
    signal?: AbortSignal;
    /** Whether something is written to its standard input. */
    hasInput?: boolean;
    /** Called when it sends a message by \`process.send\`. */
    onMessage?: () => void;
  },
): Bun.Subprocess {
  rotate(options.log);
  const output = openSync(options.log, "a", 0o640);
  try {
    return Bun.spawn(argv, {
      cwd: options.cwd,
      env: options.env,
      stdio: [options.hasInput ? "pipe" : "ignore", output, output],
      // Ctrl-C at a terminal must not end the database before those that use it.
      detached: true,
      ...options.owner,
      ...(options.signal && { signal: options.signal }),
      ...(options.onMessage && { ipc: options.onMessage }),
    });
  } finally {
    closeSync(output);
  }
}

export function rotate(log: string): void {
  const size = statSync(log, { throwIfNoEntry: false })?.size ?? 0;
  if (size > LOG_BYTES_MAX) renameSync(log, `${log}.1`);
}

/** The present size of a log: later lines are the program's own. */
export const logSize = (log: string): number => statSync(log, { throwIfNoEntry: false })?.size ?? 0;

/**
 * For an error message: the lines in a log after its size was `since` (one line where that is enough, else the last ones), and
 * the log's path.
 */
export function saidSince(log: string, since: number): string {
  const said = textSince(log, since);
  const line = fatalMessage(said) ?? said;
  return line.includes("\n") || line === "" ? `the end of ${log}:\n${line}` : `${line} (more in ${log})`;
}

function textSince(log: string, since: number): string {
  try {
    const bytes = readFileSync(log);
    // A log that is shorter now was rotated.
    const text = bytes.subarray(bytes.length < since ? 0 : since).toString();
    return text.slice(-TAIL_BYTES).trim();
  } catch {
    return "";
  }
}

/** The last line of one of Berth's own programs, which log JSON, with the reason of its end. */
function fatalMessage(text: string): string | undefined {
  const last = text.split("\n").at(-1) ?? "";
  try {
    const { level, msg } = JSON.parse(last) as { level?: unknown; msg?: unknown };
    return level === PINO_FATAL && typeof msg === "string" ? msg : undefined;
  } catch {
    return undefined;
  }
}
