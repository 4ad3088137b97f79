import type { JetStreamClient, KV } from "nats";
import type { DesiredContainer, DesiredFirewall } from "../../../schemas/hosting/desired.ts";
import type { Origin } from "../../../schemas/origin.ts";
import {
  desiredBucket,
  desiredKey,
  endedSessionsKey,
  kvSubject,
  statusBucket,
} from "../../../schemas/subjects.ts";
import type { Sql } from "../../platform/db/sql.ts";
import { deletedBefore, entries, readRevision } from "../../platform/kv.ts";
import { syncAliases, writeAliases } from "../alias/bucket.ts";
import type { AliasServerRow } from "../alias/queries.ts";
import type { OpenSecret } from "../container/env.ts";
import { listServersInReach, readDesiredContainers } from "../container/queries.ts";
import { readDesiredFirewalls } from "../firewall/queries.ts";
import { readDesiredShares } from "../storage-share/queries.ts";
import { openDesiredBucket, openStatusBucket } from "./buckets.ts";
import { DocumentWriter } from "./document-writer.ts";
import {
  oldestRelevantEnd,
  readPublishedEnds,
  usersWithEndedSessions,
  writeUserEndedSessions,
} from "./ended-sessions.ts";
import { UnchangedBuckets } from "./unchanged-buckets.ts";

/** The outbox topic of changed records: `{ kind, id }`. The record is read when it is published, unless it is carried along. */
export const DESIRED_TOPIC = "desired";

/** The rules of one revision, on their way to the host. */
export type CarriedFirewall = Omit<DesiredFirewall, "server_name" | "container_id" | "origin">;

export type DesiredRef =
  | { readonly kind: "container" | "share"; readonly id: string }
  | { readonly kind: "firewall"; readonly id: string; readonly carried?: CarriedFirewall }
  /** With its server, since a deleted alias has no record to look it up in. */
  | { readonly kind: "alias"; readonly id: string; readonly serverName: string };

/** How long the tombstone of a deleted alias stays. Agents that list later see that the key is missing. */
const TOMBSTONE_TTL_MS = 60 * 60 * 1000;
/** The buckets with the desired state of hosts and their reports. */
export interface DesiredState {
  /** Publishes these records to their hosts, if they are newer than what is published. */
  publish(refs: readonly (DesiredRef & { readonly origin?: Origin | null })[]): Promise<void>;
  /** Removes a record's entries from its host's buckets. */
  withdraw(serverName: string, ref: DesiredRef): Promise<void>;
  /** Publishes the aliases that a server's host lacks, removes deleted ones, and records that the bucket is complete. */
  syncAliases(server: AliasServerRow): Promise<void>;
  /** The published revisions of a host's containers, firewalls and storage shares, by key. */
  readPublishedRevisions(serverName: string): Promise<ReadonlyMap<string, number>>;
  /** Deletes a report that has been handled. */
  deleteReport(serverName: string, key: string): Promise<void>;
  /** Publishes the ended sessions of these users to the hosts on which they may use containers. */
  publishEndedSessions(userIds: readonly string[]): Promise<void>;
  /**
   * Publishes the ended sessions that a host lacks, and removes those that are too old to matter.
   *
   * @param newest users, and when the last of their sessions ended
   */
  syncEndedSessions(serverName: string, newest: ReadonlyMap<string, Date>): Promise<void>;
  /** A host's reports, by key: unchecked texts. */
  readReports(serverName: string): Promise<ReadonlyMap<string, string>>;
}

