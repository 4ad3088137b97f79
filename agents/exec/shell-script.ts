import { readFileSync } from "node:fs";

/** A line that says nothing to the shell: blank, or a comment alone. */
const SILENT_LINE = /^\s*(#|$)/;

/**
 * The text of a script that is given to `sh -c`. Its comments are left out, because `ps` shows every program's arguments whole.
 * So no such script may have a text of several lines in which a line begins with `#`.
 */
export const readShellScript = (path: string): string => withoutComments(readFileSync(path, "utf8"));

const withoutComments = (script: string): string =>
  script
    .split("\n")
    .filter((line) => !SILENT_LINE.test(line))
    .join("\n");
