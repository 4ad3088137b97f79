import { Refusal } from "../http1/refusal.ts";

/** Some programs decode a path once too often, and proxies before them once more; nobody decodes it more often than this. */
const DECODINGS_MAX = 4;
const SEPARATOR = /[/\\]/;
/** Everything that some reader leaves out of a segment: parameters (`..;a`), what comes after a NUL, control characters and spaces. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
const OVERLOOKED = /[;\0].*$|[\x01-\x20\x7f]/gs;
/** A dot and the separators in more bytes than they have, which readers of old take for them. */
const OVERLONG: readonly [RegExp, string][] = [
  [/\xc0\xae|\xe0\x80\xae/g, "."],
  [/\xc0\xaf|\xe0\x80\xaf/g, "/"],
  [/\xc1\x9c|\xe0\x81\x9c/g, "\\"],
];

/**
 * The path and query that a target is asked for.
 *
 * `base` goes before the request's path. Without `override` it takes its place: visitors reach that one path and no other; their query goes
 * along. Without a base the path passes as it is.
 *
 * @param target of the request, without scheme and host
 * @param base begins with `/`; null is `/`
 * @throws Refusal 400 when some server could understand the path to lead out of its base
 */
export function targetPath(target: string, base: string | null, override: boolean): string {
  if (base === null && override) return target;
  const [path, query] = split(target);
  const [basePath, baseQuery] = split(base ?? "/");
  const prefix = basePath.replace(/\/+$/, "");
  if (override && prefix !== "" && climbs(path)) {
    throw new Refusal(400, "The path leads out of where this name leads.");
  }
  // `OPTIONS *` is about a server as a whole, of which this name is a part.
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
