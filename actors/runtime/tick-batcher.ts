import type { Bus, Clock } from "./ports.ts";

/** Items in one message at most, and their size: a NATS message may hold a megabyte by default. */
const ITEMS_MAX = 256;
const BYTES_MAX = 768 * 1024;

/**
 * Gathers what is sent to the same place in one turn of the event loop into one message, a JSON array. An item on its
 * own leaves in the same turn too.
 */
export class TickBatcher {
  readonly #pending = new Map<string, string[]>();
  #scheduled = false;

  constructor(
    private readonly bus: Pick<Bus, "publish">,
    private readonly clock: Pick<Clock, "soon">,
  ) {}

  add(subject: string, item: object): void {
    const text = JSON.stringify(item);
    const items = this.#pending.get(subject);
    if (items === undefined) this.#pending.set(subject, [text]);
    else items.push(text);
    if (this.#scheduled) return;
    this.#scheduled = true;
    this.clock.soon(() => this.flush());
  }

  flush(): void {
    this.#scheduled = false;
    for (const [subject, items] of this.#pending) {
      for (const text of inMessages(items)) this.bus.publish(subject, text);
    }
    this.#pending.clear();
  }
}

/** Joins encoded items into JSON arrays of bounded size. */
export function* inMessages(items: readonly string[]): Generator<string> {
  let from = 0;
  let bytes = 0;
  for (let i = 0; i < items.length; i++) {
    bytes += (items[i] as string).length;
    if (i + 1 === items.length || i + 1 - from === ITEMS_MAX || bytes >= BYTES_MAX) {
      yield `[${items.slice(from, i + 1).join()}]`;
      from = i + 1;
      bytes = 0;
    }
  }
}
