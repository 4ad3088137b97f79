/**
 * The protocol between an agent and its PTY host on a Unix socket. A frame has a length (four bytes, of the payload),
 * a type and a payload. Numbers are little-endian. A connection begins with a request and its reply, both JSON. After
 * that it serves either further requests of the agent, or one program.
 *
 * An agent may be newer than the PTY host that it finds: fields and requests may be added. What must change otherwise
 * gets a new number, which is in the socket's name; see docs/decisions/0029-terminal-pty-host.md.
 */
export const PROTOCOL = 1;

/** Frames from an agent. */
export const RequestFrame = {
  request: 1,
  /** Begin to send the output: the agent is ready. */
  begin: 2,
  /**
   * The agent's offset in the output (eight bytes), and input for the program. Queries before that offset have their
   * replies.
   */
  input: 3,
  /**
   * The agent's offset in the output (eight bytes), columns and rows (two bytes each): the size changes at that
   * offset.
   */
  resize: 4,
  /** The agent's offset in the output (eight bytes), and a record of the session at that offset. */
  store: 5,
  /** Processes (four bytes each) that must not outlive the PTY host. */
  guard: 6,
  hangUp: 7,
  kill: 8,
  /** The agent has seen the program's end: it may be dropped. */
  release: 9,
} as const;

/** Frames from a PTY host. */
export const EventFrame = {
  reply: 1,
  /** The last stored record. */
  record: 2,
  /** The next bytes of the output. A payload is processed in parts, as it arrives. */
  output: 3,
  /** Output was dropped: it continues at this offset (eight bytes). */
  gap: 4,
  /** The size changed at this offset of the output: columns and rows (two bytes each). */
  resized: 5,
  /** How much input the program has read so far (eight bytes). */
  taken: 6,
  /** The exit status as JSON, after all output. The last frame. */
  exit: 7,
} as const;

/** A request to the PTY host. */
export type Request =
  /** To become the only agent; replies with the list of programs. */
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
      /**
       * The deadline, by the system's clock in milliseconds: after that the agent has given up, and nothing may be
       * started.
       */
      readonly until?: number;
    }
  | { readonly act: "attach"; readonly key: number }
  /** To end a program. */
  | { readonly act: "end"; readonly key: number }
  /** To end all programs and the PTY host. */
  | { readonly act: "end-all" };

/** A program that a PTY host holds. */
export interface HostedPty {
  readonly key: number;
  /** The owner, as named by the agent that started it. */
  readonly owner: string;
  readonly pid: number;
  /** Whether it was told to end; its output may still exist. */
  readonly ending?: boolean;
}

export type Reply =
  | { readonly ok: true; readonly held?: readonly HostedPty[]; readonly program?: Attached }
  | { readonly ok: false; readonly problem: string };

/** The state of a program when an agent attaches to it. */
export interface Attached extends HostedPty {
  /** The offset of the record, at which the following output begins. */
  readonly from: number;
  /** The offset up to which its queries have their replies. */
  readonly answeredUpTo: number;
  /** The present length of the output. */
  readonly end: number;
  /** Input that was written to it, and that it has read. */
  readonly given: number;
  readonly taken: number;
  readonly ended?: boolean;
}

/** The largest frame. Large pastes are split into smaller frames, and a screen with its scrollback is smaller. */
const FRAME_BYTES_MAX = 32 << 20;
const HEAD_BYTES = 5;

/** The other side violates the protocol. */
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

/** Encodes an offset in a stream, exact up to 2^53 bytes. */
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

/** Parses frames from the bytes of a socket. */
export class FrameReader {
  readonly #handle: (type: number, payload: Buffer) => void;
  readonly #streamed: number;
  readonly #head = Buffer.alloc(HEAD_BYTES);
  #headBytes = 0;
  #left = 0;
  #parts: Uint8Array[] = [];

  /** @param streamed the type whose payloads are passed on in parts, as they arrive; 0 for none */
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
