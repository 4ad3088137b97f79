import type { Sql } from "../../actors/platform/db/sql.ts";

/** What every wallet started with: enough for every transfer of a run. Cents. */
const BALANCE_CENTS = 1_000_000_000_000n;
/**
 * Transfers that were made before. A statement that is planned while its tables are empty reads them whole from then on, until
 * statistics are gathered again a minute later: a run on empty tables would measure that.
 */
const PAST_TRANSFERS = 20_000;

/**
 * Users with money and a past, as sign-up, an operator's credit and transfers leave them: accounts, wallets, and every row
 * that a transfer writes.
 */
export async function seedWallets(sql: Sql, userIds: readonly string[]): Promise<void> {
  const ids = [...userIds];
  await sql`
    INSERT INTO accounts (id, version, username, email, password_hash, role, created_at, updated_at)
    SELECT id, 1, 'bench-' || id, id || '@example.com', 'none', 'user', now(), now() FROM unnest(${ids}::text[]) id`;
  await sql`
    INSERT INTO transactions
      (id, user_id, transaction_type, status, amount_cents, currency, reason, created_at, updated_at)
    SELECT 'seed-' || id, id, 'credit', 'completed', ${BALANCE_CENTS}::bigint, 'USD', 'bench', now(), now()
    FROM unnest(${ids}::text[]) id`;
  await sql`
    INSERT INTO movements (id, transaction_id, user_id, from_account, to_account, amount_micros, created_at)
    SELECT 'seed-' || id, 'seed-' || id, id, 'platform:grants', 'general:' || id, ${BALANCE_CENTS}::bigint * 10000, now()
    FROM unnest(${ids}::text[]) id`;
  await seedPast(sql, ids);
  await sql`
    INSERT INTO wallets (user_id, version, general_cents, ai_limit_micros, updated_at)
    SELECT substr(account, 9), 1, sum(amount_micros) / 10000, 0, now() FROM postings
    WHERE account LIKE 'general:%' GROUP BY account`;
  await sql`
    UPDATE wallets SET ai_limit_micros = ai.micros
    FROM (SELECT account, sum(amount_micros) AS micros FROM postings WHERE account LIKE 'ai:%' GROUP BY account) ai
    WHERE ai.account = 'ai:' || wallets.user_id`;
  await sql`VACUUM ANALYZE`;
}

/** Transfers of 0.20 of the users in turn: ids, keys and sizes as those that are measured have. */
async function seedPast(sql: Sql, ids: string[]): Promise<void> {
  await sql`
    CREATE TEMPORARY TABLE past AS
    SELECT k, lpad(to_hex(k), 24, '0') AS id, (${ids}::text[])[1 + k % ${ids.length}::int] AS user_id
    FROM generate_series(0, ${PAST_TRANSFERS}::int - 1) k`;
  await sql`
    INSERT INTO transactions
      (id, user_id, transaction_type, status, amount_cents, currency, reason, created_at, updated_at)
    SELECT id, user_id, 'ai_credit_transfer', 'completed', 20, 'USD', 'Transfer to AI credit', now(), now() FROM past`;
  await sql`
    INSERT INTO movements (id, transaction_id, user_id, from_account, to_account, amount_micros, created_at)
    SELECT id || part.name, id, user_id, 'general:' || user_id, coalesce(part.account, 'ai:' || user_id), part.micros, now()
    FROM past, (VALUES ('n', NULL, 190000), ('f', 'platform:fees', 10000)) part (name, account, micros)`;
  await sql`
    INSERT INTO receipts (actor_id, key, fingerprint, reply, actor_version, minted, created_at)
    SELECT user_id, 'wallet.transfer:' || gen_random_uuid(), md5(id), jsonb_build_object('fee', '0.01'), 1, false, now()
    FROM past`;
  await sql`
    INSERT INTO events
      (id, event_type, resource_type, resource_id, user_id, project_id, container_id, realm_id, data, created_at)
    SELECT id, 'user.credit_transferred', 'user', user_id, user_id, NULL, NULL, NULL,
      jsonb_build_object('transaction_id', id, 'gross', '0.20', 'fee', '0.01'), now() FROM past`;
  await sql`
    INSERT INTO outbox (partition, seq, topic, body, created_at)
    SELECT k % 64, k / 64 + 1, 'event', to_jsonb(e), now() FROM past JOIN events e USING (id)`;
  await sql`
    UPDATE outbox_progress p SET seq = (SELECT max(o.seq) FROM outbox o WHERE o.partition = p.partition)`;
  await sql`DROP TABLE past`;
}

/** Before a round: no contender pays for what another one wrote. */
export async function checkpoint(sql: Sql): Promise<void> {
  await sql`CHECKPOINT`;
}

/** How far the server's WAL has come, in bytes. */
export async function readWalBytes(sql: Sql): Promise<number> {
  const [row] = await sql<{ bytes: string }[]>`SELECT pg_current_wal_insert_lsn() - '0/0' AS bytes`;
  return Number(row?.bytes ?? 0);
}

export async function countTransfers(sql: Sql): Promise<number> {
  const [row] = await sql<{ count: bigint }[]>`
    SELECT count(*) FROM transactions WHERE transaction_type = 'ai_credit_transfer'`;
  return Number(row?.count ?? 0);
}

/**
 * What does not add up: wallets whose balance is not the sum of their postings, and transfers without their receipt, event,
 * outbox row or movements. Zeros where all is well.
 */
export async function findFaults(sql: Sql): Promise<Record<string, number>> {
  const [faults] = await sql<Record<string, bigint>[]>`
    WITH sums AS (
      SELECT account, sum(amount_micros) AS micros FROM postings WHERE account NOT LIKE 'platform:%' GROUP BY account
    ), transfers AS (
      SELECT count(*) AS n FROM transactions WHERE transaction_type = 'ai_credit_transfer'
    )
    SELECT
      (SELECT count(*) FROM wallets w
         LEFT JOIN sums g ON g.account = 'general:' || w.user_id
         LEFT JOIN sums a ON a.account = 'ai:' || w.user_id
         WHERE coalesce(g.micros, 0) <> w.general_cents * 10000 OR coalesce(a.micros, 0) <> w.ai_limit_micros) AS balances,
      abs((SELECT count(*) FROM movements WHERE from_account <> 'platform:grants') - 2 * n) AS movements,
      abs((SELECT count(*) FROM receipts WHERE key LIKE 'wallet.transfer:%') - n) AS receipts,
      abs((SELECT count(*) FROM events WHERE event_type = 'user.credit_transferred') - n) AS events,
      abs((SELECT count(*) FROM outbox WHERE topic = 'event') - n) AS outbox
    FROM transfers`;
  return Object.fromEntries(Object.entries(faults ?? {}).map(([name, count]) => [name, Number(count)]));
}

/** How the server makes commits durable; a benchmark of anything less would be worth nothing. */
export async function readDurability(sql: Sql): Promise<{ version: string; isDurable: boolean }> {
  const rows = await sql<{ name: string; setting: string }[]>`
    SELECT name, setting FROM pg_settings
    WHERE name IN ('server_version', 'fsync', 'synchronous_commit', 'full_page_writes')`;
  const setting = new Map(rows.map((row) => [row.name, row.setting]));
  return {
    version: setting.get("server_version") ?? "",
    isDurable: ["fsync", "synchronous_commit", "full_page_writes"].every(
      (name) => setting.get(name) === "on",
    ),
  };
}

export async function createDatabase(sql: Sql, name: string): Promise<void> {
  await sql`CREATE DATABASE ${sql(name)}`;
}
