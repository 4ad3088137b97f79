import type { JetStreamClient, KV } from "nats";
import { desiredBucket, desiredKey, endedSessionsKey, statusBucket } from "../../../schemas/subjects.ts";
import type { Sql } from "../../platform/db/sql.ts";
import {
  deletedBefore,
  entries,
  isWrongSequence,
  PUT_TRIES_MAX,
  readRevision,
  revisionOf,
} from "../../platform/kv.ts";
import { syncAliases, writeAliases } from "../alias/bucket.ts";
import type { AliasServerRow } from "../alias/queries.ts";
import { listServersInReach, readDesiredContainers } from "../container/queries.ts";
import { readDesiredFirewalls } from "../firewall/queries.ts";
import { openDesiredBucket, openStatusBucket } from "./buckets.ts";
import {
  oldestRelevantEnd,
  readPublishedEnds,
  usersWithEndedSessions,
  writeUserEndedSessions,
} from "./ended-sessions.ts";

/** The outbox topic of records that hosts follow: `{ kind, id }`. What is published is the record as it is by then. */
export const DESIRED_TOPIC = "desired";

export type DesiredRef =
  | { readonly kind: "container" | "firewall"; readonly id: string }
  /** With its server: nothing else says where it was once it is deleted. */
  | { readonly kind: "alias"; readonly id: string; readonly serverName: string };

/** How long the mark of a deleted alias stays: agents that list later do not find the key, which says as much. */
const TOMBSTONE_TTL_MS = 60 * 60 * 1000;
/** The buckets through which hosts learn what they should be, and say what they are. */
export interface DesiredState {
  /** Brings these records to their hosts, if they are newer than what the hosts have. */
  publish(refs: readonly DesiredRef[]): Promise<void>;
  /** Takes a record's entries away from its host. */
  withdraw(serverName: string, ref: DesiredRef): Promise<void>;
  /** Brings a server's host the aliases that it lacks, takes away those that are no more, and says that they are all there. */
  syncAliases(server: AliasServerRow): Promise<void>;
  /** Revisions of containers and firewalls that a host has been given, by key. */
  readPublishedRevisions(serverName: string): Promise<Map<string, number>>;
  /** Takes away a report that has been taken for good. */
  deleteReport(serverName: string, key: string): Promise<void>;
  /** Tells hosts which sessions of these users have ended: those hosts on which the users may use containers. */
  publishEndedSessions(userIds: readonly string[]): Promise<void>;
  /**
   * Compares what a host has been told of ended sessions with what it should know: users and when the last of their sessions ended. What is
   * too old to matter is taken away.
   */
  syncEndedSessions(serverName: string, newest: ReadonlyMap<string, Date>): Promise<void>;
  /** What a host has reported, by key: texts that anything may be in. */
  readReports(serverName: string): Promise<Map<string, string>>;
}

