import type { ProgramBounds, ProgramResult } from "./program.ts";

/**
 * Where sessions run: this host, or a container that the agent enters. A service that mounts the terminal
 * supplies one; `hostExecTarget` is the one of the standalone terminal.
 */
export interface ExecTarget {
  /** Whether a process can be started as this user. */
  canBecome(user: string): boolean;

  /** Whether a process is the service itself, or holds it up. */
  isProtected(pid: number): boolean;

  /** Starts a program on a new PTY, as its controlling terminal. */
  spawn(request: SpawnRequest): PtyProcess | Promise<PtyProcess>;

  /** Takes up again what `spawn` had the request's `start` start, for an earlier process of this service. */
  adopt(started: PtyProcess): PtyProcess;

  /** Runs a short program without a terminal to its end; within seconds, and with little to say. */
  run(request: RunRequest & Partial<RunBounds>): Promise<RunResult>;

  /** Starts a program that reads the given bytes and writes others, however many. */
  stream(request: RunRequest, input: ReadableStream<Uint8Array> | null): StreamProcess;
}

/** Bounds of a short program. Default: a few lines within seconds. */
export type RunBounds = Pick<ProgramBounds, "msMax" | "stdoutBytesMax">;

/** How a short program ended: `code` is null when it was killed at a bound. */
export type RunResult = Pick<ProgramResult, "code" | "boundMet"> & { readonly stdout: string };

/** A program between two streams of bytes. */
export interface StreamProcess {
  readonly stdout: ReadableStream<Uint8Array<ArrayBuffer>>;
  readonly exited: Promise<number>;
  kill(): void;
}

export interface RunRequest {
  /** A user of the machine; null for the service's own. With a user, the program starts in that user's home. */
  readonly user: string | null;
  /** Anybody on the machine can read it while the program runs: what may be secret goes into `env`. */
  readonly argv: readonly string[];
  /**
   * Nothing else of the service's environment reaches the program, but what a login brings. Never part of an argument vector,
   * whatever is between the service and the program.
   */
  readonly env?: Readonly<Record<string, string>>;
}

export interface SpawnRequest extends RunRequest {
  readonly env: Readonly<Record<string, string>>;
  readonly terminal: {
    readonly cols: number;
    readonly rows: number;
    /** Output. The PTY is read again only when this has returned. */
    data(bytes: Uint8Array): void;
    /** No program has the terminal open any more. */
    closed(): void;
    /** All that was written has been taken. */
    drained(): void;
  } & Partial<HostedPtyEvents>;
  /** Starts the prepared command. Default: on a PTY of this process. */
  readonly start?: StartOnPty;
}

/** Starts a program of this host on a new PTY. */
export type StartOnPty = (
  argv: readonly string[],
  options: { readonly cwd: string; readonly env: Readonly<Record<string, string>> },
  terminal: SpawnRequest["terminal"],
) => PtyProcess | Promise<PtyProcess>;

/** What else there is to hear of a terminal that another process holds. */
export interface HostedPtyEvents {
  /** Output is missing before what comes next. */
  gap(): void;
  /** Between two pieces of the output of before, the terminal took another size. */
  resized(cols: number, rows: number): void;
  /** Questions in what comes from here on have had no answer yet. */
  live(): void;
  /** How much of what was written was taken, in all. */
  taken(bytes: number): void;
}

export interface PtyProcess {
  /** Its number as `run` and `stream` see it, which in a container is another one than the host's. */
  readonly pid: number;
  readonly exited: Promise<Exit>;
  write(bytes: Uint8Array): void;
  resize(cols: number, rows: number): void;
  /** Hangs up: every program on the terminal receives SIGHUP. */
  close(): void;
  /** For programs that ignore the hang-up. */
  kill(): void;
  /** These processes are part of it, and end when the process that holds the terminal is gone. */
  guard?(pids: readonly number[]): void;
}

/** A program whose terminal another process holds: it goes on without this one. */
export interface HostedPtyProcess extends PtyProcess {
  /** Stores a record from which a later service can resume, at the current position of the output. */
  store(record: Uint8Array): void;
  guard(pids: readonly number[]): void;
  /** Detaches: the program runs on for a later service. */
  leave(): void;
}

/** How a process ended. */
export interface Exit {
  readonly code: number | null;
  readonly signal: string | null;
  /** The reason shown to users when the program did not end by itself. */
  readonly reason?: string;
}
