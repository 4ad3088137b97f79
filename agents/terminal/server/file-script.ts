import { join } from "node:path";
import { readShellScript } from "../../exec/shell-script.ts";
import type { ExecTarget } from "../../exec/target.ts";
import { terminalErrorResponse } from "./error-page.ts";

const SCRIPT = readShellScript(join(import.meta.dir, "../process/files.sh"));

/**
 * Where files are written and read: on the target machine, as the session's user, in the working directory of its
 * shell.
 */
export interface SessionFolder {
  readonly target: ExecTarget;
  readonly user: string | null;
  /** The shell's process id. */
  readonly pid: number;
  /** How long a transfer may make no progress. */
  readonly idleMs: number;
}

/** The command that runs files.sh. */
export const fileScript = (pid: number, way: "put" | "drop" | "get", file: string, ...more: string[]) => [
  ...["/bin/sh", "-c", SCRIPT, "sh"],
  ...[String(pid), way, file, ...more],
];

/** Errors by exit code of files.sh. */
const REFUSALS: Readonly<Record<number, readonly [number, string, string]>> = {
  20: [409, "FILES_UNAVAILABLE", "Where this session's shell is cannot be told."],
  21: [409, "FILE_EXISTS", "There is a file of that name already."],
  22: [409, "FILE_NOT_WRITABLE", "The file could not be written there."],
  23: [400, "FILE_INCOMPLETE", "The file broke off, and was removed."],
  24: [404, "FILE_NOT_FOUND", "There is no such file that this session's user may read."],
};

/** Whether files.sh reports a known error by this exit code and has left no file behind. */
export const isRefusal = (code: number): boolean => REFUSALS[code] !== undefined;

export function refuseFile(request: Request, code: number): Response {
  const [status, name, message] = REFUSALS[code] ?? [
    409,
    "FILES_UNAVAILABLE",
    "The file could not be taken.",
  ];
  return terminalErrorResponse(request, status, name, message);
}
