import type { KV } from "nats";
import { ENDED_SESSION_SECONDS } from "../../../schemas/accounts/auth.ts";
import { ENDED_SESSIONS_MAX, EndedSessions } from "../../../schemas/hosting/desired.ts";
import { jsonOf, type Reader } from "../../../schemas/received.ts";
import { endedSessionsKey } from "../../../schemas/subjects.ts";
import { type EndedSession, listEndedSessions } from "../../accounts/account/queries.ts";
import type { Sql } from "../../platform/db/sql.ts";
import { entries, isWrongSequence, PUT_TRIES_MAX } from "../../platform/kv.ts";

const readDocument = jsonOf(EndedSessions, 4 * 1024 * 1024);

/** Hosts still have to refuse sessions that ended after this time. */
export const oldestRelevantEnd = (): Date => new Date(Date.now() - ENDED_SESSION_SECONDS * 1_000);

/** The users among these with ended sessions that hosts still have to refuse. */
export async function usersWithEndedSessions(db: Sql, userIds: readonly string[]): Promise<string[]> {
  if (userIds.length === 0) return [];
  const ended = await listEndedSessions(db, userIds, oldestRelevantEnd(), 1);
  return [...new Set(ended.map(({ userId }) => userId))];
}

/**
 * Writes a user's ended sessions to the bucket of a host, as they are now. The entry is read before the records, so that of two writers
 * the one with the older reading fails and reads again.
 */
export async function writeUserEndedSessions(
  db: Sql,
  bucket: KV,
  serverName: string,
  userId: string,
): Promise<void> {
  const key = endedSessionsKey(userId);
  for (let tries = 0; tries < PUT_TRIES_MAX; tries++) {
    const entry = await bucket.get(key);
    const ended = await listEndedSessions(db, [userId], oldestRelevantEnd(), ENDED_SESSIONS_MAX + 1);
    const text = JSON.stringify(documentOf(serverName, userId, ended));
    if (ended.length === 0 || (entry?.operation === "PUT" && entry.string() === text)) return;
    try {
      await bucket.put(key, text, { previousSeq: entry?.revision ?? 0 });
      return;
    } catch (error) {
      if (!isWrongSequence(error)) throw error;
    }
  }
  throw new Error(`${key} of ${serverName} could not be written against so many other writers`);
}

function documentOf(serverName: string, userId: string, ended: readonly EndedSession[]): EndedSessions {
  return {
    server_name: serverName,
    user_id: userId,
    sessions: ended
      .slice(0, ENDED_SESSIONS_MAX)
      .map(({ id, endedAt }) => ({ id, ended_at: endedAt.toISOString() })),
    refused_before: ended[ENDED_SESSIONS_MAX]?.endedAt.toISOString() ?? null,
  };
}

/** When the newest of the ended sessions in a bucket ended, by user. */
export async function readPublishedEnds(bucket: KV): Promise<Map<string, string>> {
  const newest: Reader<string> = (text) => {
    const received = readDocument(text);
    // An entry that cannot be read counts as old and is written again.
    return { value: "value" in received ? (received.value.sessions[0]?.ended_at ?? "") : "" };
  };
  const found = await entries(bucket, newest, endedSessionsKey("*"));
  return new Map([...found].map(([key, endedAt]) => [key.slice(endedSessionsKey("").length), endedAt]));
}
