import { KNOWN_NAMES } from "./field-names.ts";
import { HEAD_BYTES_MAX, HEADER_FIELDS_MAX } from "./limits.ts";
import { Refusal } from "./refusal.ts";

/** How the end of a body is determined (RFC 9112 §6.3). */
export type Framing =
  | { readonly kind: "none" }
  | { readonly kind: "length"; readonly bytes: number }
  | { readonly kind: "chunked" };

export interface RequestHead {
  readonly method: string;
  /** As sent: a path with its query, or a whole URL. */
  readonly target: string;
  /** Without the query, as sent. */
  readonly path: string;
  readonly query: URLSearchParams;
  /** HTTP/1.`minor`. */
  readonly minor: number;
  readonly headers: FieldMap;
  readonly framing: Framing;
  readonly expectsContinue: boolean;
  /** Whether the client keeps the connection open for further requests. */
  readonly keepsAlive: boolean;
}

export interface FieldLine {
  /** The name in lower case. */
  readonly key: string;
  /** As it was sent. */
  readonly name: string;
  readonly value: string;
}

/** Fields by their lower-case names. Values are Latin-1, so that bytes are forwarded unchanged. */
export class FieldMap {
  /** Every field, in the order sent. There are few of them, so a search is cheaper than an index. */
  readonly lines: FieldLine[] = [];

  append(name: string, value: string): void {
    this.lines.push({ key: name.toLowerCase(), name, value });
  }

  /** The value; of a repeated field all of them, joined. */
  get(name: string): string | undefined {
    let found: string | undefined;
    for (const { key, value } of this.lines) {
      if (key === name) found = found === undefined ? value : `${found}, ${value}`;
    }
    return found;
  }

  count(name: string): number {
    let count = 0;
    for (const { key } of this.lines) if (key === name) count += 1;
    return count;
  }

  all(name: string): readonly string[] {
    const found: string[] = [];
    for (const { key, value } of this.lines) if (key === name) found.push(value);
    return found;
  }
}

const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
const TARGET = /^[\x21-\x7e\x80-\xff]+$/;
const VERSION = /^HTTP\/\d\.\d$/;
const DIGITS = /^\d{1,16}$/;
/**
 * Control characters except the tab. Readers interpret them differently, and some end a value or a line there (RFC
 * 9110 §5.5).
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
const CONTROL_CHARACTER = /[\0-\x08\x0a-\x1f\x7f]/;
/**
 * Fields whose control characters are removed instead of refused: a pipe's own fields (container services §4.2), and
 * names of files.
 */
const CLEANED = new Set(["x-piping", "x-service-pipe", "content-disposition"]);
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out.
const CLEANABLE = /[\x01-\x08\x0b\x0c\x0e-\x1f\x7f]/g;
const CR = 13;
const LF = 10;
const CRLF = Buffer.from("\r\n");
/** The end of a header: that of its last line, and the empty line. */
export const HEAD_END: Buffer = Buffer.from("\r\n\r\n");

/**
 * The end of the header: the index after its empty line, or -1 if that has not arrived yet.
 *
 * @param from where to look; what is before it was looked at
 */
export function headEnd(bytes: Buffer, from: number): number {
  const at = bytes.indexOf(HEAD_END, Math.max(0, from - 3));
  if (at === -1 ? bytes.length > HEAD_BYTES_MAX : at + 4 > HEAD_BYTES_MAX) {
    throw new Refusal(431, "The request's header is too large.");
  }
  if (at === -1 && hasBareLineFeed(bytes, from)) throw new Refusal(400, "A line does not end with CRLF.");
  return at === -1 ? -1 : at + 4;
}

/** Whether a line ends with a bare line feed: such a header might never have the expected end. */
export function hasBareLineFeed(bytes: Buffer, from: number): boolean {
  for (let at = bytes.indexOf(LF, from); at !== -1; at = bytes.indexOf(LF, at + 1)) {
    if (bytes[at - 1] !== CR) return true;
  }
  return false;
}

/** Empty lines before a request are passed over (RFC 9112 §2.2). */
export function withoutEmptyLines(bytes: Buffer): Buffer {
  let at = 0;
  while (bytes[at] === CR || bytes[at] === LF) at += 1;
  return at === 0 ? bytes : bytes.subarray(at);
}

