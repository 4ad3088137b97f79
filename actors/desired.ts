import type { JetStreamClient, KV } from "nats";
import { type DesiredKind, desiredBucket, desiredKey, statusBucket } from "../schemas/subjects.ts";
import { readDesiredContainers } from "./container/queries.ts";
import type { Sql } from "./db/sql.ts";
import { readDesiredFirewalls } from "./firewall/queries.ts";

/** The outbox topic of records that hosts follow: `{ kind, id }`. What is published is the record as it is by then. */
export const DESIRED_TOPIC = "desired";

export interface DesiredRef {
  readonly kind: DesiredKind;
  readonly id: string;
}

/** A write that loses against another one reads again, this often: each loss means that somebody else got ahead. */
const PUT_TRIES_MAX = 20;
/** A status that nobody reads any more, of a host that is gone, goes by itself. */
const STATUS_DAYS = 30;
const DAY_MS = 24 * 60 * 60 * 1000;

/**
 * What the two buckets of a host may hold: JetStream sets this much aside for them, and one host, or what pretends to be one,
 * fills no more. A value of desired state is a firewall at most (`BERTH_FIREWALL_MAX_BYTES` goes up to 1 MiB of rules), a
 * status some hundreds of bytes; a host has a thousand containers of ordinary rules, and room.
 */
const DESIRED_LIMITS = { max_bytes: 64 * 1024 * 1024, maxValueSize: 2 * 1024 * 1024 };
const STATUS_LIMITS = {
  max_bytes: 16 * 1024 * 1024,
  maxValueSize: 8 * 1024,
  ttl: STATUS_DAYS * DAY_MS,
};

/** The buckets through which hosts learn what they should be, and say what they are. */
export interface DesiredState {
  /** Brings these records to their hosts, if they are newer than what the hosts have. */
  publish(refs: readonly DesiredRef[]): Promise<void>;
  /** Takes a record's entries away from its host. */
  withdraw(serverName: string, ref: DesiredRef): Promise<void>;
  /** Revisions that a host has been given, by key. */
  given(serverName: string): Promise<Map<string, number>>;
  /** What a host has reported, by key. */
  reported(serverName: string): Promise<Map<string, unknown>>;
}

export function desiredState(db: Sql, jetstream: JetStreamClient): DesiredState {
  const buckets = new Map<string, Promise<KV>>();
  const make = async (name: string, limits: typeof DESIRED_LIMITS | typeof STATUS_LIMITS): Promise<KV> => {
    const bucket = await jetstream.views.kv(name, { history: 1, ...limits });
    const { streamInfo } = await bucket.status();
    const { max_bytes, maxValueSize: max_msg_size } = limits;
    if (streamInfo.config.max_bytes !== max_bytes || streamInfo.config.max_msg_size !== max_msg_size) {
      // It is from before it had these limits.
      const manager = await jetstream.jetstreamManager(false);
      await manager.streams.update(streamInfo.config.name, { ...streamInfo.config, max_bytes, max_msg_size });
    }
    return bucket;
  };
  const open = (name: string, limits: typeof DESIRED_LIMITS | typeof STATUS_LIMITS): Promise<KV> => {
    let bucket = buckets.get(name);
    if (bucket === undefined) {
      bucket = make(name, limits);
      buckets.set(name, bucket);
      // Not kept when it failed: the next one tries again.
      bucket.catch(() => buckets.delete(name));
    }
    return bucket;
  };
  const desired = async (serverName: string): Promise<KV> => {
    // Both are made together, so that an agent which finds its desired state can report.
    await open(statusBucket(serverName), STATUS_LIMITS);
    return open(desiredBucket(serverName), DESIRED_LIMITS);
  };
  /** A bucket that was lost is made anew at the next use. */
  const forgetBuckets = (serverName: string) => {
    buckets.delete(desiredBucket(serverName));
    buckets.delete(statusBucket(serverName));
  };

  async function put(serverName: string, key: string, doc: { revision: number }): Promise<void> {
    const bucket = await desired(serverName);
    for (let tries = 0; tries < PUT_TRIES_MAX; tries++) {
      const entry = await bucket.get(key);
      const there = entry?.operation === "PUT" ? (entry.json() as { revision: number }).revision : 0;
      if (there >= doc.revision) return;
      try {
        await bucket.put(key, JSON.stringify(doc), { previousSeq: entry?.revision ?? 0 });
        return;
      } catch (error) {
        if (!isWrongSequence(error)) throw error;
      }
    }
    throw new Error(`${key} of ${serverName} could not be written against so many other writers`);
  }

  /** Every value of a bucket, in one reading. */
  async function entries<T>(bucket: KV, read: (text: string) => T): Promise<Map<string, T>> {
    const found = new Map<string, T>();
    const complete = Promise.withResolvers<void>();
    const watch = await bucket.watch({ initializedFn: complete.resolve });
    void complete.promise.then(() => watch.stop());
    for await (const entry of watch) {
      if (entry.operation === "PUT") found.set(entry.key, read(entry.string()));
    }
    return found;
  }

  return {
    async publish(refs) {
      const ids = (kind: DesiredKind) => [
        ...new Set(refs.filter((ref) => ref.kind === kind).map((ref) => ref.id)),
      ];
      const [containers, firewalls] = [ids("container"), ids("firewall")];
      const docs = [
        ...(containers.length === 0 ? [] : await readDesiredContainers(db, containers)).map((doc) => ({
          key: desiredKey("container", doc.id),
          doc,
        })),
        ...(firewalls.length === 0 ? [] : await readDesiredFirewalls(db, firewalls)).map((doc) => ({
          key: desiredKey("firewall", doc.container_id),
          doc,
        })),
      ];
      await Promise.all(
        docs.map(({ key, doc }) =>
          put(doc.server_name, key, doc).catch((error) => {
            forgetBuckets(doc.server_name);
            throw error;
          }),
        ),
      );
    },
    async withdraw(serverName, ref) {
      const key = desiredKey(ref.kind, ref.id);
      await (await desired(serverName)).purge(key);
      await (await open(statusBucket(serverName), STATUS_LIMITS)).purge(key);
    },
    async given(serverName) {
      const read = async () =>
        entries(await desired(serverName), (text) => (JSON.parse(text) as { revision: number }).revision);
      try {
        return await read();
      } catch {
        // The bucket that was known may be gone: it is made again, empty.
        forgetBuckets(serverName);
        return read();
      }
    },
    async reported(serverName) {
      await desired(serverName);
      return entries(
        await open(statusBucket(serverName), STATUS_LIMITS),
        (text) => JSON.parse(text) as unknown,
      );
    },
  };
}

/** JetStream's code for a put whose expected last sequence was not met. */
const WRONG_LAST_SEQUENCE = 10_071;

const isWrongSequence = (error: unknown): boolean =>
  (error as { api_error?: { err_code?: number } }).api_error?.err_code === WRONG_LAST_SEQUENCE;
