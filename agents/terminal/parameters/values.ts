import { createRequire } from "node:module";
import { sizeText } from "../../../system/size-text.ts";
import { isColourName, solid } from "./colours.ts";
import { stripUnsafe, UNSAFE_CHARACTERS } from "./control-characters.ts";

/**
 * Parsers for the parameters of a terminal's address (container services §4.1). Each receives the text of one
 * parameter and returns its value, or throws a BadValue whose message completes "<name>: ".
 */

/** Loaded with the first key: the library takes a tenth of a second, and most terminals have no key. */
const parseKey = (key: string) =>
  (createRequire(import.meta.url)("ssh2") as typeof import("ssh2")).utils.parseKey(key);

/** A value that breaks its parameter's rule. */
export class BadValue extends Error {
  override readonly name = "BadValue";
}

/** Linux's limit for a path. */
const PATH_CHARS_MAX = 4096;
/** The longest address of a panel's page; browsers do not support much longer ones. */
const URL_CHARS_MAX = 2048;
const NAME_CHARS_MAX = 255;
export const TITLE_CHARS_MAX = 200;
const FONT_SIZE = { min: 8, max: 72 };
const PANEL_PIXELS_MAX = 10_000;
/** Encoded, it fits into the request line that the server accepts. */
const COMMAND_BYTES_MAX = 65_536;
/** One environment variable; Linux refuses more than 128 KiB. */
const ENV_CHARS_MAX = 32_768;
/** X11 over TCP listens on 6000 + N. */
const DISPLAY_MAX = 59_535;
/** Linux's largest process id. */
export const PID_MAX = 4_194_304;
/** Limited, since the browser shows a blank page in the meantime. */
const REDIRECT_DELAY_SECONDS_MAX = 300;

/** C0 and C1 controls and DEL, which make no sense in a name or a path. */
const CONTROL = /[\p{Cc}\p{Cs}]/u;

/** Compares the length in code points, as OpenAPI does; JavaScript counts characters beyond U+FFFF as two. */
export const isLonger = (text: string, max: number) => text.length > max && [...text].length > max;

function plain(text: string, max: number): string {
  if (text === "") throw new BadValue("is empty");
  if (isLonger(text, max)) throw new BadValue(`has more than ${max} characters`);
  if (CONTROL.test(text)) throw new BadValue("has control characters");
  return text;
}

function whole(text: string, { min, max }: { min: number; max: number }): number {
  const value = /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN;
  if (!(value >= min && value <= max)) throw new BadValue(`must be a whole number from ${min} to ${max}`);
  return value;
}

/** `true`, `1` or the bare name; `false` and `0` turn off what is on by default. */
export function boolean(text: string): boolean {
  if (text === "" || text === "true" || text === "1") return true;
  if (text === "false" || text === "0") return false;
  throw new BadValue("must be true, 1 or the bare name; or false or 0");
}

export function terminalId(text: string): number {
  return whole(text.length > 5 ? "" : text, { min: 1, max: 65_535 });
}
export const port = (text: string) => whole(text, { min: 1, max: 65_535 });
export const pid = (text: string) => whole(text, { min: 1, max: PID_MAX });
export const redirectDelay = (text: string) => whole(text, { min: 0, max: REDIRECT_DELAY_SECONDS_MAX });
export const fontSize = (text: string) => whole(text.replace(/px$/, ""), FONT_SIZE);
export const display = (text: string) => whole(text.replace(/^:/, ""), { min: 0, max: DISPLAY_MAX });

export const path = (text: string) => plain(text, PATH_CHARS_MAX);

/** The name of a program, or its absolute path. */
export function shell(text: string): string {
  const ok = /^(\/[\w.+@-]+)+$/.test(text) || /^[\w.+][\w.+-]*$/.test(text);
  if (!ok || text.length > NAME_CHARS_MAX)
    throw new BadValue("must be the name of a shell or its absolute path");
  return text;
}

/** A user name that useradd accepts; never one that a program could read as an option. */
export function user(text: string): string {
  if (!/^[A-Za-z_][\w.-]{0,31}\$?$/.test(text)) throw new BadValue("is no name of a system user");
  return text;
}

function base64(text: string): Uint8Array {
  // In a query a plus sign means a space.
  const digits = text.replaceAll(" ", "+").replaceAll("-", "+").replaceAll("_", "/").replace(/=+$/, "");
  if (digits === "" || !/^[A-Za-z0-9+/]+$/.test(digits) || digits.length % 4 === 1)
    throw new BadValue("is not Base64");
  const bytes = Buffer.from(digits, "base64");
  if (bytes.length > COMMAND_BYTES_MAX) throw new BadValue(`has more than ${sizeText(COMMAND_BYTES_MAX)}`);
  return bytes;
}

function base64Text(text: string): string {
  const bytes = base64(text);
  try {
    const decoded = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    if (!decoded.includes("\0")) return decoded;
  } catch {
    // Reported below.
  }
  throw new BadValue("is Base64 of something that is not text");
}

export function command(text: string): string {
  const decoded = base64Text(text);
  if (decoded.trim() === "") throw new BadValue("is an empty command");
  return decoded;
}

