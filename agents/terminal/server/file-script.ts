import { join } from "node:path";
import { readShellScript } from "../../exec/shell-script.ts";
import type { ExecTarget } from "../../exec/target.ts";
import { terminalErrorResponse } from "./error-page.ts";

const SCRIPT = readShellScript(join(import.meta.dir, "../process/files.sh"));

/** Where files are written and read: on the target machine, as a user, in a folder. */
export interface SessionFolder {
  readonly target: ExecTarget;
  readonly user: string | null;
  /** The process id of a session's shell, in whose working directory it is; or the absolute path of a folder. */
  readonly place: number | string;
  /** How long a transfer may make no progress. */
  readonly idleMs: number;
}

/** The command that runs files.sh. */
export const fileScript = (
  place: number | string,
  way: "put" | "drop" | "get",
  file: string,
  ...more: string[]
) => [...["/bin/sh", "-c", SCRIPT, "sh"], ...[String(place), way, file, ...more]];

/** Errors by exit code of files.sh. */
const REFUSALS: Readonly<Record<number, readonly [number, string, string]>> = {
  20: [409, "FILES_UNAVAILABLE", "Where this session's shell is cannot be told."],
  21: [409, "FILE_EXISTS", "There is a file of that name already."],
  22: [409, "FILE_NOT_WRITABLE", "The file could not be written there."],
  23: [400, "FILE_INCOMPLETE", "The file broke off, and was removed."],
  26: [404, "FILE_NOT_FOUND", "There is no such folder."],
  27: [409, "FOLDER_NOT_EMPTY", "The folder is not empty."],
  28: [409, "NOT_A_FILE", "There is a folder of that name, which no file replaces."],
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
