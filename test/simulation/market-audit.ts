import type { Row } from "../../actors/runtime/definition.ts";
import { fnv1a, PARTITIONS } from "../../actors/runtime/partition.ts";
import type { Cluster } from "./cluster.ts";
import type { Applied } from "./database.ts";
import type { Alarm } from "./market.ts";
import { isCalm, type Market } from "./plan.ts";

/** A timer rings this soon while there is somebody to ring it. */
const LATE_MS_MAX = 1_000;
/** So long after the trouble connections that hang are noticed. */
const STEADY_AFTER_MS = 3_500;
/** The fingerprint of what was taken back before it was done. */
const TAKEN_BACK = "aborted";

interface Order {
  readonly shop: string;
  readonly till: string;
  readonly price: number;
  /** The key under which the till is asked. */
  readonly key: string;
}

/** What must hold of shops, tills and alarms. Answers each breach as a line. */
export function* auditMarket(
  cluster: Cluster,
  market: Market,
  topUps: ReadonlyMap<string, number>,
): Generator<string> {
  const orders = new Map<string, Order>();
  yield* books(cluster, market, orders);
  yield* payments(cluster, market, orders, topUps);
  yield* alarms(cluster);
  for (const { kind, actor_id, name } of cluster.database.tables.all("tasks")) {
    yield `${kind}/${actor_id} still has ${name} to do`;
  }
}

/** After every single commit what is on the shelf, sold, and waiting to be paid is what there was, and orders lapse once. */
function* books({ database }: Cluster, { stock }: Market, orders: Map<string, Order>): Generator<string> {
  const tasks = new Map<string, Row>();
  const shops = new Map<string, Row>();
  const patient = new Set<string>();
  for (const { atMs, commit } of database.applied) {
    const { insert = [], update = [], remove = [] } = commit.writes.get("tasks") ?? {};
    for (const row of [...insert, ...update]) tasks.set(`${row.actor_id} ${row.name}`, row);
    for (const row of remove) tasks.delete(`${row.actor_id} ${row.name}`);
    for (const row of insert) {
      const [verb, order = ""] = String(row.name).split(":");
      if (verb === "pay") orders.set(order, toOrder(row));
      else if (verb === "lapse") patient.add(order);
    }
    const written = commit.writes.get("shops")?.update ?? [];
    for (const row of written) shops.set(String(row.id), row);
    for (const { id, stock: left, sold } of written) {
      const open = [...tasks.values()].filter((row) => row.actor_id === id && row.target_kind !== null);
      if (Number(left) + Number(sold) + open.length !== stock) {
        yield `at ${atMs.toFixed(3)} ${id} has ${left} left, ${sold} sold and ${open.length} unpaid, of ${stock}`;
      }
      for (const { name, aborting } of open) {
        const order = String(name).slice("pay:".length);
        const waits = tasks.has(`${id} lapse:${order}`);
        if (patient.has(order) && waits === aborting) {
          yield `at ${atMs.toFixed(3)} order ${order} of ${id} ${waits ? "is taken back and" : "neither is taken back nor"} waits`;
        }
      }
    }
  }
}

