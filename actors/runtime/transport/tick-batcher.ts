import type { Bus, Clock } from "../ports.ts";

/** The items of one message, and their total size: by default a NATS message may hold a megabyte. */
const ITEMS_MAX = 256;
const BYTES_MAX = 768 * 1024;
/** The size of one item: with its brackets it fits into a message of any server. */
export const ITEM_BYTES_MAX = 1_000_000;

/**
 * Collects the items that are sent to the same subject in one turn of the event loop into one message, a JSON array.
 * A single item is sent in the same turn too.
 */
export class TickBatcher<Item extends object> {
  readonly #pending = new Map<string, string[]>();
  #scheduled = false;

  constructor(
    private readonly bus: Pick<Bus, "publish">,
    private readonly clock: Pick<Clock, "soon">,
    /** Makes the item that is sent instead of one that is too large. */
    private readonly replaceTooLarge: (item: Item) => Item,
  ) {}

  add(subject: string, item: Item): void {
    const encoded = JSON.stringify(item);
    const text = isTooLarge(encoded) ? JSON.stringify(this.replaceTooLarge(item)) : encoded;
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

/** Joins encoded items into JSON arrays of bounded size. A larger item forms a message of its own. */
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

/** Whether an encoded item is too large for a message. */
export const isTooLarge = (item: string): boolean =>
  item.length > ITEM_BYTES_MAX / 3 && Buffer.byteLength(item) > ITEM_BYTES_MAX;
