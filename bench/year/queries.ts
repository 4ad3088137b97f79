import { countDay } from "../../actors/activity/event/queries.ts";
import type { Sql } from "../../actors/platform/db/sql.ts";
import {
  AUDIT_ENTRIES_A_MONTH,
  DAYS,
  EXTENSIONS_A_MONTH,
  KEPT_DAYS,
  RATES,
  USERS_PER_WEBHOOK,
  WEBHOOK_REPLY_BYTES,
  WRITTEN_USERS,
} from "./rates.ts";

/** Each kind of change with how often a user makes one a day. */
const KINDS: readonly (readonly [string, number])[] = [
  ["transfer", RATES.transfers],
  ["keyed", RATES.keyedChanges],
  ["minted", RATES.mintedChanges],
  ["sign-in", RATES.signIns],
  ["notification", RATES.notifications],
  ["extension", EXTENSIONS_A_MONTH / 30],
  ["audit", AUDIT_ENTRIES_A_MONTH / 30],
];

/** Ids as Berth makes them: 24 hexadecimal digits, in the order of time. */
const newId = (db: Sql) =>
  db`lpad(to_hex((extract(epoch FROM at) * 1000)::bigint), 12, '0') || substr(md5(random()::text), 1, 12)`;

/** Writes the year that ends now: in the order of time, through the tables with all their indexes. */
export async function writeYear(db: Sql, say: (what: string) => void): Promise<void> {
  for (let day = 0; day <= DAYS + 1; day += 28)
    await db`SELECT make_event_partition(now() - ${day} * interval '1 day')`;
  await db`SELECT make_event_partition(now() - ${DAYS} * interval '1 day')`;
  await db`
    CREATE UNLOGGED TABLE changes AS
    SELECT kind, at, ${newId(db)} AS id, row_number() OVER (ORDER BY at) AS number, user_number,
      lpad(to_hex(user_number), 24, 'a') AS user_id, lpad(to_hex(user_number), 24, 'c') AS container_id,
      lpad(to_hex(user_number), 24, 'b') AS project_id
    FROM (
      SELECT kind, now() - random() * ${DAYS}::int * interval '1 day' AS at, floor(random() * ${WRITTEN_USERS}::int)::int AS user_number
      FROM unnest(${KINDS.map(([kind]) => kind)}::text[], ${KINDS.map(([, perDay]) => perDay)}::float8[]) AS kinds (kind, per_day),
        generate_series(1, (per_day * ${WRITTEN_USERS * DAYS}::int)::int)
    ) made ORDER BY at`;
  await db`ALTER TABLE changes ADD PRIMARY KEY (number)`;
  await db`INSERT INTO inboxes SELECT DISTINCT user_id, 1, NULL::timestamptz, NULL::timestamptz, now(), now() FROM changes`;
  for (const [table, write] of Object.entries(WRITES)) {
    say(`writing ${table}`);
    await write(db);
  }
  await db`DROP TABLE changes`;
  say("counting days of events");
  await db`UPDATE event_counts_until SET day = (SELECT date_trunc('day', min(created_at), 'UTC') FROM events)`;
  while (await countDay(db, new Date()));
}

/** Frees what dead rows take, and counts the rows. */
export async function vacuum(db: Sql): Promise<void> {
  await db`VACUUM ANALYZE`;
}

