import type { ProgramResult } from "../exec/program.ts";
import { ContainerError } from "./driver.ts";

/** A command for a container, without a terminal. */
export interface ContainerCommand {
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Null: root, or the agent's own user where nothing is isolated. */
  readonly user: string | null;
  /** Runs it as the container's own program: as its user, in its folder and with its variables. */
  readonly isOwn?: boolean;
  /** Absolute; null: the user's home. */
  readonly folder: string | null;
  readonly input: Uint8Array<ArrayBuffer>;
  readonly msMax: number;
  /** Of stdout and stderr each. At a limit the command is ended with all that it started. */
  readonly outputBytesMax: number;
  /** Ends it early, as a limit does. */
  readonly signal?: AbortSignal;
}

/** The command names something that the container does not have. */
export class InvalidCommand extends ContainerError {
  override readonly name = "InvalidCommand";

  constructor(
    readonly field: "command" | "user" | "working_directory",
    message: string,
  ) {
    super(message);
  }
}

export class NotRunning extends ContainerError {
  override readonly name = "NotRunning";

  constructor() {
    super("the container does not run");
  }
}

/** What a shell says of a program that it does not find. */
export const notFound = (program: string): ProgramResult => ({
  code: 127,
  boundMet: null,
  stdout: Buffer.alloc(0),
  stderr: Buffer.from(`${program}: not found\n`),
});
