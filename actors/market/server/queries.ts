import type { Role } from "../../../schemas/accounts/pool.ts";
import type {
  AVAILABLE_SORT,
  AvailableServer,
  CPU_SCORES,
  ServerSpecs,
  ServerStatus,
  StockServer,
} from "../../../schemas/market/server.ts";
import type { CountedSlice, PageOf } from "../../../schemas/paging.ts";
import type { BY_NAME } from "../../../schemas/sorting.ts";
import {
  isNamed,
  keyset,
  type Positioned,
  readTotal,
  sliceOf,
  whenGiven,
} from "../../platform/db/keyset/queries.ts";
import type { Sql } from "../../platform/db/sql.ts";
import { stockRevision } from "./rules.ts";

interface ServerRow {
  id: string;
  name: string;
  kind: StockServer["kind"];
  parent_id: string | null;
  status: ServerStatus;
  specs: ServerSpecs;
  prices: Record<string, number>;
  setup_fee_cents: bigint;
  rental_id: string | null;
  joined_at: Date | null;
  delivered_by_hand: boolean;
  created_at: Date;
  updated_at: Date;
}

/** With who rents the server, as operators see it. */
interface StockServerRow extends ServerRow {
  renter_id: string | null;
  renter_name: string | null;
  rental_end: Date | null;
  awaits_delivery: boolean | null;
  host: string;
  host_draining: boolean;
}

export interface AvailableFilter {
  readonly country?: string | undefined;
  readonly region?: string | undefined;
  /** USD as text, since a float would miss equal prices. */
  readonly maxPricePerDay?: string | undefined;
  readonly durations?: readonly number[] | undefined;
  readonly minCpuCores?: number | undefined;
  readonly minCpuScore?: number | undefined;
  readonly cpuScoreType: (typeof CPU_SCORES)[number];
  readonly minRamGb?: number | undefined;
  readonly ramTypes?: readonly string[] | undefined;
  readonly minTotalStorageGb?: number | undefined;
  readonly diskTypes?: readonly string[] | undefined;
  readonly minBandwidthMbps?: number | undefined;
  readonly minTrafficTb?: number | undefined;
  readonly unlimitedTrafficOnly: boolean;
  readonly category?: string | undefined;
  readonly featuredOnly: boolean;
}

/** A page of the servers of the stock that match a filter, the lowest price a day first, and by name where it is equal (spec §4.1). */
export async function listAvailable(
  db: Sql,
  filter: AvailableFilter,
  page: PageOf<typeof AVAILABLE_SORT>,
): Promise<CountedSlice<AvailableServer>> {
  const when = whenGiven(db);
  const matching = db`
    FROM servers
    WHERE status = 'in_stock' AND kind = 'dedicated' AND price_per_day_cents IS NOT NULL
      AND (joined_at IS NOT NULL OR delivered_by_hand)
      AND coalesce(parent_id, id) NOT IN (
        SELECT s.id FROM host_machines h JOIN servers s ON s.name = h.name WHERE h.draining AND h.removed_at IS NULL)
      ${when(filter.country, (country) => db`AND country = ${country}`)}
      ${when(filter.region, (region) => db`AND region = ${region}`)}
      ${when(filter.category, (category) => db`AND category = ${category}`)}
      ${when(filter.minCpuCores, (cores) => db`AND cpu_cores >= ${cores}`)}
      ${when(filter.minCpuScore, (least) => db`AND ${db(filter.cpuScoreType)} >= ${least}`)}
      ${when(filter.minRamGb, (gb) => db`AND ram_gb >= ${gb}`)}
      ${when(filter.ramTypes, (types) => db`AND ram_type = ANY (${[...types]}::text[])`)}
      ${when(filter.minTotalStorageGb, (gb) => db`AND total_storage_gb >= ${gb}`)}
      ${when(filter.diskTypes, (types) => db`AND disk_types && ${[...types]}::text[]`)}
      ${when(filter.minBandwidthMbps, (mbps) => db`AND bandwidth_mbps >= ${mbps}`)}
      ${when(filter.minTrafficTb, (tb) => db`AND traffic_tb >= ${tb}`)}
      ${filter.unlimitedTrafficOnly ? db`AND traffic_tb = 'Infinity'` : db``}
      ${filter.featuredOnly ? db`AND featured` : db``}
      ${when(filter.durations, (days) => db`AND durations && ${[...days]}::int[]`)}
      ${when(filter.maxPricePerDay, (usd) =>
        // Without a filter on lengths the lowest price of all lengths counts, which has an index.
        filter.durations === undefined
          ? db`AND price_per_day_cents <= ${usd}::numeric * 100`
          : db`AND price_per_day_cents <= ${usd}::numeric * 100 AND EXISTS (
              SELECT FROM jsonb_each_text(prices) p
              WHERE p.key::int = ANY (${[...filter.durations]}::int[]) AND p.value::numeric / p.key::int <= ${usd}::numeric * 100)`,
      )}`;
  const columns = { price_per_day: db`price_per_day_cents`, name: db`name`, created_at: db`created_at` };
  // Of the stock no two have one name.
  const { position, isAfter, order } = keyset(db, page, columns, db`name`);
  const [rows, total] = await Promise.all([
    db<Positioned<ServerRow & { total_storage_gb: bigint }>[]>`
      SELECT id, name, specs, prices, setup_fee_cents, total_storage_gb,
        parent_id, delivered_by_hand AND joined_at IS NULL AS delivered_by_hand, ${position}
      ${matching} AND ${isAfter} ORDER BY ${order}`,
    readTotal(db, matching),
  ]);
  return { ...sliceOf(rows, page, toAvailable), total };
}

