import { Type } from "@sinclair/typebox";
import { DiscardPolicy, type JetStreamClient, type KV, nanos } from "nats";
import type { Logger } from "pino";
import { isWrongSequence, openBucket } from "../../actors/platform/kv.ts";
import { jsonOf } from "../../schemas/received.ts";
import { KEPT_REPLIES_BUCKET, kvSubject } from "../../schemas/subjects.ts";

/** Longer than any program repeats a request by itself, and long enough for a person who looks at a failed job after a weekend. */
const KEPT_DAYS = 7;
const DAY_MS = 24 * 60 * 60 * 1000;
/** A reply has about 1 KiB. When the bucket is full the oldest replies leave it. JetStream reserves this space. */
const BYTES_MAX = 256 * 1024 * 1024;
/** Longer replies, such as that to an import of a large file, are not kept. */
const KEPT_REPLY_BYTES_MAX = 256 * 1024;
/** While JetStream cannot be used, it is tried again after this time. */
const RETRY_MS = 5_000;

const Kept = Type.Object({
  /** Of the body of the request. */
  fingerprint: Type.String(),
  status: Type.Integer(),
  etag: Type.Union([Type.String(), Type.Null()]),
  body: Type.Unknown(),
});
const read = jsonOf(Kept, KEPT_REPLY_BYTES_MAX);

/** A reply to a request with a client's key, as it left. */
export interface KeptReply {
  readonly fingerprint: string;
  readonly status: number;
  readonly etag: string | null;
  readonly body: unknown;
}

/** Where the first replies under clients' keys are kept. Neither method throws. */
export interface ReplyStore {
  find(id: string): Promise<KeptReply | undefined>;
  /** Keeps a reply, unless there is one under this id. */
  keep(id: string, reply: KeptReply): Promise<void>;
}

/**
 * Keeps replies in JetStream: a gateway writes nothing into PostgreSQL, and a lost reply harms nothing, since the receipt of the actor
 * is there (docs/decisions/0104-first-replies-are-kept.md). Without JetStream, requests are served as if no reply had been kept.
 *
 * @param jetstream with a short time limit: each reply under a client's key waits for it
 * @param replicas the NATS servers that keep them
 */
export function keptReplies(jetstream: JetStreamClient, log: Logger, replicas = 1): ReplyStore {
  let bucket: Promise<KV> | undefined;
  const open = () => {
    bucket ??= openBucket(jetstream, KEPT_REPLIES_BUCKET, {
      num_replicas: replicas,
      max_bytes: BYTES_MAX,
      max_msg_size: KEPT_REPLY_BYTES_MAX,
      max_age: nanos(KEPT_DAYS * DAY_MS),
      discard: DiscardPolicy.Old,
    });
    return bucket;
  };
  const failed = (error: unknown, what: string) => {
    log.warn({ err: error }, what);
    const failing = bucket;
    setTimeout(() => {
      if (bucket === failing) bucket = undefined;
    }, RETRY_MS).unref();
  };

  return {
    async find(id) {
      try {
        const entry = await (await open()).get(id);
        const received = entry === null ? undefined : read(entry.string());
        return received !== undefined && "value" in received ? received.value : undefined;
      } catch (error) {
        failed(error, "the first reply under a key could not be looked up");
        return undefined;
      }
    },
    async keep(id, reply) {
      const text = JSON.stringify(reply);
      if (Buffer.byteLength(text) > KEPT_REPLY_BYTES_MAX) return;
      try {
        await open();
        // Only the first one: another request under the same key may have been faster.
        await jetstream.publish(kvSubject(KEPT_REPLIES_BUCKET, id), text, {
          expect: { lastSubjectSequence: 0 },
        });
      } catch (error) {
        if (!isWrongSequence(error)) failed(error, "the reply under a key could not be kept");
      }
    },
  };
}