/** Removes HTML tags. The rest is text, and the page treats it as text. */
export function title(text: string): string {
  let cleaned = text;
  for (let before = ""; before !== cleaned; ) {
    before = cleaned;
    cleaned = cleaned.replace(/<[^<>]*>/g, "");
  }
  cleaned = stripUnsafe(cleaned).trim();
  if (isLonger(cleaned, TITLE_CHARS_MAX)) throw new BadValue(`has more than ${TITLE_CHARS_MAX} characters`);
  return cleaned;
}

export function colour(text: string): string {
  const value = text.toLowerCase();
  if (/^#([\da-f]{3}|[\da-f]{6}|[\da-f]{8})$/.test(value) || isColourName(value)) return solid(value);
  throw new BadValue("must be #RGB, #RRGGBB, #RRGGBBAA or a CSS colour name");
}

/** A placeholder for the terminal's own origin, for checking relative addresses. */
const SOME_ORIGIN = "http://terminal.invalid/";

/**
 * An address that is safe to show in a frame: http or https, without a password; or one relative to the terminal's
 * own.
 */
export function panelUrl(text: string): string {
  plain(text, URL_CHARS_MAX);
  const isRelative = !/^[a-z][a-z\d+.-]*:|^[/\\]{2}/i.test(text);
  if (isRelative && URL.parse(text, SOME_ORIGIN)?.origin === new URL(SOME_ORIGIN).origin) return text;
  const url = URL.parse(text);
  if (url === null || !/^https?:\/\//i.test(text) || url.username !== "" || url.password !== "")
    throw new BadValue("must be an http or https URL without a password in it, or a path of this address");
  // The origin becomes part of a content security policy, in which some characters of host names have a meaning.
  if (!/^(\[[\da-f:]+\]|[a-z\d._-]+)$/.test(url.hostname))
    throw new BadValue("is of no host name or address");
  return url.href;
}

/** Pixels (`400px`, `400`) or a percentage (`50%`). */
export function length(text: string): string {
  const [, digits = "", unit = ""] = /^(\d{1,5})(px|%)?$/.exec(text) ?? [];
  const value = Number(digits);
  const max = unit === "%" ? 100 : PANEL_PIXELS_MAX;
  if (digits === "" || value < 1 || value > max)
    throw new BadValue("must be pixels such as 400px, or a percentage such as 50%");
  return `${value}${unit === "%" ? "%" : "px"}`;
}

/** A host's name or address, as text. Whether a connection to it is allowed is decided when its address is known. */
export function host(text: string): string {
  const bare = text.replace(/^\[(.*)\]$/, "$1");
  const isName = /^(?!-)[A-Za-z0-9_-]{1,63}(\.(?!-)[A-Za-z0-9_-]{1,63})*\.?$/.test(bare);
  const isIpv6 = bare.includes(":") && URL.canParse(`http://[${bare}]/`);
  if (!(isName || isIpv6) || bare.length > NAME_CHARS_MAX) throw new BadValue("is no host name or address");
  return bare;
}

/** The name of a user on another machine, which has its own rules for names. */
export function remoteUser(text: string): string {
  if (UNSAFE_CHARACTERS.test(text)) throw new BadValue("has control characters");
  return plain(text, NAME_CHARS_MAX);
}

export function secret(text: string): string {
  if (Buffer.byteLength(text) > NAME_CHARS_MAX) throw new BadValue(`has more than ${NAME_CHARS_MAX} bytes`);
  if (text.includes("\0")) throw new BadValue("has control characters");
  return text;
}

/** The text of a private key. A key with a passphrase is accepted: the SSH password is its passphrase. */
export function privateKey(text: string): string {
  const key = base64Text(text);
  const parsed = parseKey(key);
  if (parsed instanceof Error) {
    if (isLocked(key)) return key;
    throw new BadValue("is no private key");
  }
  const first = Array.isArray(parsed) ? parsed[0] : parsed;
  if (!first?.isPrivateKey()) throw new BadValue("is a public key, not a private one");
  return key;
}

/** Whether a private key needs a passphrase. */
export function isLocked(key: string): boolean {
  const parsed = parseKey(key);
  return parsed instanceof Error && /encrypted/i.test(parsed.message);
}

export function environment(text: string): { name: string; value: string } {
  const at = text.indexOf("=");
  const name = text.slice(0, Math.max(at, 0));
  if (!/^[A-Za-z_]\w*$/.test(name)) throw new BadValue("must be KEY=VALUE");
  if (text.length > ENV_CHARS_MAX) throw new BadValue(`has more than ${ENV_CHARS_MAX} characters`);
  if (text.includes("\0")) throw new BadValue("has a null character");
  return { name, value: text.slice(at + 1) };
}

export function argument(text: string): string {
  if (text.length > PATH_CHARS_MAX) throw new BadValue(`has more than ${PATH_CHARS_MAX} characters`);
  if (text.includes("\0")) throw new BadValue("has a null character");
  return text;
}

/** One of the given words. */
export function oneOf<const Word extends string>(...words: readonly Word[]): (text: string) => Word {
  return (text) => {
    const word = words.find((one) => one === text);
    if (word === undefined) throw new BadValue(`must be ${words.join(" or ")}`);
    return word;
  };
}
