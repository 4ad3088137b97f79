import { PATH_CHARS_MAX } from "./limits.ts";

/** The rules for the names of pipes (spec §4.2), for the server and its pages. */

/** The root, without its slash, and the pages: these names cannot be pipes. */
export const RESERVED: readonly string[] = ["", "help", "noscript", "favicon.ico", "robots.txt"];
export const HEALTH = "health";

/** Why a name cannot be a pipe's; undefined if it can. @param name without a leading slash */
export function pathProblem(name: string): string | undefined {
  // Code points: JavaScript counts an emoji as two units.
  const characters = [...name].length;
  if (characters > PATH_CHARS_MAX)
    return `A pipe's path has at most ${PATH_CHARS_MAX} characters; this one has ${characters}.`;
  if (RESERVED.includes(name)) return `"/${name}" is reserved and can't be used as a pipe.`;
  return undefined;
}

/** Why a name that was typed into a page cannot be used: some names cannot be requested by browsers. */
export function typedPathProblem(name: string): string | undefined {
  if (name === "") return "A path is needed.";
  if (name === HEALTH) return `"/${HEALTH}" is the health record and can't be used as a pipe.`;
  if (name.split("/").some((segment) => /^(\.|%2e){1,2}$/i.test(segment)))
    return 'A browser leaves "." and ".." out of a path. Choose another one.';
  return pathProblem(name);
}

/** A typed name, escaped for an address. */
export const escapePath = (name: string): string => name.split("/").map(encodeURIComponent).join("/");