function toAvailable(row: ServerRow & { total_storage_gb: bigint }): AvailableServer {
  const setupFee = Number(row.setup_fee_cents);
  const tiers = Object.entries(row.prices).map(([days, price]) => [
    days,
    {
      price,
      price_per_day: Math.round((price * 100) / Number(days)) / 10_000,
      setup_fee: setupFee,
      total_first_payment: price + setupFee,
    },
  ]);
  return {
    id: row.id,
    name: row.name,
    specs: row.specs,
    total_storage_gb: Number(row.total_storage_gb),
    unlimited_traffic: row.specs.traffic_tb === null,
    is_subserver: row.parent_id !== null,
    delivered_by_hand: row.delivered_by_hand,
    pricing: {
      currency: "USD",
      setup_fee_cents: setupFee,
      price_tiers: Object.fromEntries(tiers),
    },
  };
}

/** Servers `s` of the stock, each with its renter. */
const stockColumns = (db: Sql) => db`s.*, r.user_id AS renter_id, a.username AS renter_name, r.rental_end,
  r.awaits_delivery AND r.status = 'active' AS awaits_delivery,
  coalesce((SELECT whole.name FROM servers whole WHERE whole.id = s.parent_id), s.name) AS host,
  EXISTS (SELECT FROM host_machines h JOIN servers whole ON whole.name = h.name
    WHERE whole.id = coalesce(s.parent_id, s.id) AND h.draining AND h.removed_at IS NULL) AS host_draining`;
const stockTables = (db: Sql) =>
  db`servers s LEFT JOIN rentals r ON r.id = s.rental_id LEFT JOIN accounts a ON a.id = r.user_id`;

export interface StockFilter {
  /** Those that this user rents. */
  readonly user_id?: string | undefined;
  readonly status?: ServerStatus | undefined;
}

/** A page of all servers, for operators, by name. */
export async function listStock(
  db: Sql,
  { user_id, status }: StockFilter,
  page: PageOf<typeof BY_NAME>,
): Promise<CountedSlice<StockServer>> {
  const when = whenGiven(db);
  const { position, isAfter, order } = keyset(
    db,
    page,
    { name: db`s.name`, created_at: db`s.created_at` },
    db`s.id`,
  );
  const listed = db`FROM ${stockTables(db)} WHERE true ${isNamed(db, page, db`s.name`)}
    ${when(user_id, (user) => db`AND r.user_id = ${user}`)} ${when(status, (one) => db`AND s.status = ${one}`)}`;
  const [rows, total] = await Promise.all([
    db<Positioned<StockServerRow>[]>`
      SELECT ${stockColumns(db)}, ${position} ${listed} AND ${isAfter} ORDER BY ${order}`,
    readTotal(db, listed),
  ]);
  return { ...sliceOf(rows, page, toStock), total };
}

export type StockRow = StockServer & { readonly revision: string };

/** The whole stock, by name. */
export async function readWholeStock(db: Sql): Promise<StockRow[]> {
  const rows = await db<StockServerRow[]>`
    SELECT ${stockColumns(db)} FROM ${stockTables(db)} WHERE s.status <> 'retired' ORDER BY s.name, s.id`;
  return rows.map(toStockRow);
}

/** The servers that have one of these ids or names. */
export async function readStockOf(
  db: Sql,
  ids: readonly string[],
  names: readonly string[],
): Promise<StockRow[]> {
  const rows = await db<StockServerRow[]>`
    SELECT ${stockColumns(db)} FROM ${stockTables(db)} WHERE s.status <> 'retired'
      AND (s.id = ANY (${[...ids]}::text[]) OR s.name = ANY (${[...names]}::text[]))`;
  return rows.map(toStockRow);
}

