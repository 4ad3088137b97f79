/**
 * What an agent and its PTY host say to each other on a Unix socket: frames of a length (four bytes, of what follows the type), a type
 * and a payload. Numbers are little-endian. A connection begins with a request and its reply, both JSON, and is from then on either
 * the agent's own, for further requests, or that of one program.
 *
 * An agent may be newer than the PTY host that it finds: fields and requests may be added. What must change otherwise gets a new number,
 * which is in the socket's name; see docs/decisions/0029-terminal-pty-host.md.
 */
export const PROTOCOL = 1;

/** What an agent says. */
export const RequestFrame = {
  request: 1,
  /** Begin with the output: whoever attached is ready for it. */
  begin: 2,
  /** Where in the output the agent was (eight bytes), and what the program is to read. Questions before there have been answered. */
  input: 3,
  /** Where in the output the agent was (eight bytes), columns and rows (two each): its screen takes this size there. */
  resize: 4,
  /** Where in the output the agent was (eight bytes), and a record from which it could go on from there. */
  store: 5,
  /** Processes (four bytes each) that must not outlive the PTY host. */
  guard: 6,
  hangUp: 7,
  kill: 8,
  /** Its end has been seen: it may be forgotten. */
  release: 9,
} as const;

/** What a PTY host says. */
export const EventFrame = {
  reply: 1,
  /** The record that was stored last. */
  record: 2,
  /** The next bytes of the output. A payload is taken as it comes, in parts. */
  output: 3,
  /** Output was dropped: what comes next begins there (eight bytes). */
  gap: 4,
  /** At this place in the output the size was changed: columns and rows (two bytes each). */
  resized: 5,
  /** How much input the program has taken so far (eight bytes). */
  taken: 6,
  /** How it ended, as JSON, after all output. The last frame. */
  exit: 7,
} as const;

/** What a request asks for. */
export type Request =
  /** To be the one agent, and which programs there are. */
  | { readonly act: "own"; readonly pid: number }
  | { readonly act: "list" }
  | {
      readonly act: "spawn";
      readonly owner: string;
      readonly argv: readonly string[];
      readonly cwd: string;
      readonly env: Readonly<Record<string, string>>;
      readonly cols: number;
      readonly rows: number;
      /** By the system's clock in milliseconds: who asked has given up by then, and nothing may be started. */
      readonly until?: number;
    }
  | { readonly act: "attach"; readonly key: number }
  /** To end a program that nobody wants any more. */
  | { readonly act: "end"; readonly key: number }
  /** To end all programs and the PTY host. */
  | { readonly act: "end-all" };

/** A program that a PTY host holds. */
export interface HostedPty {
  readonly key: number;
  /** Whose it is, in the words of the agent that started it. */
  readonly owner: string;
  readonly pid: number;
  /** It was told to end; its output may still be there. */
  readonly ending?: boolean;
}

export type Reply =
  | { readonly ok: true; readonly held?: readonly HostedPty[]; readonly program?: Attached }
  | { readonly ok: false; readonly problem: string };

/** A program as whoever attaches finds it. */
export interface Attached extends HostedPty {
  /** Where the record was made, and the output begins that follows. */
  readonly from: number;
  /** Up to where its questions have been answered. */
  readonly answeredUpTo: number;
  /** How far the output has come by now. */
  readonly end: number;
  /** Input that it was given and that it has taken. */
  readonly given: number;
  readonly taken: number;
  readonly ended?: boolean;
}

/** A paste of sixteen megabytes comes in smaller frames, and a screen with its scrollback is below one. */
const FRAME_BYTES_MAX = 32 << 20;
const HEAD_BYTES = 5;

/** The other side does not keep to the protocol. */
export class ProtocolError extends Error {
  override readonly name = "ProtocolError";
}

export function frame(type: number, ...payload: readonly Uint8Array[]): Buffer {
  const bytes = payload.reduce((sum, { length }) => sum + length, 0);
  return Buffer.concat([frameHead(type, bytes), ...payload], HEAD_BYTES + bytes);
}

export function frameHead(type: number, bytes: number): Buffer {
  const made = Buffer.allocUnsafe(HEAD_BYTES);
  made.writeUInt32LE(bytes, 0);
  made[4] = type;
  return made;
}

export const jsonFrame = (type: number, value: unknown) => frame(type, Buffer.from(JSON.stringify(value)));

/** A place in a stream: exact up to 2^53 bytes. */
export function encodeOffset(offset: number): Buffer {
  const made = Buffer.allocUnsafe(8);
  made.writeDoubleLE(offset, 0);
  return made;
}

export function decodeOffset(payload: Buffer): number {
  const offset = payload.length >= 8 ? payload.readDoubleLE(0) : Number.NaN;
  if (!Number.isSafeInteger(offset) || offset < 0) throw new ProtocolError("this is no place");
  return offset;
}

/** Takes frames out of what a socket brings. */
export class FrameReader {
  readonly #handle: (type: number, payload: Buffer) => void;
  readonly #streamed: number;
  readonly #head = Buffer.alloc(HEAD_BYTES);
  #headBytes = 0;
  #left = 0;
  #parts: Uint8Array[] = [];

  /** @param streamed the type whose payloads are handed over in parts, as they come; 0 for none */
  constructor(handle: (type: number, payload: Buffer) => void, streamed = 0) {
    this.#handle = handle;
    this.#streamed = streamed;
  }

  /** @throws ProtocolError */
  push(bytes: Buffer): void {
    for (let at = 0; at < bytes.length; ) {
      if (this.#headBytes < HEAD_BYTES) {
        const part = bytes.subarray(at, at + HEAD_BYTES - this.#headBytes);
        this.#head.set(part, this.#headBytes);
        this.#headBytes += part.length;
        at += part.length;
        if (this.#headBytes < HEAD_BYTES) return;
        this.#left = this.#head.readUInt32LE(0);
        if (this.#left > FRAME_BYTES_MAX) throw new ProtocolError("a frame is too large");
        if (this.#left === 0) this.#done(Buffer.alloc(0));
        continue;
      }
      const part = bytes.subarray(at, at + this.#left);
      at += part.length;
      this.#left -= part.length;
      if (this.#head[4] === this.#streamed) {
        if (this.#left === 0) this.#headBytes = 0;
        this.#handle(this.#streamed, part);
        continue;
      }
      this.#parts.push(part);
      if (this.#left === 0) this.#done(this.#parts.length === 1 ? part : Buffer.concat(this.#parts));
    }
  }

  #done(payload: Buffer): void {
    this.#headBytes = 0;
    this.#parts = [];
    this.#handle(this.#head[4] ?? 0, payload);
  }
}
