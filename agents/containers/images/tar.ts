import { sizeText } from "../../../system/size-text.ts";
/**
 * Tar archives as streams. Names are bytes, kept as text of one character a byte: what is no UTF-8 stays as it is. Only what layers
 * of images consist of is known here; anything else is refused.
 */

export interface TarEntry {
  readonly type: "file" | "hard link" | "symbolic link" | "folder" | "fifo" | "device";
  readonly path: string;
  /** Of links. */
  readonly target: string;
  readonly mode: number;
  readonly uid: number;
  readonly gid: number;
  /** Seconds. */
  readonly mtime: number;
  /** Bytes of a file. */
  readonly size: number;
  /** Extended attributes by name. */
  readonly attributes: ReadonlyMap<string, Buffer>;
}

/** An archive that cannot be read, or has what no layer may have. */
export class TarError extends Error {
  override readonly name = "TarError";
}

const BLOCK = 512;
/** Of a name, or of a file's extended attributes. */
const EXTENSION_BYTES_MAX = 1024 * 1024;
const TYPES: Readonly<Record<string, TarEntry["type"]>> = {
  "0": "file",
  "\0": "file",
  "7": "file",
  "1": "hard link",
  "2": "symbolic link",
  "3": "device",
  "4": "device",
  "5": "folder",
  "6": "fifo",
};
const TYPE_CODES: Readonly<Record<TarEntry["type"], string>> = {
  file: "0",
  "hard link": "1",
  "symbolic link": "2",
  device: "3",
  folder: "5",
  fifo: "6",
};
const ATTRIBUTE = "SCHILY.xattr.";

/** Gives out a stream of bytes in pieces of the length that is asked for. */
class ByteReader {
  readonly #source: AsyncIterator<Uint8Array>;
  #piece: Buffer = Buffer.alloc(0);

  constructor(source: AsyncIterable<Uint8Array>) {
    this.#source = source[Symbol.asyncIterator]();
  }

  /** Null at the end; fewer bytes than asked for only there. */
  async upTo(length: number): Promise<Buffer | null> {
    if (this.#piece.length === 0) {
      const { value, done } = await this.#source.next();
      if (done) return null;
      this.#piece = Buffer.from(value.buffer, value.byteOffset, value.byteLength);
    }
    const taken = this.#piece.subarray(0, length);
    this.#piece = this.#piece.subarray(taken.length);
    return taken;
  }

  /** @throws TarError when the stream ends before */
  async exactly(length: number): Promise<Buffer> {
    const pieces: Buffer[] = [];
    for (let missing = length; missing > 0; ) {
      const piece = await this.upTo(missing);
      if (piece === null) throw new TarError("the archive ends in the middle of an entry");
      missing -= piece.length;
      pieces.push(piece);
    }
    return pieces.length === 1 ? (pieces[0] as Buffer) : Buffer.concat(pieces);
  }

  async rest(): Promise<void> {
    while ((await this.upTo(Number.MAX_SAFE_INTEGER)) !== null);
  }
}

/** What stands before an entry for names that are too long, and for what a header has no place for. */
interface Extension {
  path?: string;
  target?: string;
  size?: number;
  uid?: number;
  gid?: number;
  mtime?: number;
  readonly attributes: Map<string, Buffer>;
}

/**
 * The entries of an archive. The body of a file can be read until the next entry is asked for.
 *
 * @throws TarError
 */