/** A server as operators see it; undefined if there is none with this id. */
export async function readStock(db: Sql, id: string): Promise<StockServer | undefined> {
  const [row] = await db<StockServerRow[]>`
    SELECT ${stockColumns(db)} FROM ${stockTables(db)} WHERE s.id = ${id}`;
  return row === undefined ? undefined : toStock(row);
}

const toStock = (row: StockServerRow): StockServer => ({
  id: row.id,
  name: row.name,
  kind: row.kind,
  parent_id: row.parent_id,
  status: row.status,
  specs: row.specs,
  prices: row.prices,
  setup_fee_cents: Number(row.setup_fee_cents),
  rental_id: row.rental_id,
  renter: renterOf(row),
  host: row.host,
  host_joined_at: row.joined_at?.toISOString() ?? null,
  host_draining: row.host_draining,
  delivered_by_hand: row.delivered_by_hand,
  created_at: row.created_at.toISOString(),
  updated_at: row.updated_at.toISOString(),
});

const renterOf = ({ renter_id, renter_name, rental_end, awaits_delivery }: StockServerRow) =>
  renter_id === null || rental_end === null
    ? null
    : {
        user_id: renter_id,
        username: renter_name ?? renter_id,
        rental_end: rental_end.toISOString(),
        awaits_delivery: awaits_delivery === true,
      };

const toStockRow = (row: StockServerRow): StockRow => {
  const { specs, prices, delivered_by_hand: deliveredByHand } = row;
  const setupFeeCents = Number(row.setup_fee_cents);
  return { ...toStock(row), revision: stockRevision({ specs, prices, setupFeeCents, deliveredByHand }) };
};

/** Servers with this name whose hosts have not joined yet. A retired server may have had the same name. */
export async function listNotJoined(db: Sql, name: string): Promise<string[]> {
  const rows = await db<{ id: string }[]>`
    SELECT s.id FROM servers s LEFT JOIN servers p ON p.id = s.parent_id
    WHERE coalesce(p.name, s.name) = ${name} AND s.status <> 'retired' AND s.joined_at IS NULL
      AND NOT ${mayBeRemoved(db)}`;
  return rows.map((row) => row.id);
}

/** Whether an agent that answers may be that of a removed host, whose credential NATS does not refuse yet. */
const mayBeRemoved = (db: Sql) => db`EXISTS (SELECT FROM host_machines h
  WHERE h.name = coalesce(p.name, s.name) AND h.removed_at IS NOT NULL AND h.ended_accounts <> '[]')`;

/** Containers whose hosts were not told of the newest specifications of their server, with the number of that change. */
export async function listOutdatedSpecs(db: Sql): Promise<{ id: string; revision: number }[]> {
  const rows = await db<{ id: string; specs_revision: bigint }[]>`
    SELECT c.id, s.specs_revision ${outdatedSpecs(db)}`;
  return rows.map((row) => ({ id: row.id, revision: Number(row.specs_revision) }));
}

const outdatedSpecs = (db: Sql) => db`
  FROM servers s JOIN containers c ON c.server_id = s.id
  WHERE s.specs_revision > 0 AND c.specs_revision < s.specs_revision AND c.desired_state <> 'deleted'`;

/** Whether any of `listOutdatedSpecs` is there. */
export const hasOutdatedSpecs = (db: Sql) => db`EXISTS (SELECT ${outdatedSpecs(db)})`;

/** Servers whose hosts were removed after they had joined, with the times of the removals. */
export async function listLeft(db: Sql): Promise<{ id: string; removed_at: string }[]> {
  const rows = await db<{ id: string; removed_at: Date }[]>`
    SELECT s.id, max(h.removed_at) AS removed_at ${left(db)} GROUP BY s.id`;
  return rows.map(({ id, removed_at }) => ({ id, removed_at: removed_at.toISOString() }));
}

const left = (db: Sql) => db`
  FROM servers s LEFT JOIN servers p ON p.id = s.parent_id
    JOIN host_machines h ON h.name = coalesce(p.name, s.name) AND h.removed_at >= s.joined_at
  WHERE s.status <> 'retired'`;

/**
 * Whether a server's host was removed after it had joined, or a server that is so new that its operator may be looking has no host yet.
 *
 * @param newSince when such a server was created at the earliest
 */
export const hasLeftOrNew = (db: Sql, newSince: Date) => db`
  (EXISTS (SELECT ${left(db)})
    OR EXISTS (SELECT FROM servers WHERE joined_at IS NULL AND status <> 'retired' AND created_at > ${newSince}))`;

