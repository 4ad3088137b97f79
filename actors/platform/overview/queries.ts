import { OFFLINE_AFTER_SECONDS } from "../../../schemas/hosting/host.ts";
import { type Attention, type AttentionKind, type Holdings, NAMES_MAX } from "../../../schemas/overview.ts";
import type { Sql } from "../db/sql.ts";

/** What an operator has, and what waits for an operator, of all domains in a few statements. */

/** Whether host `h` answers. */
const isOnline = (db: Sql) => db`
  coalesce(h.last_seen_at > now() - ${`${OFFLINE_AFTER_SECONDS} seconds`}::interval AND h.silent_since IS NULL, false)`;

export async function readHoldings(db: Sql): Promise<Holdings> {
  const [row] = await db<Holdings[]>`
    SELECT
      (SELECT count(*)::int FROM accounts WHERE deletion IS NULL AND suspension IS NULL) AS users,
      (SELECT count(*)::int FROM host_machines h WHERE h.removed_at IS NULL) AS hosts,
      (SELECT count(*)::int FROM host_machines h WHERE h.removed_at IS NULL AND ${isOnline(db)}) AS hosts_online,
      (SELECT count(*)::int FROM servers WHERE status <> 'retired') AS servers,
      (SELECT count(*)::int FROM rentals WHERE status = 'active') AS servers_rented,
      (SELECT count(*)::int FROM containers WHERE desired_state <> 'deleted') AS containers,
      (SELECT count(*)::int FROM containers WHERE desired_state <> 'deleted' AND state = 'running')
        AS containers_running`;
  return row as Holdings;
}

/** What waits for an operator, by kind, with the first names. Kinds of which there is nothing are absent. */
export async function listAttention(db: Sql): Promise<Attention[]> {
  return db<(Attention & { kind: AttentionKind })[]>`
    WITH waiting (kind, place, name) AS (
      SELECT 'hosts_not_heard_of', h.name, h.name FROM host_machines h
        WHERE h.removed_at IS NULL AND h.last_seen_at IS NOT NULL AND NOT ${isOnline(db)}
      UNION ALL
      SELECT 'certificates_failing', c.name, c.name FROM certificates c WHERE c.failures > 0
      UNION ALL
      SELECT 'rentals_without_host', r.rental_start::text, r.server_name FROM rentals r JOIN servers s ON s.id = r.server_id
        WHERE r.status = 'active' AND s.joined_at IS NULL
      UNION ALL
      SELECT CASE WHEN delivery_due < now() THEN 'reservations_overdue' ELSE 'reservations_to_deliver' END,
          delivery_due::text, offer_name
        FROM reservations WHERE status = 'confirmed'
      UNION ALL
      SELECT 'payments_to_review', id, NULL FROM payment_reviews WHERE status = 'open'
    )
    SELECT kind, count(*)::int AS count,
      coalesce((array_agg(name ORDER BY place) FILTER (WHERE name IS NOT NULL))[:${NAMES_MAX}::int], '{}') AS names
    FROM waiting GROUP BY kind`;
}