export async function* readTar(
  source: AsyncIterable<Uint8Array>,
): AsyncGenerator<{ entry: TarEntry; body: AsyncGenerator<Buffer> }> {
  const reader = new ByteReader(source);
  let extension: Extension = { attributes: new Map() };
  for (;;) {
    const header = await nextHeader(reader);
    if (header === null) break;
    const code = header.toString("latin1", 156, 157);
    const size = extension.size ?? number(header, 124, 12);
    if (code === "L" || code === "K" || code === "x" || code === "g") {
      const own = number(header, 124, 12);
      if (own > EXTENSION_BYTES_MAX) throw new TarError(`an entry has a header of ${sizeText(own)}`);
      const data = (await reader.exactly(padded(own))).subarray(0, own);
      if (code === "L") extension.path = text(data);
      else if (code === "K") extension.target = text(data);
      // "g" is about the whole archive: no tool that makes layers writes one that matters.
      else if (code === "x") readPax(data, extension);
      continue;
    }
    const entry = entryOf(header, code, size, extension);
    extension = { attributes: new Map() };
    let left = entry.size;
    const body = (async function* () {
      while (left > 0) {
        const piece = await reader.upTo(left);
        if (piece === null) throw new TarError("the archive ends in the middle of a file");
        left -= piece.length;
        yield piece;
      }
    })();
    yield { entry, body };
    // What nobody has read.
    for (let skipped = await body.next(); !skipped.done; ) skipped = await body.next();
    while (left > 0) left -= (await reader.exactly(Math.min(left, 64 * 1024))).length;
    await reader.exactly(padded(entry.size) - entry.size);
  }
  await reader.rest();
}

/** Null at the end of the archive: two empty blocks, or nothing more. */
async function nextHeader(reader: ByteReader): Promise<Buffer | null> {
  for (let empty = 0; empty < 2; empty += 1) {
    const first = await reader.upTo(BLOCK);
    if (first === null) return null;
    const block =
      first.length === BLOCK ? first : Buffer.concat([first, await reader.exactly(BLOCK - first.length)]);
    if (block.every((byte) => byte === 0)) continue;
    let sum = 0;
    for (let at = 0; at < BLOCK; at += 1) sum += at >= 148 && at < 156 ? 32 : (block[at] as number);
    if (sum !== number(block, 148, 8)) throw new TarError("it is no tar archive, or a damaged one");
    return block;
  }
  return null;
}

function entryOf(header: Buffer, code: string, size: number, extension: Extension): TarEntry {
  const kind = TYPES[code];
  if (kind === undefined)
    throw new TarError(
      code === "S" ? "it has a sparse file" : `it has an entry of the unknown kind ${JSON.stringify(code)}`,
    );
  const prefix = header.toString("latin1", 257, 263) === "ustar\0" ? text(header.subarray(345, 500)) : "";
  const name = text(header.subarray(0, 100));
  const path = extension.path ?? (prefix === "" ? name : `${prefix}/${name}`);
  // Before there was a code for folders.
  const type = kind === "file" && path.endsWith("/") ? "folder" : kind;
  return {
    type,
    path,
    target: extension.target ?? text(header.subarray(157, 257)),
    mode: number(header, 100, 8) & 0o7777,
    uid: extension.uid ?? number(header, 108, 8),
    gid: extension.gid ?? number(header, 116, 8),
    mtime: extension.mtime ?? number(header, 136, 12),
    size: type === "file" ? size : 0,
    attributes: extension.attributes,
  };
}

const padded = (size: number): number => Math.ceil(size / BLOCK) * BLOCK;

function text(field: Buffer): string {
  const end = field.indexOf(0);
  return field.toString("latin1", 0, end === -1 ? field.length : end);
}

/** Octal digits, or the number itself where these are too few. */
function number(header: Buffer, at: number, length: number): number {
  const field = header.subarray(at, at + length);
  const first = field[0] as number;
  if ((first & 0x80) === 0) {
    const digits = text(field).trim();
    if (!/^[0-7]*$/.test(digits)) throw new TarError("a number in it cannot be read");
    return digits === "" ? 0 : Number.parseInt(digits, 8);
  }
  // 0xff begins a negative one: a time before 1970.
  if (first === 0xff) return 0;
  let value = BigInt(first & 0x7f);
  for (const byte of field.subarray(1)) value = value * 256n + BigInt(byte);
  if (value > BigInt(Number.MAX_SAFE_INTEGER)) throw new TarError("a number in it is too large");
  return Number(value);
}