/**
 * Reads a request's header strictly: everything that two readers could understand differently is refused, since a
 * proxy in front of this server may be the other reader.
 *
 * @param former the request before it on the connection: fields that are the same in every byte are not read again
 * @throws Refusal 400, 411, 431, 501, 505
 */
export function parseHead(bytes: Buffer, former?: RequestHead): RequestHead {
  const lineEnd = bytes.indexOf(CRLF);
  const line = parseRequestLine(bytes.toString("latin1", 0, lineEnd));
  if (former instanceof ParsedHead && former.hasSameMessage(line, bytes, lineEnd)) {
    return new ParsedHead(line, former.message);
  }
  const end = bytes.length - HEAD_END.length;
  const headers = parseFields(bytes.toString("latin1", Math.min(lineEnd + CRLF.length, end), end));
  return new ParsedHead(line, messageOf(line, headers, bytes.subarray(lineEnd)));
}

interface RequestLine {
  readonly method: string;
  readonly target: string;
  readonly minor: number;
}

/** What a header says beside its request line. */
type Message = Pick<RequestHead, "headers" | "framing" | "expectsContinue" | "keepsAlive"> & {
  readonly method: string;
  readonly minor: number;
  /** All after the request line, as it was sent: a copy. */
  readonly bytes: Buffer;
};

class ParsedHead implements RequestHead {
  readonly method: string;
  readonly target: string;
  readonly minor: number;
  readonly path: string;
  readonly headers: FieldMap;
  readonly framing: Framing;
  readonly expectsContinue: boolean;
  readonly keepsAlive: boolean;
  readonly #queryText: string;
  #query: URLSearchParams | undefined;

