import type { Bus, Clock } from "../ports.ts";

/** Items in one message at most, and their size: a NATS message may hold a megabyte by default. */
const ITEMS_MAX = 256;
const BYTES_MAX = 768 * 1024;
/** One item at most: with its brackets it is a message that any server takes. */
export const ITEM_BYTES_MAX = 1_000_000;

/**
 * Gathers what is sent to the same place in one turn of the event loop into one message, a JSON array. An item on its
 * own leaves in the same turn too.
 */
export class TickBatcher<Item extends object> {
  readonly #pending = new Map<string, string[]>();
  #scheduled = false;

  constructor(
    private readonly bus: Pick<Bus, "publish">,
    private readonly clock: Pick<Clock, "soon">,
    /** What is sent in place of an item that is larger than a message may be. */
    private readonly instead: (item: Item) => Item,
  ) {}

  add(subject: string, item: Item): void {
    const encoded = JSON.stringify(item);
    const text = isTooLarge(encoded) ? JSON.stringify(this.instead(item)) : encoded;
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

/** Joins encoded items into JSON arrays of bounded size. An item that is larger goes alone. */
export function* inMessages(items: readonly string[]): Generator<string> {
  let from = 0;
  let bytes = 0;
  for (let i = 0; i < items.length; i++) {
    const size = Buffer.byteLength(items[i] as string) + 1;
    if (i > from && (i - from === ITEMS_MAX || bytes + size > BYTES_MAX)) {
      yield `[${items.slice(from, i).join()}]`;
      from = i;
      bytes = 0;
    }
    bytes += size;
  }
  if (from < items.length) yield `[${items.slice(from).join()}]`;
}

/** Whether an encoded item is larger than a message may be. */
export const isTooLarge = (item: string): boolean =>
  item.length > ITEM_BYTES_MAX / 3 && Buffer.byteLength(item) > ITEM_BYTES_MAX;
