import { type Program, resultOf } from "../../exec/program.ts";
import { OUTPUT_BYTES_MAX, REASON_CHARS_MAX, WAITING_MS_MAX } from "../limits.ts";
import type { Spawner, SpawnRequest } from "./spawner.ts";

/** The exit status of a shell, and of `env`, when a program does not exist. */
const NOT_FOUND = 127;

/** A program of the desktop failed; the message is for the client. */
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
  /** The limit of its output on stdout. */
  readonly bytesMax?: number;
  /** Receives its output on stdout as it arrives. */
  readonly heard?: (piece: Uint8Array) => void;
}

/** @throws NotInstalled */
export function start(spawner: Spawner, request: SpawnRequest): Program {
  try {
    return spawner.spawn(request);
  } catch (cause) {
    throw new NotInstalled(`${request.argv[0]} is not installed`, { cause });
  }
}

/** Runs a program to its end. @throws DesktopError when it does not exist or does not end in time */
export async function run(spawner: Spawner, request: SpawnRequest, options: RunOptions): Promise<Outcome> {
  const program = start(spawner, request);
  const outcome = await endOf(program, request.argv[0] ?? "", options);
  if (outcome.code === NOT_FOUND) throw new NotInstalled(`${request.argv[0]} is not installed`);
  return outcome;
}

/**
 * Waits until a program has ended. When the signal comes it is killed first, with all that it started.
 *
 * @throws DesktopError when it did not end in time, or wrote too much
 */
export async function endOf(
  program: Program,
  name: string,
  { signal, bytesMax = OUTPUT_BYTES_MAX, heard }: RunOptions,
): Promise<Outcome> {
  const { code, boundMet, stdout, stderr } = await resultOf(program, {
    msMax: WAITING_MS_MAX,
    stdoutBytesMax: bytesMax,
    stderrBytesMax: OUTPUT_BYTES_MAX,
    signal,
    ...(heard === undefined ? {} : { onStdout: heard }),
  });
  if (code === null) {
    const reason = boundMet === "stdout" || boundMet === "stderr" ? "wrote too much" : "did not end in time";
    throw new DesktopError(`${name} ${reason} and was killed`);
  }
  return { code, stdout, stderr: reasonOf(stderr) };
}

const reasonOf = (stderr: Buffer) => stderr.toString().trim().slice(0, REASON_CHARS_MAX).toWellFormed();