  /** @throws Refusal 400 */
  constructor(
    { method, target, minor }: RequestLine,
    readonly message: Message,
  ) {
    this.method = method;
    this.target = target;
    this.minor = minor;
    [this.path, this.#queryText] = splitTarget(target, method);
    this.headers = message.headers;
    this.framing = message.framing;
    this.expectsContinue = message.expectsContinue;
    this.keepsAlive = message.keepsAlive;
  }

  /** Parsed on demand, since many requests do not need it. */
  get query(): URLSearchParams {
    this.#query ??= new URLSearchParams(this.#queryText);
    return this.#query;
  }

  /** Whether a request says the same but for its target: then it means the same. */
  hasSameMessage({ method, minor }: RequestLine, bytes: Buffer, lineEnd: number): boolean {
    const known = this.message;
    return (
      known.method === method &&
      known.minor === minor &&
      known.bytes.length === bytes.length - lineEnd &&
      known.bytes.compare(bytes, lineEnd) === 0
    );
  }
}

/** @throws Refusal 400, 505 */
function parseRequestLine(line: string): RequestLine {
  const methodEnd = line.indexOf(" ");
  const targetEnd = line.indexOf(" ", methodEnd + 1);
  const method = line.slice(0, Math.max(methodEnd, 0));
  const target = line.slice(methodEnd + 1, Math.max(targetEnd, 0));
  const version = line.slice(targetEnd + 1);
  if (!TOKEN.test(method) || !TARGET.test(target) || !VERSION.test(version)) {
    throw new Refusal(400, "The request line is malformed.");
  }
  if (version !== "HTTP/1.1" && version !== "HTTP/1.0") throw new Refusal(505, "HTTP/1.1 is spoken here.");
  return { method, target, minor: version === "HTTP/1.1" ? 1 : 0 };
}

/** @throws Refusal 400, 411, 501 */
function messageOf({ method, minor }: RequestLine, headers: FieldMap, bytes: Buffer): Message {
  const hosts = headers.count("host");
  if (hosts > 1 || (minor === 1 && hosts === 0)) {
    throw new Refusal(400, "A request has exactly one Host.");
  }
  return {
    method,
    minor,
    headers,
    framing: framingOf(method, minor, headers),
    expectsContinue: minor === 1 && /^100-continue$/i.test(headers.get("expect") ?? ""),
    keepsAlive: minor === 1 && !hasOption(headers.get("connection"), "close"),
    bytes: Buffer.from(bytes),
  };
}

/**
 * Reads fields: lines with CRLF between them, to the end of the text.
 *
 * @param from where they begin; the text's length for no fields
 * @throws Refusal 400, 431
 */
export function parseFields(text: string, from = 0): FieldMap {
  const headers = new FieldMap();
  let begin = from === text.length ? -1 : from;
  while (begin !== -1) {
    if (headers.lines.length === HEADER_FIELDS_MAX) {
      throw new Refusal(431, "The request has too many header fields.");
    }
    const newline = text.indexOf("\r\n", begin);
    const end = newline === -1 ? text.length : newline;
    const colon = text.indexOf(":", begin);
    // Without a colon in its line there is no name.
    const name = text.slice(begin, colon > end ? begin : Math.max(colon, begin));
    // Folded lines, which begin with a space, and names followed by a space are read differently: both are refused
    // here.
    const key = KNOWN_NAMES.get(name) ?? keyOf(name);
    const value = trimmed(text, colon + 1, end);
    headers.lines.push({ key, name, value: CONTROL_CHARACTER.test(value) ? cleaned(name, value) : value });
    begin = newline === -1 ? -1 : newline + CRLF.length;
  }
  return headers;
}

/** The name in lower case. @throws Refusal 400 */
function keyOf(name: string): string {
  if (!TOKEN.test(name)) throw new Refusal(400, "A header field is malformed.");
  return name.toLowerCase();
}

/** @throws Refusal 400 */
function cleaned(name: string, value: string): string {
  const rest = CLEANED.has(name.toLowerCase()) ? value.replace(CLEANABLE, "") : value;
  if (CONTROL_CHARACTER.test(rest)) {
    throw new Refusal(400, `The header field ${name} holds a control character.`);
  }
  return rest;
}

/** Whether a list such as `Connection` has an option. */
export function hasOption(list: string | undefined, option: string): boolean {
  if (list === undefined) return false;
  const text = list.toLowerCase();
  return text === option || (text.includes(option) && text.split(/[\s,]+/).includes(option));
}

const SPACE = 32;
const TAB = 9;
const isBlank = (code: number): boolean => code === SPACE || code === TAB;

/**
 * A part of a text without surrounding blanks. Written by hand: a regular expression could scan each run of blanks
 * repeatedly.
 */
function trimmed(text: string, from: number, to: number): string {
  let start = from;
  let end = to;
  while (start < end && isBlank(text.charCodeAt(start))) start += 1;
  while (end > start && isBlank(text.charCodeAt(end - 1))) end -= 1;
  return text.slice(start, end);
}

function splitTarget(target: string, method: string): [path: string, query: string] {
  const absolute = target.startsWith("/") ? null : /^https?:\/\/[^/?#]*/i.exec(target);
  const rest = absolute === null ? target : target.slice(absolute[0].length);
  const mark = rest.indexOf("?");
  const path = (mark === -1 ? rest : rest.slice(0, mark)) || (absolute === null ? "" : "/");
  const isServerWide = path === "*" && method === "OPTIONS";
  if (!isServerWide && (!path.startsWith("/") || rest.includes("#"))) {
    throw new Refusal(400, "The request line is malformed.");
  }
  return [path, mark === -1 ? "" : rest.slice(mark + 1)];
}

function framingOf(method: string, minor: number, headers: FieldMap): Framing {
  const lengths = headers.all("content-length");
  const codings = headers.all("transfer-encoding");
  if (codings.length > 0) {
    if (minor === 0 || lengths.length > 0) {
      throw new Refusal(400, "Transfer-Encoding with a Content-Length, or in HTTP/1.0, has no one meaning.");
    }
    if (codings.length > 1 || codings[0]?.toLowerCase() !== "chunked") {
      throw new Refusal(501, "The one transfer coding that is known here is chunked.");
    }
    return { kind: "chunked" };
  }
  if (lengths.length > 1 || !lengths.every((value) => DIGITS.test(value))) {
    throw new Refusal(400, "Content-Length is not one number.");
  }
  const bytes = Number(lengths[0] ?? 0);
  if (!Number.isSafeInteger(bytes)) throw new Refusal(400, "Content-Length is not one number.");
  if (minor === 0 && lengths.length === 0 && (method === "POST" || method === "PUT")) {
    // If it were read as empty, the client's data would be lost silently.
    throw new Refusal(411, "In HTTP/1.0 a body needs a Content-Length.");
  }
  return bytes === 0 ? { kind: "none" } : { kind: "length", bytes };
}
