/** One end of a tunnel. */
export interface TunnelEnd {
  /** Writes bytes. Returns whether more may be written now; if not, `drained` is called when it may. */
  write(bytes: Uint8Array): boolean;
  readonly isFlushed: boolean;
  pause(): void;
  resume(): void;
  /** Ends its outgoing side, after everything is sent. */
  end(): void;
  close(): void;
  terminate(): void;
}

interface Side {
  readonly end: TunnelEnd;
  /** Whether this side has ended its sending. */
  hasEnded: boolean;
  /** Whether this side knows that the other has ended. */
  knowsOtherEnded: boolean;
  isGone: boolean;
}

/** Passes bytes in both directions, with back-pressure. */
export class Tunnel {
  activeAt = performance.now();
  /** The number of bytes sent to the client. */
  bytes = 0;
  #isOver = false;
  readonly #client: Side;
  readonly #target: Side;

  /** @param over is called once, when everything is sent or the tunnel broke */
  constructor(
    client: TunnelEnd,
    target: TunnelEnd,
    private readonly over: () => void,
  ) {
    this.#client = { end: client, hasEnded: false, knowsOtherEnded: false, isGone: false };
    this.#target = { end: target, hasEnded: false, knowsOtherEnded: false, isGone: false };
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

  /** The client is gone; the bytes that it sent are still delivered. */
  clientClosed(isBroken: boolean): void {
    this.#closed(this.#client, this.#target, isBroken);
  }

  targetClosed(isBroken: boolean): void {
    this.#closed(this.#target, this.#client, isBroken);
  }

  /** Breaks the tunnel at once. */
  break(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#client.end.terminate();
    this.#target.end.terminate();
    this.over();
  }

  #pass(bytes: Uint8Array, from: Side, to: Side): void {
    this.activeAt = performance.now();
    if (this.#isOver || to.knowsOtherEnded) return;
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

  /** Ends one side when the other has ended and everything before that is sent. */
  #propagateEnd(side: Side): void {
    if (side.knowsOtherEnded || !side.end.isFlushed) return;
    side.knowsOtherEnded = true;
    side.end.end();
    if (this.#client.knowsOtherEnded && this.#target.knowsOtherEnded) this.#finish();
  }

  #closed(side: Side, left: Side, isBroken: boolean): void {
    if (this.#isOver) return;
    side.isGone = true;
    // A side that knew of the other's end and closes has ended too.
    if (!isBroken && side.knowsOtherEnded) side.hasEnded = true;
    // A broken side breaks the other.
    if (!side.hasEnded) this.break();
    else if (left.end.isFlushed) this.#finish();
  }

  #finish(): void {
    this.#isOver = true;
    for (const { end, isGone } of [this.#client, this.#target]) if (!isGone) end.close();
    this.over();
  }
}
