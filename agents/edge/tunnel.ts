/** One end of a tunnel. */
export interface TunnelEnd {
  /** Returns whether more may be written now; if not, the owner calls `drained` when it may. */
  write(bytes: Uint8Array): boolean;
  readonly isFlushed: boolean;
  pause(): void;
  resume(): void;
  /** Ends its outgoing side; what was written has left. */
  end(): void;
  close(): void;
  terminate(): void;
}

interface Side {
  readonly end: TunnelEnd;
  /** It has ended what it sends. */
  hasEnded: boolean;
  /** It was told that the other has ended. */
  wasTold: boolean;
  isGone: boolean;
}

/** Bytes in both directions, as they come, each held back while the other does not take them. */
export class Tunnel {
  activeAt = performance.now();
  /** Bytes to the client. */
  bytes = 0;
  #isOver = false;
  readonly #client: Side;
  readonly #target: Side;

  /** @param over is called once, when the last of it has left or it broke */
  constructor(
    client: TunnelEnd,
    target: TunnelEnd,
    private readonly over: () => void,
  ) {
    this.#client = { end: client, hasEnded: false, wasTold: false, isGone: false };
    this.#target = { end: target, hasEnded: false, wasTold: false, isGone: false };
  }

  fromClient(bytes: Uint8Array): void {
    this.#pass(bytes, this.#client, this.#target);
  }

  fromTarget(bytes: Uint8Array): void {
    this.bytes += bytes.length;
    this.#pass(bytes, this.#target, this.#client);
  }

  clientDrained(): void {
    this.#drained(this.#client, this.#target);
  }

  targetDrained(): void {
    this.#drained(this.#target, this.#client);
  }

  clientEnded(): void {
    this.#ended(this.#client, this.#target);
  }

  targetEnded(): void {
    this.#ended(this.#target, this.#client);
  }

  /** The client is gone: what it sent still arrives. */
  clientClosed(isBroken: boolean): void {
    this.#closed(this.#client, this.#target, isBroken);
  }

  targetClosed(isBroken: boolean): void {
    this.#closed(this.#target, this.#client, isBroken);
  }

  /** Ends it at once. */
  break(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#client.end.terminate();
    this.#target.end.terminate();
    this.over();
  }

  #pass(bytes: Uint8Array, from: Side, to: Side): void {
    this.activeAt = performance.now();
    if (this.#isOver || to.wasTold) return;
    if (!to.end.write(bytes)) from.end.pause();
  }

  #drained(side: Side, other: Side): void {
    this.activeAt = performance.now();
    if (this.#isOver) return;
    if (other.isGone && side.end.isFlushed) {
      this.#finish();
      return;
    }
    other.end.resume();
    if (other.hasEnded) this.#propagateEnd(side);
  }

  #ended(side: Side, other: Side): void {
    if (this.#isOver) return;
    side.hasEnded = true;
    this.#propagateEnd(other);
  }

  /** Says that the other end has ended, once everything before that has left. */
  #propagateEnd(side: Side): void {
    if (side.wasTold || !side.end.isFlushed) return;
    side.wasTold = true;
    side.end.end();
    if (this.#client.wasTold && this.#target.wasTold) this.#finish();
  }

  #closed(side: Side, left: Side, isBroken: boolean): void {
    if (this.#isOver) return;
    side.isGone = true;
    // Who was told of an end and closes has ended too, without a word about it.
    if (!isBroken && side.wasTold) side.hasEnded = true;
    // An end that broke is passed on as broken.
    if (!side.hasEnded) this.break();
    else if (left.end.isFlushed) this.#finish();
  }

  #finish(): void {
    this.#isOver = true;
    for (const { end, isGone } of [this.#client, this.#target]) if (!isGone) end.close();
    this.over();
  }
}
