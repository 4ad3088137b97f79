import { Type } from "@sinclair/typebox";
import { ErrorCode, type Msg, type NatsConnection, NatsError } from "nats";
import { type DroppedMessages, jsonOf } from "../../schemas/received.ts";
import { desiredBucket, desiredFeed, desiredInfo, kvSubject } from "../../schemas/subjects.ts";
import { listen, requestMany } from "./requests.ts";

/** Messages and bytes of one batch from JetStream: they bound the server's memory for this host. */
const BATCH_MAX = 200;
const BATCH_BYTES_MAX = 4 * 1024 * 1024;
const BATCH_MS_MAX = 15_000;
const INFO_MS_MAX = 5_000;
const NOT_IMPORTED: ReadonlySet<string> = new Set([ErrorCode.NoResponders, ErrorCode.PermissionsViolation]);

/** There is no bucket of desired state for this host yet. */
export class NoBucketError extends Error {
  override readonly name = "NoBucketError";
}

export interface DesiredEntry {
  readonly key: string;
  /** Null: the key was deleted. */
  readonly text: string | null;
  /** Its sequence number in the bucket, without gaps. */
  readonly sequence: number;
}

const readInfo = jsonOf(
  Type.Object({
    created: Type.Optional(Type.String()),
    error: Type.Optional(Type.Object({ code: Type.Integer(), description: Type.Optional(Type.String()) })),
  }),
  1_000_000,
);

/**
 * Reads a host's bucket of desired state without consumers: the creator of a consumer chooses its deliver subject,
 * and a host's account must not. JetStream answers requests for batches, and publishes stored changes on a subject to
 * which this host subscribes.
 */
export class DesiredFeed {
  readonly #stream: string;
  readonly #prefix: string;
  readonly #feed: string;

  constructor(
    private readonly connection: NatsConnection,
    private readonly dropped: DroppedMessages,
    private readonly server: string,
  ) {
    this.#stream = `KV_${desiredBucket(server)}`;
    this.#prefix = kvSubject(desiredBucket(server), "");
    this.#feed = `${desiredFeed(server)}.`;
  }

  /** The time at which the bucket was created, which identifies it. @throws NoBucketError */
  async created(): Promise<string> {
    const received = readInfo(await this.#info());
    if ("reason" in received) throw new Error(`JetStream's answer is ${received.reason}`);
    const { created, error } = received.value;
    if (error?.code === 404) throw new NoBucketError("there is no desired state for this host yet");
    if (created === undefined)
      throw new Error(error?.description ?? "JetStream does not say when the bucket was made");
    return created;
  }

  async #info(): Promise<string> {
    const ask = async (subject: string) =>
      (await this.connection.request(subject, "", { timeout: INFO_MS_MAX })).string();
    return ask(desiredInfo(this.server)).catch((error) => {
      if (!(error instanceof NatsError) || !NOT_IMPORTED.has(error.code)) throw error;
      // Platform and hosts share an account (NATS_URL of `npm start`): there JetStream has its own name.
      return ask(`$JS.API.STREAM.INFO.${this.#stream}`);
    });
  }

  /** Subscribes to stored changes. @returns a function that ends it */
  watch(take: (entry: DesiredEntry) => void): () => void {
    return listen(this.connection, this.dropped, `${this.#feed}>`, "desired", (message) => {
      take(entryOf(message, message.subject.slice(this.#feed.length)));
    });
  }

  /** Everything in the bucket, in the order in which it was written. */
  async list(): Promise<DesiredEntry[]> {
    const entries: DesiredEntry[] = [];
    for (let from = 1; ; from = (entries.at(-1)?.sequence ?? 0) + 1) {
      const before = entries.length;
      let pending = 0;
      const request = {
        batch: BATCH_MAX,
        max_bytes: BATCH_BYTES_MAX,
        seq: from,
        next_by_subj: `${this.#prefix}>`,
      };
      await requestMany(
        this.connection,
        this.dropped,
        `$JS.API.DIRECT.GET.${this.#stream}`,
        JSON.stringify(request),
        BATCH_MS_MAX,
        (message) => {
          const status = message.headers?.code ?? 0;
          // 204 ends a batch; 404: there are no further messages.
          if (status === 204 || status === 404) return true;
          if (status !== 0)
            throw new Error(`JetStream answers ${status} ${message.headers?.description ?? ""}`);
          const subject = message.headers?.get("Nats-Subject") ?? "";
          entries.push(entryOf(message, subject.slice(this.#prefix.length)));
          pending = numberOf(message, "Nats-Num-Pending");
          return false;
        },
      );
      if (entries.length === before || pending === 0) return entries;
    }
  }
}

function entryOf(message: Msg, key: string): DesiredEntry {
  const operation = message.headers?.get("KV-Operation") ?? "";
  return {
    key,
    text: operation === "DEL" || operation === "PURGE" ? null : message.string(),
    sequence: numberOf(message, "Nats-Sequence"),
  };
}

function numberOf(message: Msg, header: string): number {
  const number = Number(message.headers?.get(header));
  if (!Number.isSafeInteger(number) || number < 0) throw new Error(`a message without ${header}`);
  return number;
}
