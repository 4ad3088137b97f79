import type { ServerMessage, Size } from "./protocol.ts";

/** Output on its way to a client. As much as a page shows in a tenth of a second; past it, what is newer is better. */
export const WINDOW_BYTES = 1 << 20;
/** A client that fell behind gets output again when it has shown nearly all that it was sent. */
const RESUME_BYTES = WINDOW_BYTES >> 3;
/**
 * A client that keeps up gets so much at once, however fast it comes: what most programs ever write. Past that a flood comes at a pace
 * above what anybody could follow, and snapshots for the rest: sending all of it would slow the program down, and other sessions.
 */
export const BURST_BYTES = 8 << 20;
export const BYTES_PER_SECOND = 4 << 20;
/** Making a snapshot takes time from everybody: it gets a twenty-fifth of it at most, sixteen times a second. */
const RESYNC_PART = 25;
const RESYNC_MS_MIN = 60;

/** The connection to a client. */
export interface ViewerSocket {
  /** Bytes that the connection holds because the network does not take them. */
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
 * One viewer of a session. It gets a snapshot and then every byte; if it cannot keep up, bytes are left out and a fresh
 * snapshot makes up for them, so that nothing queues.
 */
export class Viewer {
  /** The size of its window; null for one that only watches, which has no say in it. */
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

  /** Call when the session has new output, after its screen has taken it in. */
  output(bytes: Uint8Array): void {
    if (this.#isBehind) {
      this.resync();
      return;
    }
    const isMuch = this.#underway + bytes.length > WINDOW_BYTES || this.socket.buffered > WINDOW_BYTES;
    if (isMuch || bytes.length > this.#allowed()) {
      this.#isBehind = true;
      // One that has acknowledged everything will not be heard of again.
      this.resync();
      return;
    }
    this.#allowance -= bytes.length;
    this.#send(bytes);
  }

  /** The screen takes another size, between two pieces of output. */
  resized(size: Size): void {
    if (!this.#isBehind) this.socket.sendMessage({ type: "size", ...size });
  }

  acked(bytes: number): void {
    if (bytes <= this.#acked || bytes > this.#sent) return;
    this.#acked = bytes;
    this.resync();
  }

  /** Sends a snapshot to a client that is behind, once it has room for it. */
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

  /** The last chance to see the end of the output: room or not. */
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