/** @param replicas the NATS servers that keep each bucket */
export function desiredState(
  db: Sql,
  jetstream: JetStreamClient,
  openSecret: OpenSecret,
  replicas: number,
): DesiredState {
  const buckets = new Map<string, Promise<KV>>();
  const open = (name: string, make: () => Promise<KV>): Promise<KV> => {
    let bucket = buckets.get(name);
    if (bucket === undefined) {
      bucket = make();
      buckets.set(name, bucket);
      // A failure is not cached: the next call tries again.
      bucket.catch(() => buckets.delete(name));
    }
    return bucket;
  };
  const status = (serverName: string): Promise<KV> =>
    open(statusBucket(serverName), () => openStatusBucket(jetstream, serverName, replicas));
  const desired = async (serverName: string): Promise<KV> => {
    // Both buckets are created together, so that an agent which finds its desired state can report.
    await status(serverName);
    return open(desiredBucket(serverName), () => openDesiredBucket(jetstream, serverName, replicas));
  };
  /** A bucket that was lost is created again at the next use. */
  const dropBuckets = (serverName: string) => {
    buckets.delete(desiredBucket(serverName));
    buckets.delete(statusBucket(serverName));
  };

  const unchanged = new UnchangedBuckets(jetstream);
  const documents = new DocumentWriter();
  const put = async (serverName: string, key: string, doc: { revision: number }) =>
    documents.put(desiredBucket(serverName), await desired(serverName), key, doc);

  /** Works on a host's bucket: that of its desired state unless told. A bucket that was lost is created again, empty. */
  async function onBucket<T>(
    serverName: string,
    work: (bucket: KV) => Promise<T>,
    open: (serverName: string) => Promise<KV> = desired,
  ): Promise<T> {
    try {
      return await work(await open(serverName));
    } catch {
      dropBuckets(serverName);
      return work(await open(serverName));
    }
  }

  const writeEndedSessions = async (serverName: string, userIds: readonly string[]) => {
    if (userIds.length === 0) return;
    await onBucket(serverName, async (bucket) => {
      for (const userId of userIds) await writeUserEndedSessions(db, bucket, serverName, userId);
    });
  };

  /** Removes a key without a tombstone: each reported event has a key of its own, and tombstones would pile up. */
  async function purge(bucketName: string, key: string): Promise<void> {
    const manager = await jetstream.jetstreamManager(false);
    await manager.streams.purge(`KV_${bucketName}`, { filter: kvSubject(bucketName, key), keep: 0 });
  }

  /** When the tombstones were last purged, by server. */
  const purgedAtMs = new Map<string, number>();
  async function purgeTombstones(serverName: string, bucket: KV): Promise<void> {
    const nowMs = performance.now();
    const lastMs = purgedAtMs.get(serverName);
    if (lastMs !== undefined && nowMs - lastMs < TOMBSTONE_TTL_MS) return;
    purgedAtMs.set(serverName, nowMs);
    for (const key of await deletedBefore(bucket, new Date(Date.now() - TOMBSTONE_TTL_MS))) {
      await purge(desiredBucket(serverName), key);
    }
  }

  return {
    async publish(refs) {
      const ids = (kind: DesiredRef["kind"]) => [
        ...new Set(refs.filter((ref) => ref.kind === kind).map((ref) => ref.id)),
      ];
      // What led to the newest change; a container and its firewall have one id.
      const origins = new Map(refs.map(({ kind, id, origin }) => [`${kind}.${id}`, origin]));
      const [containers, firewalls, shares] = [ids("container"), ids("firewall"), ids("share")];
      const docs = [
        ...(shares.length === 0 ? [] : await readDesiredShares(db, shares)).map((doc) => ({
          key: desiredKey("share", doc.id),
          doc,
        })),
        ...(containers.length === 0 ? [] : await readDesiredContainers(db, containers, openSecret)).map(
          (doc) => ({
            key: desiredKey("container", doc.id),
            doc,
          }),
        ),
        ...(firewalls.length === 0 ? [] : await readDesiredFirewalls(db, firewalls, carriedBy(refs))).map(
          (doc) => ({
            key: desiredKey("firewall", doc.container_id),
            doc,
          }),
        ),
      ];
      // A user who regains access may hold a cookie of an ended session. The host learns of the end before the access.
      for (const doc of docs.flatMap((one) => ("grants" in one.doc ? [one.doc] : []))) {
        const ended = await usersWithEndedSessions(db, usersOf(doc));
        await writeEndedSessions(doc.server_name, ended);
      }
      await Promise.all(
        docs.map(({ key, doc }) =>
          put(doc.server_name, key, { ...doc, ...originOf(origins.get(key)) }).catch((error) => {
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
        const published = await unchanged.read(desiredBucket(serverName), "ended sessions", () =>
          readPublishedEnds(bucket),
        );
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
      await onBucket(serverName, (bucket) => bucket.purge(key));
      await onBucket(serverName, (bucket) => bucket.purge(key), status);
    },
    readPublishedRevisions: (serverName) =>
      onBucket(serverName, (bucket) =>
        unchanged.read(desiredBucket(serverName), "revisions", () => readRevisions(bucket)),
      ),
    async deleteReport(serverName, key) {
      await purge(statusBucket(serverName), key);
    },
    async readReports(serverName) {
      await desired(serverName);
      const readAll = (bucket: KV) => () => entries(bucket, (text) => ({ value: text }));
      return onBucket(
        serverName,
        (bucket) => unchanged.read(statusBucket(serverName), "reports", readAll(bucket)),
        status,
      );
    },
  };
}

async function readRevisions(bucket: KV): Promise<Map<string, number>> {
  const revisions = new Map<string, number>();
  for (const kind of ["container", "firewall", "share"] as const)
    for (const [key, revision] of await entries(bucket, readRevision, desiredKey(kind, "*")))
      revisions.set(key, revision);
  return revisions;
}

/** The newest rules of each firewall that all of its references carry. One that carries none may stand for newer rules. */
function carriedBy(refs: readonly DesiredRef[]): Map<string, CarriedFirewall> {
  const newest = new Map<string, CarriedFirewall>();
  const unknown = new Set<string>();
  for (const ref of refs) {
    if (ref.kind !== "firewall") continue;
    if (ref.carried === undefined) unknown.add(ref.id);
    else if (ref.carried.revision > (newest.get(ref.id)?.revision ?? 0)) newest.set(ref.id, ref.carried);
  }
  for (const id of unknown) newest.delete(id);
  return newest;
}

const originOf = (origin: Origin | null | undefined): { origin?: Origin } => (origin ? { origin } : {});

const usersOf = ({ grants = [], limited_grants = [] }: DesiredContainer): string[] => [
  ...grants,
  ...limited_grants.map(({ user_id }) => user_id),
];
