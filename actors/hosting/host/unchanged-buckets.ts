import type { JetStreamClient } from "nats";
import { BoundedMap } from "../../../system/bounded-map.ts";

/** Readings that are kept, and the size of one. What exceeds them is read again each time, as large buckets are. */
const KEPT_MAX = 256;
const ENTRIES_MAX = 500;
const CHARS_MAX = 64 * 1024;

interface Reading {
  /** The state of the bucket before it was read. */
  readonly state: string;
  readonly entries: ReadonlyMap<string, number | string>;
}

/**
 * What was read of buckets, for as long as nobody changes them. Reading takes a consumer at NATS, and asking whether a bucket has changed
 * takes one message.
 */
export class UnchangedBuckets {
  readonly #kept = new BoundedMap<string, Reading>(KEPT_MAX);

  constructor(private readonly jetstream: JetStreamClient) {}

  /**
   * @param what names the reading among those of this bucket
   * @param read reads it, where it has changed since the last reading
   */
  async read<T extends number | string>(
    bucketName: string,
    what: string,
    read: () => Promise<ReadonlyMap<string, T>>,
  ): Promise<ReadonlyMap<string, T>> {
    const key = `${bucketName} ${what}`;
    const state = await this.#stateOf(bucketName);
    const kept = this.#kept.get(key);
    if (kept?.state === state) return kept.entries as ReadonlyMap<string, T>;
    const entries = await read();
    if (isSmall(entries)) this.#kept.set(key, { state, entries });
    else this.#kept.delete(key);
    return entries;
  }

  /** Each write gets a higher sequence number, and what is removed without one reduces the number of messages. */
  async #stateOf(bucketName: string): Promise<string> {
    const manager = await this.jetstream.jetstreamManager(false);
    const { created, state } = await manager.streams.info(`KV_${bucketName}`);
    return `${created} ${state.last_seq} ${state.last_ts} ${state.messages}`;
  }
}

function isSmall(entries: ReadonlyMap<string, number | string>): boolean {
  if (entries.size > ENTRIES_MAX) return false;
  let chars = 0;
  for (const [key, value] of entries) chars += key.length + String(value).length;
  return chars <= CHARS_MAX;
}