/** Each order was paid once, or not at all, as its buyer was told; tills have what was put in and not taken out. */
function* payments(
  { database: { tables } }: Cluster,
  market: Market,
  orders: ReadonlyMap<string, Order>,
  topUps: ReadonlyMap<string, number>,
): Generator<string> {
  const money = new Map<string, number>();
  const put = (till: string, by: number) => money.set(till, (money.get(till) ?? market.money) + by);
  const sold = new Map<string, number>();
  for (const [order, { shop, till, price, key }] of orders) {
    const end = tables.get("receipts", shop, `shop.$saga:${order}`)?.reply as Ended | undefined;
    const receipt = tables.get("receipts", till, `till.put:${key}`);
    const isPaid = receipt !== undefined && receipt.fingerprint !== TAKEN_BACK;
    if (end === undefined) yield `order ${order} of ${shop} never ended`;
    else if (isPaid !== (end.status === "ok")) {
      yield `order ${order} of ${shop} ended as ${JSON.stringify(end)}, and ${isPaid ? "was" : "was not"} paid`;
    }
    if (end?.status === "error" && receipt === undefined) yield `order ${order} may still be paid`;
    if (isPaid) put(till, -price);
    if (end?.status === "ok") sold.set(shop, (sold.get(shop) ?? 0) + 1);
  }
  for (const row of tables.all("receipts")) {
    const key = String(row.key).replace(/^till\.put:/, "");
    const by = key === row.key ? undefined : topUps.get(key);
    if (by !== undefined) put(String(row.actor_id), by);
  }
  for (const { id, money: left } of tables.all("tills")) {
    const right = money.get(String(id)) ?? market.money;
    if (left !== right) yield `${id} has ${left}, and should have ${right}`;
  }
  for (const { id, sold: counted } of tables.all("shops")) {
    const right = sold.get(String(id)) ?? 0;
    if (counted !== right) yield `${id} counts ${counted} sold, and ${right} orders ended so`;
  }
}

/** Every timer rang that was not cleared or set again, no other, none before its time, and none too late. */
function* alarms(cluster: Cluster): Generator<string> {
  for (const { id, ...state } of cluster.database.tables.all("alarms")) {
    const { armed, rings } = state as unknown as Alarm;
    for (const name of Object.keys(armed)) yield `${name} of ${id} never rang`;
    for (const { dueAt, early, wrong } of rings) {
      if (wrong) yield `${id} rang for ${dueAt}, which was cleared or set again`;
      // A clock that was set back between the two readings of it is early by itself.
      if (early && !cluster.plan.incidents.includes("jump host's clock")) yield `${id} rang before ${dueAt}`;
    }
  }
  const rung = new Map<string, number>();
  for (const applied of cluster.database.applied) {
    const { insert = [], update = [] } = applied.commit.writes.get("alarms") ?? {};
    for (const { id, ...state } of [...insert, ...update]) {
      const { rings } = state as unknown as Alarm;
      for (const { dueAt } of rings.slice(rung.get(String(id)) ?? 0)) {
        const lateMs = lateness(cluster, applied, String(id), new Date(dueAt).getTime());
        if (lateMs > LATE_MS_MAX) yield `${id} rang for ${dueAt} ${lateMs.toFixed(0)} ms too late`;
      }
      rung.set(String(id), rings.length);
    }
  }
}

/** How long a timer waited that could have rung, by the clock of the host that rang it. */
function lateness(cluster: Cluster, { atMs, commit }: Applied, alarm: string, dueMs: number): number {
  const process = cluster.processes.get(commit.owner);
  if (process === undefined) return 0;
  const steadyMs = isCalm(cluster.plan) ? 0 : cluster.healedAtMs + STEADY_AFTER_MS;
  // Of the larger map, unless its partition was not split yet.
  const hash = fnv1a(`alarm/${alarm}`);
  const places = [2 * PARTITIONS, PARTITIONS].map((partitions) => hash % partitions);
  const partition = places.find((place) => commit.leases.some((lease) => lease.partition === place));
  const epoch = commit.leases.find((lease) => lease.partition === partition)?.epoch;
  const ownedMs = cluster.database.acquiredAtMs.get(`${partition}@${epoch}`) ?? 0;
  const wallMs = (ms: number) => process.wallMs(ms);
  return wallMs(atMs) - Math.max(dueMs, wallMs(steadyMs), wallMs(ownedMs));
}

type Ended = { readonly status: string; readonly code?: string };

const toOrder = (row: Row): Order => ({
  shop: String(row.actor_id),
  till: String(row.target_id),
  price: -(row.input as { by: number }).by,
  key: String(row.key),
});
