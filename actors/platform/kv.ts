import { Type } from "@sinclair/typebox";
import {
  DiscardPolicy,
  type JetStreamClient,
  type KV,
  NatsError,
  RetentionPolicy,
  StorageType,
  type StreamConfig,
} from "nats";
import { jsonOf, type Reader } from "../../schemas/received.ts";
import { kvSubject } from "../../schemas/subjects.ts";

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

/** Each actor host reads a bucket through a few consumers at a time; those of a dead actor host are removed within minutes. */
const CONSUMERS_MAX = 256;

/** JetStream's code for a stream that exists with other settings. */
const OTHER_SETTINGS = 10_058;

/**
 * Opens a KV bucket; creates it when it is missing. It is created as a stream, since the client's function for buckets cannot limit its
 * consumers.
 *
 * @param limits JetStream reserves `max_bytes` of them
 */
export async function openBucket(
  jetstream: JetStreamClient,
  name: string,
  limits: Partial<StreamConfig>,
): Promise<KV> {
  const manager = await jetstream.jetstreamManager(false);
  const stream = `KV_${name}`;
  try {
    await manager.streams.add({
      name: stream,
      subjects: [kvSubject(name, ">")],
      retention: RetentionPolicy.Limits,
      storage: StorageType.File,
      discard: DiscardPolicy.New,
      max_msgs_per_subject: 1,
      max_consumers: CONSUMERS_MAX,
      allow_direct: true,
      allow_rollup_hdrs: true,
      deny_delete: true,
      num_replicas: 1,
      ...limits,
    });
  } catch (error) {
    if (!(error instanceof NatsError) || error.api_error?.err_code !== OTHER_SETTINGS) throw error;
    // It has the limits of an earlier version. The limit of consumers cannot be changed afterwards.
    const { config } = await manager.streams.info(stream);
    await manager.streams.update(stream, { ...config, ...limits });
  }
  return jetstream.views.kv(name, { bindOnly: true });
}
