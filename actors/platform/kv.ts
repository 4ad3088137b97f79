import { Type } from "@sinclair/typebox";
import type { KV } from "nats";
import { jsonOf, type Reader } from "../../schemas/received.ts";

/**
 * A write that loses against a concurrent one reads again, up to this often: at each loss another writer has made
 * progress.
 */
export const PUT_TRIES_MAX = 20;

/** JetStream's code for a put whose expected last sequence was not met. */
const WRONG_LAST_SEQUENCE = 10_071;

export const isWrongSequence = (error: unknown): boolean =>
  (error as { api_error?: { err_code?: number } }).api_error?.err_code === WRONG_LAST_SEQUENCE;

/** The values of a bucket whose keys match a pattern. Unreadable values are left out. */
export async function entries<T>(bucket: KV, read: Reader<T>, key = ">"): Promise<Map<string, T>> {
  const found = new Map<string, T>();
  const complete = Promise.withResolvers<void>();
  const watch = await bucket.watch({ key, initializedFn: complete.resolve });
  void complete.promise.then(() => watch.stop());
  for await (const entry of watch) {
    if (entry.operation !== "PUT") continue;
    const received = read(entry.string());
    if ("value" in received) found.set(entry.key, received.value);
  }
  return found;
}

/** Tombstones that are purged at once: each takes a request. */
const TOMBSTONES_AT_ONCE_MAX = 1_000;

/** Keys that were deleted before a time and whose tombstones still exist. */
export async function deletedBefore(bucket: KV, time: Date): Promise<string[]> {
  const found: string[] = [];
  const complete = Promise.withResolvers<void>();
  const watch = await bucket.watch({ key: "alias.*", initializedFn: complete.resolve });
  void complete.promise.then(() => watch.stop());
  for await (const { operation, created, key } of watch) {
    if (operation !== "PUT" && created < time) found.push(key);
  }
  return found.slice(0, TOMBSTONES_AT_ONCE_MAX);
}

/** Documents of a bucket may have any size that the bucket takes. */
const DOCUMENT_LENGTH_MAX = 4 * 1024 * 1024;
const readDocument = jsonOf(Type.Object({ revision: Type.Integer() }), DOCUMENT_LENGTH_MAX);

/** The revision of a document of desired state; 0 for anything else, so that any document replaces it. */
export function revisionOf(text: string): number {
  const received = readDocument(text);
  return "value" in received ? received.value.revision : 0;
}

export const readRevision: Reader<number> = (text) => ({ value: revisionOf(text) });
