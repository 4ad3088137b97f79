import { Refusal } from "../http1/refusal.ts";

/** Programs and the proxies in front of them may decode a path several times, but hardly ever more often than this. */
const DECODINGS_MAX = 4;
const SEPARATOR = /[/\\]/;
/**
 * The parts of a segment that some servers ignore: parameters (`..;a`), everything after a NUL, control characters
 * and spaces.
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the expression searches for them
const OVERLOOKED = /[;\0].*$|[\x01-\x20\x7f]/gs;
/** Overlong encodings of the dot and the separators, which old decoders accept. */
const OVERLONG: readonly [RegExp, string][] = [
  [/\xc0\xae|\xe0\x80\xae/g, "."],
  [/\xc0\xaf|\xe0\x80\xaf/g, "/"],
  [/\xc1\x9c|\xe0\x81\x9c/g, "\\"],
];

/**
 * The path and query for a target. `base` goes before the request's path. Without `override` it takes its place:
 * visitors reach that one path and no other; their query goes along. Without a base the path passes as it is.
 *
 * @param target the request's target, without scheme and host
 * @param base begins with `/`; null means `/`
 * @throws Refusal 400 when some server could read the path as leading out of its base
 */
export function targetPath(target: string, base: string | null, override: boolean): string {
  if (base === null && override) return target;
  const [path, query] = split(target);
  const [basePath, baseQuery] = split(base ?? "/");
  const prefix = basePath.replace(/\/+$/, "");
  if (override && prefix !== "" && climbs(path)) {
    throw new Refusal(400, "The path leads out of where this name leads.");
  }
  // `OPTIONS *` refers to the server as a whole.
  const whole = override && path !== "*" ? prefix + path : basePath;
  const queries = [baseQuery, query].filter((one) => one !== "").join("&");
  return queries === "" ? whole : `${whole}?${queries}`;
}

/** Whether any server could read a `..` in a path: as it is, or decoded several times. */
export function climbs(path: string): boolean {
  if (!path.includes("..") && !path.includes("%")) return false;
  let read = path;
  for (let decodings = 0; ; decodings += 1) {
    if (hasStepUp(read)) return true;
    const decoded = read.replace(/%([0-9a-f]{2})/gi, (_, digits) =>
      String.fromCharCode(Number.parseInt(digits, 16)),
    );
    if (decoded === read || decodings === DECODINGS_MAX) return false;
    read = OVERLONG.reduce((text, [bytes, sign]) => text.replace(bytes, sign), decoded);
  }
}

const hasStepUp = (path: string): boolean =>
  path.split(SEPARATOR).some((segment) => segment.replace(OVERLOOKED, "") === "..");

function split(target: string): [path: string, query: string] {
  const mark = target.indexOf("?");
  return mark === -1 ? [target, ""] : [target.slice(0, mark), target.slice(mark + 1)];
}
