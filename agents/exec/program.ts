import { killTree } from "./process-tree.ts";

/** The bound at which a program was killed. */
export type Bound = "stdout" | "stderr" | "deadline" | "signal";

export interface ProgramBounds {
  /** One deadline for start, output and end. */
  readonly msMax: number;
  /** A program that writes more is killed. */
  readonly stdoutBytesMax: number;
  readonly stderrBytesMax?: number;
  /** Ends the program early. */
  readonly signal?: AbortSignal;
  /** Receives the output as it comes. */
  readonly onStdout?: (piece: Uint8Array) => void;
}

export interface ProgramResult {
  /** As a shell has it: 128 and the signal's number after a signal. Null when a bound was met. */
  readonly code: number | null;
  /** Null when the program ended by itself. */
  readonly boundMet: Bound | null;
  /** Up to the cap. */
  readonly stdout: Buffer;
  readonly stderr: Buffer;
}

/** A program that runs. */
export interface Program {
  readonly stdout: ReadableStream<Uint8Array<ArrayBuffer>>;
  /** Null: nobody reads it. */
  readonly stderr: ReadableStream<Uint8Array<ArrayBuffer>> | null;
  readonly exited: Promise<number>;
  /** Kills the program and all that it started. */
  kill(): void;
}

export interface ProgramOptions {
  readonly cwd?: string;
  /** The whole environment; the agent's own unless given. */
  readonly env?: Readonly<Record<string, string>>;
  /** What it reads; nothing unless given. */
  readonly input?: Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array> | null;
  /** Whether stderr is read. Default: it is. */
  readonly stderr?: "pipe" | "ignore";
}

/** After a program's end, a process that it left behind may hold its pipes open: quiet for so long, all of its own output is read. */
const DRAIN_QUIET_MS = 100;
/** A process left behind may also go on writing. */
const DRAIN_MS_MAX = 2_000;
const FIRST_BYTES = 4 * 1024;
/** A reason is a few lines. */
const STDERR_BYTES_MAX = 64 * 1024;

/**
 * Starts a program in a process group of its own.
 *
 * @throws when it cannot be started
 */
export function startProgram(argv: readonly string[], options: ProgramOptions = {}): Program {
  const { cwd, env, input = null, stderr = "pipe" } = options;
  const child = Bun.spawn([...argv], {
    ...(cwd === undefined ? {} : { cwd }),
    ...(env === undefined ? {} : { env: { ...env } }),
    stdin: input ?? "ignore",
    stdout: "pipe",
    stderr,
    detached: true,
    // Otherwise Bun gathers all that is written until the stream is touched for the first time.
    lazy: true,
  });
  let hasExited = false;
  const exited = child.exited.finally(() => {
    hasExited = true;
  });
  return {
    stdout: child.stdout,
    stderr: child.stderr ?? null,
    exited,
    kill: () => killTree(child.pid, hasExited),
  };
}

/**
 * Runs a program to its end, or to the first of its bounds, at which it is killed with all that it started.
 *
 * @throws when it cannot be started
 */
export function runProgram(
  argv: readonly string[],
  options: ProgramOptions,
  bounds: ProgramBounds,
): Promise<ProgramResult> {
  const startedAt = performance.now();
  const program = startProgram(argv, options);
  return resultOf(program, { ...bounds, msMax: bounds.msMax - (performance.now() - startedAt) });
}

/** Waits for a program's end, or for the first of its bounds, at which it is killed. */
export async function resultOf(program: Program, bounds: ProgramBounds): Promise<ProgramResult> {
  const { signal } = bounds;
  let boundMet: Bound | null = null;
  const stopped = Promise.withResolvers<null>();
  const stop = (bound: Bound) => {
    boundMet ??= bound;
    program.kill();
    stopped.resolve(null);
  };
  const { stdoutBytesMax, stderrBytesMax = STDERR_BYTES_MAX, onStdout } = bounds;
  const stdout = readBounded(program.stdout, stdoutBytesMax, () => stop("stdout"), onStdout);
  const stderr = program.stderr && readBounded(program.stderr, stderrBytesMax, () => stop("stderr"));
  const timer = setTimeout(() => stop("deadline"), Math.max(0, bounds.msMax));
  const abort = () => stop("signal");
  if (signal?.aborted) abort();
  signal?.addEventListener("abort", abort, { once: true });
  try {
    const code = await Promise.race([program.exited, stopped.promise]);
    if (code !== null) await Promise.race([drained([stdout, stderr], program), stopped.promise]);
    return {
      code: boundMet === null ? code : null,
      boundMet,
      stdout: stdout.bytes(),
      stderr: stderr?.bytes() ?? Buffer.alloc(0),
    };
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", abort);
    stdout.cancel();
    stderr?.cancel();
  }
}

/** Settles when all has been read that a program wrote, which has ended. */
async function drained(
  readers: readonly (ReturnType<typeof readBounded> | null)[],
  program: Program,
): Promise<void> {
  const open = readers.filter((reader) => reader !== null);
  const isOver = Promise.all(open.map((reader) => reader.ended)).then(() => true);
  const limit = performance.now() + DRAIN_MS_MAX;
  let before = -1;
  for (let now = 0; now !== before && performance.now() < limit; ) {
    before = now;
    const quiet = Promise.withResolvers<false>();
    const timer = setTimeout(quiet.resolve, DRAIN_QUIET_MS, false);
    const hasEnded = await Promise.race([isOver, quiet.promise]);
    clearTimeout(timer);
    if (hasEnded) return;
    now = open.reduce((sum, reader) => sum + reader.length(), 0);
  }
  program.kill();
}

/** Reads a stream into one buffer: kept apart, pieces of one byte each would take a hundred times their size. */
function readBounded(
  stream: ReadableStream<Uint8Array>,
  bytesMax: number,
  onLimit: () => void,
  onPiece?: (piece: Uint8Array) => void,
) {
  const reader = stream.getReader();
  const cancel = () => void reader.cancel().catch(() => undefined);
  let buffer = Buffer.allocUnsafe(FIRST_BYTES);
  let length = 0;
  const append = (piece: Uint8Array) => {
    const needed = length + piece.length;
    if (needed > buffer.length) {
      const larger = Buffer.allocUnsafe(Math.max(needed, buffer.length * 2));
      larger.set(buffer.subarray(0, length));
      buffer = larger;
    }
    buffer.set(piece, length);
    length = needed;
  };
  const read = async () => {
    for (;;) {
      const { value, done } = await reader.read();
      if (done) return;
      const room = bytesMax - length;
      append(value.subarray(0, room));
      onPiece?.(value);
      if (value.length <= room) continue;
      cancel();
      onLimit();
      return;
    }
  };
  return {
    /** Settles when the stream has ended, or is read no further. */
    ended: read().catch(() => undefined),
    length: () => length,
    bytes: () => buffer.subarray(0, length),
    cancel,
  };
}