const WRITES: Readonly<Record<string, (db: Sql) => Promise<unknown>>> = {
  transactions: (db) => db`
    INSERT INTO transactions (id, user_id, transaction_type, status, amount_cents, currency, reason, created_at, updated_at)
    SELECT id, user_id, CASE kind WHEN 'transfer' THEN 'ai_credit_transfer' ELSE 'rental_charge' END, 'completed',
      2500, 'USD', CASE kind WHEN 'transfer' THEN 'AI credit' ELSE 'Rental of node-1, a month' END, at, at
    FROM changes WHERE kind IN ('transfer', 'extension') ORDER BY number`,
  movements: (db) => db`
    INSERT INTO movements (id, transaction_id, user_id, from_account, to_account, amount_micros, created_at)
    SELECT ${newId(db)}, id, user_id, 'general:' || user_id, account, 23750000, at
    FROM changes JOIN (VALUES ('transfer', 'ai:'), ('transfer', 'fees'), ('extension', 'sales')) legs (of_kind, account) ON of_kind = kind
    ORDER BY number`,
  invoices: (db) => db`
    INSERT INTO invoices (id, user_id, transaction_id, invoice_number, status, amount_cents, currency, seller, buyer,
      billing_details, items, issue_date, due_date, paid_date, created_at, updated_at)
    SELECT ${newId(db)}, user_id, id, '2026-' || lpad(number::text, 8, '0'), 'paid', 2500, 'USD',
      '{"name":"Berth","details":["1 Harbour Road","12345 Port"]}', json_build_object('id', user_id, 'name', 'a user', 'email', 'user@example.org'),
      '{"name":"A user","address":"2 Harbour Road","city":"Port","country":"DE"}',
      json_build_array(json_build_object('description', 'Rental of node-1, a month', 'quantity', 1, 'amount', '25.00')), at, at, at, at, at
    FROM changes WHERE kind = 'extension' ORDER BY number`,
  events: (db) => db`
    INSERT INTO events (id, event_type, resource_type, resource_id, user_id, project_id, container_id, realm_id, data, created_at)
    SELECT ${newId(db)}, type, split_part(type, '.', 1), CASE WHEN is_container THEN container_id ELSE user_id END, user_id,
      CASE WHEN is_container THEN project_id END, CASE WHEN is_container THEN container_id END,
      CASE WHEN is_container THEN project_id END,
      CASE WHEN is_container THEN jsonb_build_object('name', 'web-1', 'by', user_id)
        ELSE jsonb_build_object('transaction_id', id, 'gross', '25.00', 'fee', '1.25') END, at
    FROM (
      SELECT *, kind IN ('keyed', 'minted') AS is_container, CASE
        WHEN kind IN ('keyed', 'minted') THEN (ARRAY['container.running', 'container.stopped', 'firewall.rule_added'])[1 + number % 3]
        WHEN kind = 'transfer' THEN 'user.credit_transferred' WHEN kind = 'sign-in' THEN 'user.logged_in'
        ELSE 'server.extended' END AS type
      FROM changes WHERE kind NOT IN ('notification', 'audit')
    ) typed ORDER BY number`,
  receipts: (db) => db`
    INSERT INTO receipts (actor_id, key, fingerprint, reply, actor_version, minted, created_at)
    SELECT CASE kind WHEN 'transfer' THEN user_id ELSE container_id END,
      CASE kind WHEN 'transfer' THEN 'wallet.transfer:' ELSE 'container.add_firewall_rule:' END || gen_random_uuid(),
      CASE kind WHEN 'transfer' THEN '{"amount":"25.00","expected_fee_bps":500}' ELSE '{"direction":"ingress","port":443}' END,
      CASE kind WHEN 'transfer'
        THEN json_build_object('status', 'ok', 'value', json_build_object('gross_transferred', '25.00', 'net_ai_credit', '23.75',
          'fee', '1.25', 'general_balance', '975.00', 'ai_balance', '23.750000'), 'version', number)
        ELSE json_build_object('status', 'ok', 'value', json_build_object('id', id, 'container_id', container_id, 'direction', 'ingress',
          'action', 'allow', 'protocol', 'tcp', 'port', 443, 'source', '0.0.0.0/0', 'enabled', true, 'created_at', at), 'version', number) END,
      number, kind = 'minted', at
    FROM changes
    WHERE kind IN ('transfer', 'keyed') OR (kind = 'minted' AND at > now() - ${KEPT_DAYS.mintedReceipts}::int * interval '1 day')
    ORDER BY number`,
  outbox: (db) => db`
    INSERT INTO outbox (partition, seq, topic, body, created_at)
    SELECT ('x' || substr(md5(user_id), 1, 4))::bit(16)::int % 64, row_number() OVER (ORDER BY created_at), 'event', row_to_json(e), created_at
    FROM events e WHERE created_at > now() - ${KEPT_DAYS.outbox}::int * interval '1 day' ORDER BY created_at`,
  webhook_deliveries: (db) => db`
    INSERT INTO webhook_deliveries (id, webhook_id, message_id, event_id, event_type, thing, payload, status, attempts,
      first_attempt_at, last_attempt_at, response_status, response_body, duration_ms, created_at, finished_at)
    SELECT substr(md5(id), 1, 24), right(user_id, 24), 'msg_' || id, id, event_type, resource_id,
      json_build_object('type', event_type, 'timestamp', created_at, 'data', row_to_json(e))::text, 'delivered', 1,
      created_at, created_at, 200, repeat('x', ${WEBHOOK_REPLY_BYTES}::int), 50, created_at, created_at
    FROM events e
    WHERE created_at > now() - ${KEPT_DAYS.deliveries}::int * interval '1 day'
      AND user_id IN (SELECT lpad(to_hex(n), 24, 'a') FROM generate_series(0, ${WRITTEN_USERS - 1}::int, ${USERS_PER_WEBHOOK}::int) n)
    ORDER BY created_at`,
  notifications: (db) => db`
    INSERT INTO notifications (id, inbox_id, title, body, level, public, event_id, event_type, resource_type, resource_id, created_at)
    SELECT id, user_id, 'Your container web-1 stopped', 'web-1 on node-1 stopped with exit code 1, and was started again.', 'warning', false,
      md5(id), 'container.error', 'container', container_id, at
    FROM changes WHERE kind = 'notification' ORDER BY number`,
  audit_entries: (db) => db`
    INSERT INTO audit_entries (id, user_id, by_id, act, data, created_at)
    SELECT id, user_id, user_id, 'token_created', json_build_object('token_id', id, 'name', 'deploy', 'address', '192.0.2.7'), at
    FROM changes WHERE kind = 'audit' ORDER BY number`,
};

