import { PATH_CHARS_MAX } from "./limits.ts";

/** Which names a pipe may have (spec §4.2). The server and its pages go by the same rules. */

/** The root, in the form without its slash, and pages: none of them is a pipe. */
export const RESERVED: readonly string[] = ["", "help", "noscript", "favicon.ico", "robots.txt"];
export const HEALTH = "health";

/** Why a name cannot be a pipe's; undefined where it can. @param name without the slash before it */
export function pathProblem(name: string): string | undefined {
  // Characters as people count them: JavaScript has two units for an emoji.
  const characters = [...name].length;
  if (characters > PATH_CHARS_MAX)
    return `A pipe's path has at most ${PATH_CHARS_MAX} characters; this one has ${characters}.`;
  if (RESERVED.includes(name)) return `"/${name}" is reserved and can't be used as a pipe.`;
  return undefined;
}

/** The same of a name that somebody has typed into a page: a browser could not ask for every name. */
export function typedPathProblem(name: string): string | undefined {
  if (name === "") return "A path is needed.";
  if (name === HEALTH) return `"/${HEALTH}" is the health record and can't be used as a pipe.`;
  if (name.split("/").some((segment) => /^(\.|%2e){1,2}$/i.test(segment)))
    return 'A browser leaves "." and ".." out of a path. Choose another one.';
  return pathProblem(name);
}

/** A typed name as it stands in an address. */
export const escapePath = (name: string): string => name.split("/").map(encodeURIComponent).join("/");
