import type { KV } from "nats";
import { BoundedMap } from "../../../system/bounded-map.ts";
import { isWrongSequence, PUT_TRIES_MAX, revisionOf } from "../../platform/kv.ts";

/** About 100 bytes each. Of a document whose place is not remembered, the place is read first. */
const PLACES_MAX = 20_000;

interface Place {
  /** The revision of the document in the bucket; 0: none that can be read. */
  readonly revision: number;
  /** The sequence number of what was last written under its key; 0: nothing was. */
  readonly sequence: number;
}

/**
 * Writes documents into buckets, each only where the bucket has an older one. It remembers what it wrote under a key, so that the next
 * revision needs no reading: the bucket refuses a document after something else than what was written last.
 */
export class DocumentWriter {
  readonly #places = new BoundedMap<string, Place>(PLACES_MAX);

  /** @param bucketName of the bucket, which may be a new one by this name */
  async put(bucketName: string, bucket: KV, key: string, doc: { readonly revision: number }): Promise<void> {
    const name = `${bucketName} ${key}`;
    const remembered = this.#places.get(name);
    this.#places.delete(name);
    // Only a newer document is written on the strength of what is remembered: the bucket may be without the older one by now.
    let place = remembered !== undefined && remembered.revision < doc.revision ? remembered : undefined;
    for (let tries = 0; tries < PUT_TRIES_MAX; tries++) {
      place ??= await placeOf(bucket, key);
      if (place.revision >= doc.revision) return;
      try {
        const sequence = await bucket.put(key, JSON.stringify(doc), { previousSeq: place.sequence });
        this.#places.set(name, { revision: doc.revision, sequence });
        return;
      } catch (error) {
        if (!isWrongSequence(error)) throw error;
        place = undefined;
      }
    }
    throw new Error(`${key} of ${bucketName} could not be written against so many other writers`);
  }
}

async function placeOf(bucket: KV, key: string): Promise<Place> {
  const entry = await bucket.get(key);
  const revision = entry?.operation === "PUT" ? revisionOf(entry.string()) : 0;
  return { revision, sequence: entry?.revision ?? 0 };
}
