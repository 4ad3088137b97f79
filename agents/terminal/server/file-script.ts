import { join } from "node:path";
import { readShellScript } from "../../exec/shell-script.ts";
import type { ExecTarget } from "../../exec/target.ts";
import { terminalErrorResponse } from "./error-page.ts";

const SCRIPT = readShellScript(join(import.meta.dir, "../process/files.sh"));

/** Where files are put and read: the machine, as the user of a session, in the folder of its shell. */
export interface SessionFolder {
  readonly target: ExecTarget;
  readonly user: string | null;
  /** Of the shell. */
  readonly pid: number;
  /** How long nothing of a file may move. */
  readonly idleMs: number;
}

/** The command that runs files.sh. */
export const fileScript = (pid: number, way: "put" | "drop" | "get", file: string, ...more: string[]) => [
  ...["/bin/sh", "-c", SCRIPT, "sh"],
  ...[String(pid), way, file, ...more],
];

/** By exit codes of files.sh. */
const REFUSALS: Readonly<Record<number, readonly [number, string, string]>> = {
  20: [409, "FILES_UNAVAILABLE", "Where this session's shell is cannot be told."],
  21: [409, "FILE_EXISTS", "There is a file of that name already."],
  22: [409, "FILE_NOT_WRITABLE", "The file could not be written there."],
  23: [400, "FILE_INCOMPLETE", "The file broke off, and was removed."],
  24: [404, "FILE_NOT_FOUND", "There is no such file that this session's user may read."],
};

/** Whether files.sh says by this exit code what is wrong, and has left nothing. */
export const isRefusal = (code: number): boolean => REFUSALS[code] !== undefined;

export function refuseFile(request: Request, code: number): Response {
  const [status, name, message] = REFUSALS[code] ?? [
    409,
    "FILES_UNAVAILABLE",
    "The file could not be taken.",
  ];
  return terminalErrorResponse(request, status, name, message);
}
