import { OUTPUT_BYTES_MAX, REASON_CHARS_MAX } from "../limits.ts";
import type { Machine, RunningProgram, SpawnRequest } from "./machine.ts";

/** What a shell, and `env`, end with when a program is not there. */
const NOT_FOUND = 127;

/** Something of the desktop did not do what it was asked; the message says what, in words for who asked. */
export class DesktopError extends Error {
  override readonly name = "DesktopError";
}

/** The desktop's machine does not have a program. */
export class NotInstalled extends DesktopError {}

export interface Outcome {
  readonly code: number;
  readonly stdout: Buffer;
  readonly stderr: string;
}

export interface RunOptions {
  /** Ends the program, and the wait for it. */
  readonly signal: AbortSignal;
  /** Of what it writes to stdout, how much is kept. */
  readonly bytesMax?: number;
  /** Hears what it writes to stdout as it comes. */
  readonly heard?: (piece: Uint8Array) => void;
}

/** @throws NotInstalled */
export function start(machine: Machine, request: SpawnRequest): RunningProgram {
  try {
    return machine.spawn(request);
  } catch (cause) {
    throw new NotInstalled(`${request.argv[0]} is not installed`, { cause });
  }
}

/**
 * Runs a program to its end.
 *
 * @throws DesktopError when it is not there or does not end in time
 */
export async function run(machine: Machine, request: SpawnRequest, options: RunOptions): Promise<Outcome> {
  const program = start(machine, request);
  const outcome = await endOf(program, request.argv[0] ?? "", options);
  if (outcome.code === NOT_FOUND) throw new NotInstalled(`${request.argv[0]} is not installed`);
  return outcome;
}

/**
 * Waits until a program and all that holds its output have ended. When the signal comes they are killed first.
 *
 * @throws DesktopError when they did not end in time
 */
export async function endOf(
  program: RunningProgram,
  name: string,
  { signal, bytesMax = OUTPUT_BYTES_MAX, heard }: RunOptions,
): Promise<Outcome> {
  let end = () => {};
  const cut = new Promise<never>((_, reject) => {
    end = () => {
      program.kill();
      reject(new DesktopError(`${name} did not end in time and was killed`));
    };
    if (signal.aborted) end();
    else signal.addEventListener("abort", end, { once: true });
  });
  const ended = Promise.all([
    program.exited,
    collect(program.stdout, bytesMax, heard),
    collect(program.stderr, OUTPUT_BYTES_MAX),
  ]);
  try {
    const [code, stdout, stderr] = await Promise.race([ended, cut]);
    return { code, stdout, stderr: reasonOf(stderr) };
  } finally {
    // Its process id may be another's by then.
    signal.removeEventListener("abort", end);
  }
}

/** Reads to the end, and keeps the beginning. */
async function collect(
  stream: ReadableStream<Uint8Array>,
  bytesMax: number,
  heard?: (piece: Uint8Array) => void,
): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  let length = 0;
  for await (const piece of stream) {
    if (length < bytesMax) pieces.push(piece.subarray(0, bytesMax - length));
    length += piece.length;
    heard?.(piece);
  }
  return Buffer.concat(pieces);
}

const reasonOf = (stderr: Buffer) => stderr.toString().trim().slice(0, REASON_CHARS_MAX).toWellFormed();