/** Records of the form `<length> <name>=<value>\n`; the length is that of the whole record. */
function readPax(data: Buffer, extension: Extension): void {
  for (let at = 0; at < data.length; ) {
    const blank = data.indexOf(0x20, at);
    const length = blank === -1 ? Number.NaN : Number(data.toString("latin1", at, blank));
    const equals = data.indexOf(0x3d, blank);
    const end = at + length - 1;
    if (!Number.isSafeInteger(length) || length < 5 || equals === -1 || equals > end || data[end] !== 0x0a)
      throw new TarError("an extended header in it cannot be read");
    setPax(data.toString("latin1", blank + 1, equals), data.subarray(equals + 1, end), extension);
    at += length;
  }
}

function setPax(name: string, value: Buffer, extension: Extension): void {
  const whole = () => {
    const digits = value.toString("latin1");
    if (!/^-?\d{1,15}(\.\d*)?$/.test(digits)) throw new TarError(`an extended header in it has no ${name}`);
    return Math.max(0, Math.floor(Number(digits)));
  };
  if (name === "path") extension.path = text(value);
  else if (name === "linkpath") extension.target = text(value);
  else if (name === "size" || name === "uid" || name === "gid" || name === "mtime") extension[name] = whole();
  else if (name.startsWith("GNU.sparse.")) throw new TarError("it has a sparse file");
  else if (name.startsWith(ATTRIBUTE)) extension.attributes.set(name.slice(ATTRIBUTE.length), value);
}

/** The header of an entry, with what stands before it, as GNU tar reads it. A device has the numbers 0 and 0. */
export function encodeHeader(entry: TarEntry): Buffer {
  const { path, target, attributes } = entry;
  const before: Buffer[] = [];
  if (attributes.size > 0) before.push(extra("x", encodePax(attributes)));
  if (path.length > 100) before.push(extra("L", Buffer.from(`${path}\0`, "latin1")));
  if (target.length > 100) before.push(extra("K", Buffer.from(`${target}\0`, "latin1")));
  return Buffer.concat([...before, header(entry, TYPE_CODES[entry.type])]);
}

export const END_OF_TAR = Buffer.alloc(2 * BLOCK);

/** What follows the bytes of a file. */
export const paddingOf = (size: number): Buffer => Buffer.alloc(padded(size) - size);

function extra(code: string, data: Buffer): Buffer {
  const fields = { path: "././@LongLink", target: "", mode: 0, uid: 0, gid: 0, mtime: 0, size: data.length };
  return Buffer.concat([header(fields, code), data, paddingOf(data.length)]);
}

function header(entry: Omit<TarEntry, "type" | "attributes">, code: string): Buffer {
  const block = Buffer.alloc(BLOCK);
  block.write(entry.path.slice(0, 100), 0, "latin1");
  writeNumber(block, 100, 8, entry.mode);
  writeNumber(block, 108, 8, entry.uid);
  writeNumber(block, 116, 8, entry.gid);
  writeNumber(block, 124, 12, entry.size);
  writeNumber(block, 136, 12, entry.mtime);
  block.write(code, 156, "latin1");
  block.write(entry.target.slice(0, 100), 157, "latin1");
  block.write("ustar  \0", 257, "latin1");
  if (code === "3") {
    writeNumber(block, 329, 8, 0);
    writeNumber(block, 337, 8, 0);
  }
  block.fill(0x20, 148, 156);
  const sum = block.reduce((total, byte) => total + byte, 0);
  block.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148, "latin1");
  return block;
}

function writeNumber(block: Buffer, at: number, length: number, value: number): void {
  const digits = value.toString(8);
  if (digits.length < length) {
    block.write(digits.padStart(length - 1, "0"), at, "latin1");
    return;
  }
  let rest = BigInt(value);
  for (let place = at + length - 1; place > at; place -= 1) {
    block[place] = Number(rest & 0xffn);
    rest >>= 8n;
  }
  block[at] = 0x80;
}

function encodePax(attributes: ReadonlyMap<string, Buffer>): Buffer {
  return Buffer.concat(
    [...attributes].map(([name, value]) => {
      const body = Buffer.concat([Buffer.from(` ${ATTRIBUTE}${name}=`, "latin1"), value, Buffer.from("\n")]);
      // The length counts its own digits.
      let length = body.length + 1;
      while (String(length).length + body.length !== length) length = String(length).length + body.length;
      return Buffer.concat([Buffer.from(String(length)), body]);
    }),
  );
}
