import { Refusal } from "../../http1/refusal.ts";
import type { Limits } from "../limits.ts";
import type { Receiver, ReceiverEvents } from "./receiver.ts";
import { type Sender, type SenderEvents, STATUS_LINES } from "./sender.ts";
import { Transfer, type TransferOutcome } from "./transfer.ts";

const SPEED_MEMORY_MS = 2_000;

/** The events for watchers. */
export type PipeEvent = "waiting" | "streaming" | "progress" | "complete" | "failed";

export interface Snapshot {
  readonly event: PipeEvent;
  readonly data: Readonly<Record<string, string | number | boolean>>;
}

export interface PipeEvents {
  changed(snapshot: Snapshot): void;
  /** The last peer has left. */
  empty(): void;
}

/** The pipe of one path: the waiting peers, and the transfer once all have arrived (spec §3, "Pipe transfer"). */
export class Pipe implements SenderEvents, ReceiverEvents {
  #sender: Sender | undefined;
  readonly #receivers = new Set<Receiver>();
  #transfer: Transfer | undefined;
  /** The peers at the first time-out of a sweep, since peers that arrived together time out one after the other. */
  #timeout = { at: Number.NEGATIVE_INFINITY, hasSender: false, came: 0 };
  /** The last measurement, for computing the speed. */
  #seen = { bytes: 0, at: 0, bytesPerSecond: 0 };

  constructor(
    private readonly limits: Limits,
    private readonly events: PipeEvents,
  ) {}

  /** @throws Refusal 400 with the reason if a sender with this n cannot join */
  checkSender(n: number): void {
    if (this.#transfer !== undefined) throw new Refusal(400, "A transfer is under way on this path.");
    if (this.#sender !== undefined) throw new Refusal(400, "A sender is waiting on this path already.");
    const [receiver] = this.#receivers;
    if (receiver !== undefined && receiver.n !== n) throw mismatch(receiver.n, n);
  }

  /** @throws Refusal 400 with the reason if a receiver with this n cannot join */
  checkReceiver(n: number): void {
    const expected = this.#transfer?.sender.n ?? this.#sender?.n ?? [...this.#receivers][0]?.n;
    if (expected === undefined) return;
    if (expected !== n) throw mismatch(expected, n);
    if (this.#transfer !== undefined) throw new Refusal(400, "A transfer is under way on this path.");
    if (this.#receivers.size >= n) {
      throw new Refusal(400, `All ${n} receivers of n=${n} are here already; this would be number ${n + 1}.`);
    }
  }

  addSender(sender: Sender): void {
    this.#sender = sender;
    sender.events = this;
    sender.begin();
    this.#startWhenComplete();
    // Only now: if the receivers are there, they get a failure for a body that is invalid from its first byte.
    sender.source.read();
  }

  addReceiver(receiver: Receiver): void {
    this.#receivers.add(receiver);
    receiver.events = this;
    this.#startWhenComplete();
  }

  #startWhenComplete(): void {
    const sender = this.#sender;
    if (sender === undefined || this.#receivers.size < sender.n) {
      this.events.changed(this.snapshot());
      return;
    }
    const transfer = new Transfer(sender, this.#receivers, this.limits.senderIdleMs, (outcome) =>
      this.#onOutcome(outcome),
    );
    this.#transfer = transfer;
    this.#sender = undefined;
    this.#receivers.clear();
    this.#seen = { bytes: 0, at: performance.now(), bytesPerSecond: 0 };
    this.events.changed(this.snapshot());
    transfer.begin();
  }

  #onOutcome(outcome: TransferOutcome): void {
    const { bytes = 0, total } = this.#transfer ?? {};
    this.#transfer = undefined;
    const figures = { bytes, ...(total === undefined ? {} : { total }) };
    const data = outcome.kind === "complete" ? figures : { ...figures, reason: outcome.reason };
    this.events.changed({ event: outcome.kind, data });
    this.events.empty();
  }

  /** The present state. */
  snapshot(): Snapshot {
    const transfer = this.#transfer;
    if (transfer === undefined) {
      const n = this.#sender?.n ?? [...this.#receivers][0]?.n ?? 1;
      const data = { sender: this.#sender !== undefined, receivers: this.#receivers.size, n };
      return { event: "waiting", data };
    }
    const { bytes, total, receivers } = transfer;
    return { event: "streaming", data: { bytes, ...(total === undefined ? {} : { total }), receivers } };
  }

  /** The progress since the last call; undefined while nothing is streamed. */
  progress(now: number): Snapshot | undefined {
    if (this.#transfer === undefined) return undefined;
    const { bytes } = this.#transfer;
    const seen = this.#seen;
    const elapsedMs = Math.max(1, now - seen.at);
    const latest = ((bytes - seen.bytes) / elapsedMs) * 1_000;
    // Clients send and receive in bursts, so the speed is an exponential moving average.
    const weight = seen.bytes === 0 ? 1 : 1 - Math.exp(-elapsedMs / SPEED_MEMORY_MS);
    const rate = seen.bytesPerSecond + (latest - seen.bytesPerSecond) * weight;
    this.#seen = { bytes, at: now, bytesPerSecond: rate };
    return { event: "progress", data: { ...this.snapshot().data, bytes_per_second: Math.round(rate) } };
  }

  // -- while it waits

  onPeerLeft(peer: Sender | Receiver): void {
    if (peer === this.#sender) this.#sender = undefined;
    else this.#receivers.delete(peer as Receiver);
    this.events.changed(this.snapshot());
    if (this.#sender === undefined && this.#receivers.size === 0) this.events.empty();
  }

  broken(sender: Sender): void {
    this.onPeerLeft(sender);
    sender.end(STATUS_LINES.failed);
  }

  checkTimeouts(peer: Sender | Receiver, now: number): void {
    const timedOut = now - peer.since >= this.limits.waitMs;
    if (peer === this.#sender) {
      if (timedOut) {
        this.#presentAt(now);
        this.onPeerLeft(peer);
        peer.end(STATUS_LINES.timedOut);
      } else if (peer.isSilent) peer.probe();
    } else if (timedOut && this.#receivers.has(peer as Receiver)) {
      const missing = this.#missing(peer.n, now);
      this.onPeerLeft(peer);
      (peer as Receiver).refuse(new Refusal(504, `Timed out waiting for ${missing}.`));
    }
  }

  /** The missing peers, for a receiver whose wait timed out. */
  #missing(n: number, now: number): string {
    const { hasSender, came } = this.#presentAt(now);
    const receivers = `${n - came} more receiver(s): ${came} of ${n} were there`;
    if (hasSender) return receivers;
    return came < n ? `a sender and ${receivers}` : "a sender";
  }

  #presentAt(now: number) {
    if (this.#timeout.at !== now) {
      this.#timeout = { at: now, hasSender: this.#sender !== undefined, came: this.#receivers.size };
    }
    return this.#timeout;
  }

  drained(): void {}
  finished(): void {}
}

const mismatch = (there: number, asked: number): Refusal =>
  new Refusal(
    400,
    `The number of receivers does not match: this path has n=${there}, this request n=${asked}.`,
  );
