import { Refusal } from "../../http1/refusal.ts";
import { Chunk } from "../../http1/response.ts";
import type { Announcement } from "../headers/forwarded.ts";
import type { Receiver, ReceiverEvents } from "./receiver.ts";
import { type Sender, STATUS_LINES } from "./sender.ts";
import type { Sink } from "./source.ts";

export type TransferOutcome =
  | { readonly kind: "complete" }
  | { readonly kind: "failed"; readonly reason: string };

/**
 * Transfers a sender's bytes to all receivers in lockstep: a chunk goes to every receiver before the next is read, so
 * the slowest receiver sets the pace, and at most one chunk is buffered.
 */
export class Transfer implements Sink, ReceiverEvents {
  bytes = 0;
  readonly #receivers: Set<Receiver>;
  /** Receivers that have not accepted the last chunk yet. */
  readonly #backlogged = new Set<Receiver>();
  #announced: Announcement | undefined;
  #started = false;
  #uploaded = false;
  #served = 0;
  #over = false;

  constructor(
    readonly sender: Sender,
    receivers: Iterable<Receiver>,
    private readonly senderIdleMs: number,
    private readonly ended: (outcome: TransferOutcome) => void,
  ) {
    this.#receivers = new Set(receivers);
  }

  get total(): number | undefined {
    return this.sender.source.total;
  }

  get receivers(): number {
    return this.#receivers.size;
  }

  begin(): void {
    for (const receiver of this.#receivers) receiver.events = this;
    this.sender.events = {
      onPeerLeft: () => this.#senderLeft(),
      // The sender has sent everything, so a broken body no longer matters.
      broken: () => {},
      checkTimeouts: (_, now) => this.#swept(now),
    };
    this.sender.writeLine(STATUS_LINES.streaming(this.#receivers.size));
    this.sender.source.open(this);
  }

  // -- from the sender

  announced(announcement: Announcement): void {
    this.#announced = announcement;
  }

  data(bytes: Buffer): void {
    if (this.#over) return;
    this.#start();
    this.bytes += bytes.length;
    const chunk = new Chunk(bytes);
    for (const receiver of this.#receivers) if (!receiver.write(chunk)) this.#backlogged.add(receiver);
    if (this.#backlogged.size > 0) this.sender.source.pause();
  }

  end(): void {
    if (this.#over) return;
    this.#uploaded = true;
    this.sender.writeLine(STATUS_LINES.uploaded);
    this.#start();
    for (const receiver of [...this.#receivers]) receiver.end();
  }

  fail(reason: string): void {
    if (this.#over) return;
    this.#end({ kind: "failed", reason });
    this.sender.end(STATUS_LINES.failed);
    this.#failReceivers(reason);
  }

  /**
   * Sends the receivers' headers. They wait for the first byte, so that an earlier failure can still get an error
   * status.
   */
  #start(): void {
    if (this.#started || this.#announced === undefined) return;
    this.#started = true;
    for (const receiver of this.#receivers) receiver.start(this.#announced);
  }

  #senderLeft(): void {
    // Everything was sent, so the receivers still get all of it.
    if (this.#over || this.#uploaded) return;
    const reason = "the sender disconnected";
    this.#end({ kind: "failed", reason });
    this.#failReceivers(reason);
  }

  #failReceivers(reason: string): void {
    const refusal = new Refusal(500, `Transfer failed: ${reason}.`);
    for (const receiver of [...this.#receivers]) receiver.fail(refusal);
  }

  #swept(now: number): void {
    if (!this.#uploaded && this.sender.source.idleMs(now) > this.senderIdleMs)
      this.fail("the sender fell silent");
  }

  // -- from the receivers

  drained(receiver: Receiver): void {
    if (!this.#backlogged.delete(receiver) || this.#backlogged.size > 0) return;
    if (!this.#over && !this.#uploaded) this.sender.source.resume();
  }

  finished(receiver: Receiver): void {
    this.#receivers.delete(receiver);
    this.#backlogged.delete(receiver);
    this.#served += 1;
    if (!this.#over && this.#receivers.size === 0) this.#complete();
  }

  onPeerLeft(receiver: Receiver): void {
    if (!this.#receivers.delete(receiver) || this.#over) return;
    if (this.#receivers.size > 0 || this.#served > 0) this.sender.writeLine(STATUS_LINES.receiverLeft);
    if (this.#receivers.size > 0) this.drained(receiver);
    else if (this.#served > 0) this.#complete();
    else {
      this.#end({ kind: "failed", reason: "all receivers disconnected" });
      this.sender.end(STATUS_LINES.allLeft);
    }
  }

  checkTimeouts(): void {}

  #complete(): void {
    this.#end({ kind: "complete" });
    this.sender.end(STATUS_LINES.complete);
  }

  #end(outcome: TransferOutcome): void {
    this.#over = true;
    this.ended(outcome);
  }
}
