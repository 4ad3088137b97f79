/**
 * Names of files are bytes. Here they are Latin-1 strings, a character for each byte, so that every name survives
 * unchanged.
 */

const PATH_BYTES_MAX = 4095;
const NAME_BYTES_MAX = 255;

/** The decoded path of an address; undefined if no file can have it. */
export function pathOf(url: string): string | undefined {
  const { pathname } = new URL(url);
  const path = pathname.replace(/%([0-9a-f]{2})/gi, (_, digits) =>
    String.fromCharCode(Number.parseInt(digits, 16)),
  );
  return path.includes("\0") || path.length > PATH_BYTES_MAX ? undefined : path;
}

/** A path that was written as text; undefined if no file can have it. */
export function asPath(text: string): string | undefined {
  const path = Buffer.from(text).toString("latin1");
  return !path.startsWith("/") || path.includes("\0") || path.length > PATH_BYTES_MAX ? undefined : path;
}

/** A name, escaped for an address. */
export const inAddress = (name: string): string =>
  name.replace(/[^A-Za-z0-9._~-]/g, (sign) => `%${hexOf(sign)}`);

/** A path, escaped as an argument of `files.sh`. */
export const inArgument = (path: string): string =>
  path.replace(/[^A-Za-z0-9/._-]/g, (sign) => `\\0${sign.charCodeAt(0).toString(8).padStart(3, "0")}`);

/** A name as text; bytes that are not UTF-8 become �. */
export const asText = (name: string): string => Buffer.from(name, "latin1").toString();

const hexOf = (sign: string): string => sign.charCodeAt(0).toString(16).toUpperCase().padStart(2, "0");

/** Whether a path has a part `..`, behind which another file is meant than the one that is named. */
export const leadsUp = (path: string): boolean => path.split("/").includes("..");

/** What is wrong with the name at the end of a new path, in words; undefined for a name that a file can get. */
export function wrongName(path: string): string | undefined {
  const name = path.slice(path.lastIndexOf("/") + 1);
  if (name.length > NAME_BYTES_MAX) return `the name must have at most ${NAME_BYTES_MAX} bytes`;
  return isText(name) ? undefined : "the name must be UTF-8";
}

/** Whether bytes are UTF-8. */
export const isText = (bytes: string): boolean => Buffer.from(asText(bytes)).toString("latin1") === bytes;
