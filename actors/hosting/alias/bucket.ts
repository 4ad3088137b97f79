import type { KV, KvEntry } from "nats";
import type { DesiredAlias } from "../../../schemas/hosting/desired.ts";
import { ALIASES_WATERMARK_KEY, desiredKey } from "../../../schemas/subjects.ts";
import type { Sql } from "../../platform/db/sql.ts";
import { entries, isWrongSequence, PUT_TRIES_MAX, readRevision, revisionOf } from "../../platform/kv.ts";
import { readAliasRevisions, readDesiredAliases } from "./queries.ts";

/** Aliases that are read and written in one batch. */
const AT_ONCE_MAX = 200;
const PREFIX = desiredKey("alias", "");

/** Writes these aliases to their host's bucket as they are now, and removes deleted ones. */
export async function writeAliases(db: Sql, bucket: KV, ids: readonly string[]): Promise<void> {
  const all = [...new Set(ids)];
  for (let at = 0; at < all.length; at += AT_ONCE_MAX) {
    let waiting = all.slice(at, at + AT_ONCE_MAX);
    for (let tries = 0; waiting.length > 0; tries++) {
      if (tries === PUT_TRIES_MAX) throw new Error(`alias ${waiting[0]} could not be written against others`);
      waiting = await writeBatch(db, bucket, waiting);
    }
  }
}

/**
 * Writes a batch. Entries are read before the records, and are written only if they have not changed since. A record that changes
 * later is written by the author of that change. So a late writer cannot bring a deleted alias back, although a deleted alias has
 * no revision to compare with.
 *
 * @returns the ids whose entries another writer has changed meanwhile
 */
async function writeBatch(db: Sql, bucket: KV, ids: readonly string[]): Promise<string[]> {
  const found = await Promise.all(ids.map((id) => bucket.get(PREFIX + id)));
  const docs = new Map((await readDesiredAliases(db, ids)).map((doc) => [doc.id, doc]));
  const lost = await Promise.all(
    ids.map((id, i) =>
      write(bucket, PREFIX + id, found[i] ?? null, docs.get(id)).then(
        () => [],
        (error) => {
          if (!isWrongSequence(error)) throw error;
          return [id];
        },
      ),
    ),
  );
  return lost.flat();
}

async function write(
  bucket: KV,
  key: string,
  entry: KvEntry | null,
  doc: DesiredAlias | undefined,
): Promise<void> {
  const isThere = entry?.operation === "PUT";
  const previousSeq = entry?.revision ?? 0;
  if (doc === undefined) {
    if (isThere) await bucket.delete(key, { previousSeq });
  } else if (!isThere || revisionOf(entry.string()) !== doc.revision) {
    await bucket.put(key, JSON.stringify(doc), { previousSeq });
  }
}

/**
 * Completes a bucket: all aliases of the server up to a revision. The watermark in the bucket says which revision that is, so that an
 * agent may delete aliases that the bucket lacks. A bucket whose watermark is the server's revision is left alone.
 */
export async function syncAliases(db: Sql, bucket: KV, server: { serverId: string; revision: number }) {
  const watermark = await bucket.get(ALIASES_WATERMARK_KEY);
  if (watermark?.operation === "PUT" && revisionOf(watermark.string()) === server.revision) return;
  const { revision, aliases } = await readAliasRevisions(db, server.serverId);
  const published = await entries(bucket, readRevision, `${PREFIX}*`);
  const differ = [...aliases].filter(([id, at]) => published.get(PREFIX + id) !== at).map(([id]) => id);
  const left = [...published.keys()].map((key) => key.slice(PREFIX.length)).filter((id) => !aliases.has(id));
  await writeAliases(db, bucket, [...differ, ...left]);
  await bucket
    .put(ALIASES_WATERMARK_KEY, JSON.stringify({ revision }), { previousSeq: watermark?.revision ?? 0 })
    .catch((error) => {
      // The partition has moved: its next owner has written the watermark.
      if (!isWrongSequence(error)) throw error;
    });
}