export function desiredState(db: Sql, jetstream: JetStreamClient): DesiredState {
  const buckets = new Map<string, Promise<KV>>();
  const open = (name: string, make: () => Promise<KV>): Promise<KV> => {
    let bucket = buckets.get(name);
    if (bucket === undefined) {
      bucket = make();
      buckets.set(name, bucket);
      // Not kept when it failed: the next one tries again.
      bucket.catch(() => buckets.delete(name));
    }
    return bucket;
  };
  const status = (serverName: string): Promise<KV> =>
    open(statusBucket(serverName), () => openStatusBucket(jetstream, serverName));
  const desired = async (serverName: string): Promise<KV> => {
    // Both are made together, so that an agent which finds its desired state can report.
    await status(serverName);
    return open(desiredBucket(serverName), () => openDesiredBucket(jetstream, serverName));
  };
  /** A bucket that was lost is created again at the next use. */
  const dropBuckets = (serverName: string) => {
    buckets.delete(desiredBucket(serverName));
    buckets.delete(statusBucket(serverName));
  };

  async function put(serverName: string, key: string, doc: { revision: number }): Promise<void> {
    const bucket = await desired(serverName);
    for (let tries = 0; tries < PUT_TRIES_MAX; tries++) {
      const entry = await bucket.get(key);
      const there = entry?.operation === "PUT" ? revisionOf(entry.string()) : 0;
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

  /** Works on a host's bucket; one that was known and is gone is made again, empty. */
  async function onBucket<T>(serverName: string, work: (bucket: KV) => Promise<T>): Promise<T> {
    try {
      return await work(await desired(serverName));
    } catch {
      dropBuckets(serverName);
      return work(await desired(serverName));
    }
  }

  const writeEndedSessions = async (serverName: string, userIds: readonly string[]) => {
    if (userIds.length === 0) return;
    await onBucket(serverName, async (bucket) => {
      for (const userId of userIds) await writeUserEndedSessions(db, bucket, serverName, userId);
    });
  };

  /** Takes a key away without the marker that a deletion leaves behind: there are as many keys as events that they tell of. */
  async function purge(bucketName: string, key: string): Promise<void> {
    const manager = await jetstream.jetstreamManager(false);
    await manager.streams.purge(`KV_${bucketName}`, { filter: `$KV.${bucketName}.${key}`, keep: 0 });
  }

  /** When the marks of deleted keys were last taken away, by server. */
  const purgedAtMs = new Map<string, number>();
  async function purgeTombstones(serverName: string, bucket: KV): Promise<void> {
    const nowMs = performance.now();
    const lastMs = purgedAtMs.get(serverName);
    if (lastMs !== undefined && nowMs - lastMs < TOMBSTONE_TTL_MS) return;
    purgedAtMs.set(serverName, nowMs);
    const manager = await jetstream.jetstreamManager(false);
    for (const key of await deletedBefore(bucket, new Date(Date.now() - TOMBSTONE_TTL_MS))) {
      const name = desiredBucket(serverName);
      await manager.streams.purge(`KV_${name}`, { filter: `$KV.${name}.${key}`, keep: 0 });
    }
  }

  return {
    async publish(refs) {
      const ids = (kind: DesiredRef["kind"]) => [
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
      // Somebody who gets access again may hold a cookie of a session that ended meanwhile: that is known before the access is.
      for (const doc of docs.flatMap((one) => ("grants" in one.doc ? [one.doc] : []))) {
        const ended = await usersWithEndedSessions(db, doc.grants ?? []);
        await writeEndedSessions(doc.server_name, ended);
      }
      await Promise.all(
        docs.map(({ key, doc }) =>
          put(doc.server_name, key, doc).catch((error) => {
            dropBuckets(doc.server_name);
            throw error;
          }),
        ),
      );
      const aliases = Map.groupBy(
        refs.filter((ref) => ref.kind === "alias"),
        (ref) => ref.serverName,
      );
      for (const [serverName, gone] of aliases) {
        const ids = gone.map(({ id }) => id);
        await onBucket(serverName, (bucket) => writeAliases(db, bucket, ids));
      }
    },
    async publishEndedSessions(userIds) {
      for (const userId of new Set(userIds)) {
        const servers = await listServersInReach(db, userId);
        await Promise.all(servers.map((serverName) => writeEndedSessions(serverName, [userId])));
      }
    },
    syncEndedSessions: (serverName, newest) =>
      onBucket(serverName, async (bucket) => {
        const published = await readPublishedEnds(bucket);
        const behind = [...newest].filter(([id, at]) => (published.get(id) ?? "") < at.toISOString());
        for (const [userId] of behind) await writeUserEndedSessions(db, bucket, serverName, userId);
        const since = oldestRelevantEnd().toISOString();
        const old = [...published].filter(([, at]) => at < since);
        for (const [userId] of old) await purge(desiredBucket(serverName), endedSessionsKey(userId));
      }),
    syncAliases: (server) =>
      onBucket(server.serverName, async (bucket) => {
        await syncAliases(db, bucket, server);
        await purgeTombstones(server.serverName, bucket);
      }),
    async withdraw(serverName, ref) {
      const key = desiredKey(ref.kind, ref.id);
      await (await desired(serverName)).purge(key);
      await (await status(serverName)).purge(key);
    },
    readPublishedRevisions: (serverName) =>
      onBucket(serverName, async (bucket) => {
        const containers = await entries(bucket, readRevision, desiredKey("container", "*"));
        return new Map([
          ...containers,
          ...(await entries(bucket, readRevision, desiredKey("firewall", "*"))),
        ]);
      }),
    async deleteReport(serverName, key) {
      await purge(statusBucket(serverName), key);
    },
    async readReports(serverName) {
      await desired(serverName);
      return entries(await status(serverName), (text) => ({ value: text }));
    },
  };
}
