import { connect } from "nats";
import type { Sql } from "../../actors/platform/db/sql.ts";
import { EVENT_STREAM } from "../../schemas/subjects.ts";
import { serversOf } from "../../system/nats-url.ts";

/** What the database and the stream hold at the end of a run. */

export interface Rows {
  readonly receipts: { user_id: string; key: string; reply: { general_balance: string }; version: number }[];
  readonly transfers: { id: string; user_id: string; cents: number; micros: number; events: number }[];
  readonly wallets: { user_id: string; cents: number; credited: number }[];
  /** Wallets, of all users, whose balances are not the sums of their postings. */
  readonly unbalanced: string[];
  readonly outbox: { partition: number; seq: number; topic: string; event_id: string | null }[];
  readonly events: string[];
}

export async function readRows(db: Sql, userIds: readonly string[]): Promise<Rows> {
  const ids = [...userIds];
  const receipts = await db<Rows["receipts"]>`
    SELECT actor_id AS user_id, substr(key, length('wallet.transfer:') + 1) AS key, reply, actor_version::int AS version
    FROM receipts WHERE actor_id = ANY (${ids}::text[]) AND key LIKE 'wallet.transfer:%'`;
  // Each table is read once: a long run has tens of thousands of transfers.
  const transfers = await db<Rows["transfers"]>`
    WITH moved AS MATERIALIZED (SELECT transaction_id, sum(amount_micros) AS micros FROM movements GROUP BY 1),
      told AS MATERIALIZED (
        SELECT user_id, data ->> 'transaction_id' AS transaction_id, count(*)::int AS events FROM events
        WHERE user_id = ANY (${ids}::text[]) AND event_type = 'user.credit_transferred' GROUP BY 1, 2)
    SELECT t.id, t.user_id, t.amount_cents::int AS cents, coalesce(moved.micros, 0)::int AS micros, coalesce(told.events, 0) AS events
    FROM transactions t LEFT JOIN moved ON moved.transaction_id = t.id
    LEFT JOIN told ON told.transaction_id = t.id AND told.user_id = t.user_id
    WHERE t.user_id = ANY (${ids}::text[]) AND t.transaction_type = 'ai_credit_transfer'`;
  const wallets = await db<Rows["wallets"]>`
    SELECT w.user_id, w.general_cents::int AS cents,
      (SELECT sum(t.amount_cents)::int FROM transactions t
       WHERE t.user_id = w.user_id AND t.transaction_type = 'credit') AS credited
    FROM wallets w WHERE w.user_id = ANY (${ids}::text[])`;
  const unbalanced = await db<{ user_id: string }[]>`
    WITH sums AS (SELECT account, sum(amount_micros) AS micros FROM postings GROUP BY account)
    SELECT w.user_id FROM wallets w
    LEFT JOIN sums g ON g.account = 'general:' || w.user_id
    LEFT JOIN sums a ON a.account = 'ai:' || w.user_id
    WHERE w.general_cents * 10000 <> coalesce(g.micros, 0) OR w.ai_limit_micros <> coalesce(a.micros, 0)`;
  const outbox = await db<Rows["outbox"]>`
    SELECT partition, seq::int, topic, body ->> 'id' AS event_id FROM outbox ORDER BY partition, seq`;
  const events = await db<{ id: string }[]>`SELECT id FROM events`;
  return {
    receipts: [...receipts],
    transfers: [...transfers],
    wallets: [...wallets],
    unbalanced: unbalanced.map((row) => row.user_id),
    outbox: [...outbox],
    events: events.map((row) => row.id),
  };
}

export interface Streamed {
  readonly id: string;
  readonly partition: number;
  readonly seq: number;
}

/** Everything in the stream of events, in its order, what came twice included. */
export async function readStream(natsUrl: string): Promise<Streamed[]> {
  const { servers, user = "", pass = "" } = serversOf(natsUrl);
  const connection = await connect({ servers, user, pass });
  try {
    const { state } = await (await connection.jetstreamManager()).streams.info(EVENT_STREAM);
    const stream = await connection.jetstream().streams.get(EVENT_STREAM);
    const events: Streamed[] = [];
    for (let seq = state.first_seq; seq <= state.last_seq; seq++) {
      events.push(...(await stream.getMessage({ seq })).json<Streamed[]>());
    }
    return events;
  } finally {
    await connection.close();
  }
}