export interface TableSize {
  readonly name: string;
  readonly rows: number;
  /** With what is stored out of line. */
  readonly tableBytes: number;
  readonly indexBytes: number;
}

/** The tables of the schema, after `vacuum`; partitions count as their parent. */
export const readTableSizes = (db: Sql): Promise<TableSize[]> => db<TableSize[]>`
  SELECT coalesce(i.inhparent, c.oid)::regclass::text AS name, sum(greatest(c.reltuples, 0))::float8 AS rows,
    sum(pg_table_size(c.oid))::float8 AS "tableBytes", sum(pg_indexes_size(c.oid))::float8 AS "indexBytes"
  FROM pg_class c LEFT JOIN pg_inherits i ON i.inhrelid = c.oid
  WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r'
  GROUP BY 1 ORDER BY sum(pg_total_relation_size(c.oid)) DESC`;

export interface IndexSize {
  readonly name: string;
  readonly table: string;
  readonly bytes: number;
}

/** The indexes of the schema, largest first; those of partitions count as their parent's. */
export const readIndexSizes = (db: Sql): Promise<IndexSize[]> => db<IndexSize[]>`
  SELECT coalesce(p.inhparent, x.indexrelid)::regclass::text AS name, coalesce(t.inhparent, x.indrelid)::regclass::text AS table,
    sum(pg_relation_size(x.indexrelid))::float8 AS bytes
  FROM pg_index x JOIN pg_class c ON c.oid = x.indexrelid
  LEFT JOIN pg_inherits p ON p.inhrelid = x.indexrelid LEFT JOIN pg_inherits t ON t.inhrelid = x.indrelid
  WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'i'
  GROUP BY 1, 2 ORDER BY 3 DESC`;
