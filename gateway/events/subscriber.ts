import type { EventRecord } from "../../schemas/events.ts";
import { eventFrame } from "../../system/server-sent-events.ts";

/**
 * Buffered text of one subscriber. A client that reads more slowly than events arrive is disconnected, and may
 * connect again.
 */
const WAITING_CHARACTERS_MAX = 1_000_000;
/** Missed events are sent in pieces of about this size, as the client reads. */
const PIECE_CHARACTERS = 64_000;
/** Events that wait while the log is read for a subscriber that resumes. */
const HELD_MAX = 1_000;

/** One event stream of a client, with a buffer of what the client has not read yet. */
export class Subscriber {
  /** Text that was buffered when the missed events were read; it is sent before them. */
  #preamble = "";
  /**
   * Missed events, sent before the buffered text. The read of the log bounds their number, so they do not count as
   * buffered.
   */
  #missed: EventRecord[] = [];
  #waiting: string[] = [];
  #characters = 0;
  #ended = false;
  #wake: (() => void) | undefined;
  /** Events that happen while the missed ones are read; they are sent after those. */
  #held: EventRecord[] | undefined;

  constructor(
    readonly userId: string,
    private readonly realmId: string | undefined,
    /** Rejects when the credential is no longer valid. */
    readonly isStillAuthorized: () => Promise<void>,
    private readonly onEnd: () => void,
  ) {}

  get ended(): boolean {
    return this.#ended;
  }

  /** Whether the credential reaches an event that its user may read. */
  matches(event: EventRecord): boolean {
    return this.realmId === undefined || event.realm_id === this.realmId;
  }

  /** Adds text to the stream. Past the limit the stream ends. */
  write(text: string): void {
    if (this.#ended) return;
    this.#waiting.push(text);
    this.#characters += text.length;
    if (this.#characters > WAITING_CHARACTERS_MAX) {
      this.#waiting = [];
      this.end();
    }
    this.#wake?.();
  }

  push(event: EventRecord): void {
    if (this.#held === undefined) this.write(textOf(event));
    else if (this.#held.push(event) > HELD_MAX) this.end();
  }

  /** Keeps events back until `release`. */
  hold(): void {
    this.#held = [];
  }

  /** Sends the missed events, then the events that were held back, each of them once. */
  release(missed: readonly EventRecord[]): void {
    const sentIds = new Set(missed.map(({ id }) => id));
    const held = this.#held?.filter(({ id }) => !sentIds.has(id)) ?? [];
    this.#held = undefined;
    this.#preamble = this.#takeBuffered();
    this.#missed = [...missed];
    for (const event of held) this.write(textOf(event));
    this.#wake?.();
  }

  end(): void {
    if (!this.#ended) this.onEnd();
    this.#ended = true;
    this.#wake?.();
  }

  /** Waits for text to send; undefined after the end. */
  async next(): Promise<string | undefined> {
    const piece = this.#takeMissed();
    if (piece !== "") return piece;
    while (this.#waiting.length === 0) {
      if (this.#ended) return undefined;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    return this.#takeBuffered();
  }

  #takeBuffered(): string {
    const text = this.#waiting.join("");
    this.#waiting = [];
    this.#characters = 0;
    return text;
  }

  #takeMissed(): string {
    let text = this.#preamble;
    this.#preamble = "";
    let n = 0;
    for (; n < this.#missed.length && text.length < PIECE_CHARACTERS; n++) {
      text += textOf(this.#missed[n] as EventRecord);
    }
    this.#missed = this.#missed.slice(n);
    return text;
  }
}

const textOf = (event: EventRecord) =>
  eventFrame({ event: event.event_type, id: event.id, data: JSON.stringify(event) });