/** Servers whose hosts have not joined, in any order, with the names of the hosts. */
export async function listNotJoinedHosts(db: Sql, max: number): Promise<{ id: string; name: string }[]> {
  return db<{ id: string; name: string }[]>`
    SELECT s.id, coalesce(p.name, s.name) AS name FROM servers s LEFT JOIN servers p ON p.id = s.parent_id
    WHERE s.joined_at IS NULL AND s.status <> 'retired' AND NOT ${mayBeRemoved(db)} ORDER BY random() LIMIT ${max}`;
}

/** Where the containers of a server run: on the host of a physical server, and maybe on a part of it. */
export interface HostPlacement {
  readonly server_id: string;
  readonly server_name: string;
  readonly subserver_id: string | null;
  readonly subserver_name: string | null;
}

export async function readHostPlacement(db: Sql, serverId: string): Promise<HostPlacement | undefined> {
  const [row] = await db<HostPlacement[]>`
    SELECT coalesce(p.id, s.id) AS server_id, coalesce(p.name, s.name) AS server_name,
      CASE WHEN p.id IS NOT NULL THEN s.id END AS subserver_id,
      CASE WHEN p.id IS NOT NULL THEN s.name END AS subserver_name
    FROM servers s LEFT JOIN servers p ON p.id = s.parent_id WHERE s.id = ${serverId}`;
  return row === undefined ? undefined : { ...row };
}

/** The specification of a server or subserver; undefined if there is none with this id. */
export async function readServerSpecs(db: Sql, serverId: string): Promise<ServerSpecs | undefined> {
  const [row] = await db<{ specs: ServerSpecs }[]>`SELECT specs FROM servers WHERE id = ${serverId}`;
  return row?.specs;
}

/** Whether a physical server has subservers that are not retired. */
export async function hasSubservers(db: Sql, serverId: string): Promise<boolean> {
  const rows = await db`SELECT FROM servers WHERE parent_id = ${serverId} AND status <> 'retired' LIMIT 1`;
  return rows.length > 0;
}

/** The server with this id if the user rents it now or can access it through a pool, with the user's role. `name` is its host's. */
export async function readRentedServer(
  db: Sql,
  userId: string,
  serverId: string,
): Promise<{ id: string; name: string; role: Role; joined: boolean } | undefined> {
  const rows = await db<{ id: string; name: string; role: Role; joined: boolean }[]>`
    SELECT s.id, coalesce(p.name, s.name) AS name, a.role, s.joined_at IS NOT NULL AS joined
    FROM server_access a JOIN servers s ON s.id = a.server_id JOIN rentals r ON r.id = s.rental_id
      LEFT JOIN servers p ON p.id = s.parent_id
    WHERE s.id = ${serverId} AND a.user_id = ${userId} AND r.status = 'active'
      AND (r.rental_end > now() OR r.awaits_delivery)`;
  return rows.find(({ role }) => role === "owner") ?? rows[0];
}

/** Containers that run although the rental of their server has ended. */
export async function listContainersPastRental(db: Sql): Promise<string[]> {
  const rows = await db<{ id: string }[]>`SELECT c.id ${pastRental(db)}`;
  return rows.map((row) => row.id);
}

const pastRental = (db: Sql) => db`
  FROM servers s JOIN containers c ON c.server_id = s.id
  WHERE s.status IN ('grace', 'cleaning') AND c.desired_state = 'running'`;

/** Whether any of `listContainersPastRental` or `listCleaning` is there. */
export const hasEndedRental = (db: Sql) => db`
  (EXISTS (SELECT ${pastRental(db)}) OR EXISTS (SELECT FROM servers WHERE status = 'cleaning'))`;

/** A server to be cleaned, with the containers and storage shares on it that are not being deleted yet. */
export interface CleaningServer {
  readonly id: string;
  readonly containers: string[];
  readonly shares: string[];
  /** How much remains on the server: containers, storage shares and aliases. */
  readonly left: number;
}

export async function listCleaning(db: Sql): Promise<CleaningServer[]> {
  return db<CleaningServer[]>`
    SELECT s.id, ARRAY(SELECT id FROM storage_shares h WHERE h.server_id = s.id AND h.desired_state <> 'deleted') AS shares,
      count(c.id)::int + (SELECT count(*)::int FROM storage_shares h WHERE h.server_id = s.id) + (SELECT count(*)::int FROM aliases a
        WHERE a.subserver_id = s.id OR (a.server_id = s.id AND a.subserver_id IS NULL)) AS left,
      coalesce(array_agg(c.id) FILTER (WHERE c.desired_state <> 'deleted'), '{}') AS containers
    FROM servers s LEFT JOIN containers c ON c.server_id = s.id
    WHERE s.status = 'cleaning' GROUP BY s.id`;
}
