import type { ServerMessage, Size } from "./protocol.ts";

/**
 * The limit of output on its way to a client: as much as a page shows in a tenth of a second. Beyond it, newer output
 * is more useful.
 */
export const WINDOW_BYTES = 1 << 20;
/** A client that fell behind gets output again when it has acknowledged nearly all that was sent. */
const RESUME_BYTES = WINDOW_BYTES >> 3;
/**
 * A client that keeps up gets this much output in full, however fast it arrives: most programs never write more.
 * Beyond that, continuous output is sent at a limited rate, still faster than anybody could read, with snapshots in
 * place of the rest: sending all of it would slow down the program and other sessions.
 */
export const BURST_BYTES = 8 << 20;
export const BYTES_PER_SECOND = 4 << 20;
/**
 * Snapshots delay all sessions, so they may use at most a twenty-fifth of the time, and are made at most sixteen
 * times a second.
 */
const RESYNC_PART = 25;
const RESYNC_MS_MIN = 60;

/** The connection to a client. */
export interface ViewerSocket {
  /** Bytes buffered because the network has not accepted them yet. */
  readonly buffered: number;
  sendBytes(bytes: Uint8Array): void;
  sendMessage(message: ServerMessage): void;
  close(code: number, reason: string): void;
}

/** What a client needs of its session. */
export interface SnapshotSource {
  readonly size: Size;
  /** Null while no snapshot can be made. */
  snapshot(): Uint8Array | null;
}

/**
 * One viewer of a session. It gets a snapshot and then all output; if it cannot keep up, output is skipped and
 * replaced by a new snapshot, so that no queue grows.
 */
export class Viewer {
  /** The size of its window; null for one that only watches, whose size does not count. */
  size: Size | null;
  readonly isReadonly: boolean;
  readonly socket: ViewerSocket;
  readonly #source: SnapshotSource;
  readonly #now: () => number;
  #sent = 0;
  #acked = 0;
  #isBehind = true;
  #allowance = BURST_BYTES;
  #allowedAt: number;
  #nextResyncAt = 0;
  #timer: Timer | undefined;

  /** @param now in milliseconds */
  constructor(
    socket: ViewerSocket,
    source: SnapshotSource,
    options: { readonly: boolean; size: Size },
    now = () => performance.now(),
  ) {
    this.socket = socket;
    this.#now = now;
    this.#allowedAt = now();
    this.#source = source;
    this.isReadonly = options.readonly;
    this.size = options.readonly ? null : options.size;
  }

  /** Call when the session has new output, after its screen has parsed it. */
  output(bytes: Uint8Array): void {
    if (this.#isBehind) {
      this.resync();
      return;
    }
    const isMuch = this.#underway + bytes.length > WINDOW_BYTES || this.socket.buffered > WINDOW_BYTES;
    if (isMuch || bytes.length > this.#allowed()) {
      this.#isBehind = true;
      // A client that has acknowledged everything sends no further acknowledgement that would cause this.
      this.resync();
      return;
    }
    this.#allowance -= bytes.length;
    this.#send(bytes);
  }

  /** Call when the screen's size changes, between two chunks of output. */
  resized(size: Size): void {
    if (!this.#isBehind) this.socket.sendMessage({ type: "size", ...size });
  }

  acked(bytes: number): void {
    if (bytes <= this.#acked || bytes > this.#sent) return;
    this.#acked = bytes;
    this.resync();
  }

  /** Sends a snapshot to a client that is behind, if its connection can accept it. */
  resync(): void {
    if (!this.#isBehind || this.#underway > RESUME_BYTES || this.socket.buffered > RESUME_BYTES) return;
    const startedAt = this.#now();
    const wait = this.#nextResyncAt - startedAt;
    if (wait > 0) {
      this.#timer ??= setTimeout(() => {
        this.#timer = undefined;
        this.resync();
      }, wait);
      return;
    }
    const snapshot = this.#source.snapshot();
    if (snapshot === null) return;
    this.#isBehind = false;
    this.socket.sendMessage({ type: "snapshot", ...this.#source.size });
    this.#send(snapshot);
    const took = this.#now() - startedAt;
    this.#nextResyncAt = startedAt + Math.max(took * RESYNC_PART, RESYNC_MS_MIN);
  }

  /** Sends the end of the output even if the connection's buffer is full, since nothing follows. */
  finish(): void {
    clearTimeout(this.#timer);
    if (!this.#isBehind) return;
    const snapshot = this.#source.snapshot();
    if (snapshot === null) return;
    this.socket.sendMessage({ type: "snapshot", ...this.#source.size });
    this.#send(snapshot);
  }

  stop(): void {
    clearTimeout(this.#timer);
  }

  #allowed(): number {
    const now = this.#now();
    const more = ((now - this.#allowedAt) / 1000) * BYTES_PER_SECOND;
    this.#allowedAt = now;
    this.#allowance = Math.min(this.#allowance + more, BURST_BYTES);
    return this.#allowance;
  }

  get #underway(): number {
    return this.#sent - this.#acked;
  }

  #send(bytes: Uint8Array): void {
    this.#sent += bytes.length;
    this.socket.sendBytes(bytes);
  }
}
