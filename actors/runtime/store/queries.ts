import { bounded, DatabaseTimeoutError } from "../../platform/db/bounded.ts";
import { openSql, type Sql } from "../../platform/db/sql.ts";
import { FencedError, OutcomeUnknownError, RejectedError, StaleError } from "../errors.ts";
import { receiptKey } from "../host/replies.ts";
import type { HostStatus, Lease, Receipt, Store, Task, TaskPosition } from "../ports.ts";
import { encodeWrites, type Layout, layOut } from "./encode-writes.ts";

/**
 * Commits and loads look rows up by key from a list of unknown length. The planner takes that length for a hundred rows and
 * would rather read a small table whole; these tell it to use the primary keys, which is right at every size.
 */
const BY_KEY_SESSION = { enable_hashjoin: "off", enable_mergejoin: "off", enable_seqscan: "off" } as const;

/** Loads and lease maintenance of one actor host. Commits have connections of their own. */
const READ_CONNECTIONS_MAX = 3;

/**
 * The database ends a statement of its own accord before that. The client may lose one altogether: it gives a statement to a
 * connection that is about to end, and never replies to it.
 */
const REPLY_MS_MAX = 20_000;

export interface PostgresStore extends Store {
  /** For the definitions' own loads. */
  readonly db: Sql;
  end(): Promise<void>;
}

/**
 * The runtime's store on PostgreSQL: a connection for each lane's commits, and a small pool for the rest.
 *
 * @param commitSession settings of the sessions that commit, for triggers
 */
export function postgresStore(
  url: string,
  lanes: number,
  commitSession: Readonly<Record<string, string>> = {},
): PostgresStore {
  let disconnected = () => {};
  const open = (name: string, max: number) =>
    openSql(url, {
      max,
      name,
      session: { ...BY_KEY_SESSION, ...commitSession },
      onClose: () => disconnected(),
    });
  const db = bounded(open("berth-actors", READ_CONNECTIONS_MAX), REPLY_MS_MAX);
  const commits = Array.from({ length: lanes }, (_, lane) => open(`berth-lane-${lane}`, 1));

  let layout: Layout | undefined;
  const readColumns = () => db<ColumnRow[]>`
    SELECT table_name, name, key_position FROM actor_columns ORDER BY table_position, position`;

  return {
    db,

    onDisconnect(callback) {
      disconnected = callback;
    },

    async primaryKeys() {
      const rows = await readColumns();
      const keys = rows.filter((row) => row.key_position !== null);
      keys.sort((a, b) => Number(a.key_position) - Number(b.key_position));
      return new Map(
        [...Map.groupBy(keys, (row) => row.table_name)].map(([table, columns]) => [
          table,
          columns.map((column) => column.name),
        ]),
      );
    },

    async commit(lane, { owner, leases, writes }) {
      const sql = commits[lane];
      if (sql === undefined) throw new Error(`lane ${lane} has no connection`);
      layout ??= layOut(await readColumns());
      const known = layout;
      // It may be that a migration has run since the columns were read: the next try reads them again.
      layout = undefined;
      // Outside of the `try`: what cannot be encoded is at fault itself, and no sign of a broken connection.
      const { slots, parts } = encodeWrites(writes, known);
      layout = known;
      try {
        const query = sql.unsafe(
          `SELECT commit_batch($1::text, $2::text::int[], $3::text::bigint[], $4::text, $5::text::int[], ARRAY[${placeholders(6, parts.length)}]::text[])`,
          [
            owner,
            `{${leases.map((lease) => lease.partition).join()}}`,
            `{${leases.map((lease) => lease.epoch).join()}}`,
            known.fingerprint,
            slots,
            ...parts,
          ],
          { prepare: true },
        );
        if (!(await isSettled(query, REPLY_MS_MAX))) {
          // Whatever became of it: the next one gets a connection that answers.
          commits[lane] = open(`berth-lane-${lane}`, 1);
          void sql.end({ timeout: 0 });
          throw new DatabaseTimeoutError(`a commit had no reply within ${REPLY_MS_MAX} ms`);
        }
        await query;
      } catch (error) {
        const failure = commitFailure(error);
        // A migration has run: the next try knows the new columns.
        if (failure instanceof StaleError) layout = undefined;
        throw failure;
      }
    },

    async receipts(keys) {
      const rows = await db<
        {
          actor_id: string;
          key: string;
          fingerprint: string;
          reply: unknown;
          actor_version: bigint;
          saga: string | null;
          saga_end: unknown;
        }[]
      >`
        SELECT r.actor_id, r.key, r.fingerprint, r.reply, r.actor_version, r.saga, e.reply AS saga_end
        FROM unnest(${keys.map((k) => k.actorId)}::text[], ${keys.map((k) => k.key)}::text[]) AS wanted (actor_id, key)
        JOIN receipts r ON r.actor_id = wanted.actor_id AND r.key = wanted.key
        LEFT JOIN receipts e ON r.saga IS NOT NULL AND e.actor_id = r.actor_id AND e.key = r.saga`;
      return rows.map(
        (row): Receipt => ({
          actorId: row.actor_id,
          key: row.key,
          fingerprint: row.fingerprint,
          reply: row.reply,
          version: Number(row.actor_version),
          ...(row.saga === null ? {} : { saga: { name: row.saga, end: row.saga_end ?? undefined } }),
        }),
      );
    },

    async tasksOf(actors) {
      const rows = await db<TaskRow[]>`
        SELECT t.* FROM unnest(${actors.map((a) => a.kind)}::text[], ${actors.map((a) => a.actorId)}::text[])
          AS wanted (kind, actor_id)
        JOIN tasks t ON t.kind = wanted.kind AND t.actor_id = wanted.actor_id`;
      return rows.map(toTask);
    },

    async tasksDue(partitions, until, after, limit) {
      const position: TaskPosition = after ?? { dueAt: new Date(0), kind: "", actorId: "", name: "" };
      // Each partition is read in the order of its index; only the soonest of all are kept.
      const rows = await db<TaskRow[]>`
        SELECT t.* FROM unnest(${[...partitions]}::int[]) AS owned (partition)
        CROSS JOIN LATERAL (
          SELECT * FROM tasks t
          WHERE t.partition = owned.partition AND t.due_at <= ${until}
            AND (t.due_at, t.kind, t.actor_id, t.name)
              > (${position.dueAt}, ${position.kind}, ${position.actorId}, ${position.name})
          ORDER BY t.due_at, t.kind, t.actor_id, t.name LIMIT ${limit}
        ) t
        ORDER BY t.due_at, t.kind, t.actor_id, t.name LIMIT ${limit}`;
      return rows.map(toTask);
    },

    cluster: () => readCluster(db),

    async renew(host, ttlMs, status) {
      const rows = await db<{ partition: number; epoch: bigint }[]>`
        WITH alive AS (
          INSERT INTO hosts (host, expires_at, status)
          VALUES (${host}, now() + ${ttlMs} * interval '1 ms', ${db.json({ ...status })})
          ON CONFLICT (host) DO UPDATE SET expires_at = excluded.expires_at, status = excluded.status
        ), held AS (
          SELECT partition FROM leases WHERE owner = ${host} ORDER BY partition FOR NO KEY UPDATE
        )
        UPDATE leases l SET expires_at = now() + ${ttlMs} * interval '1 ms'
        FROM held WHERE held.partition = l.partition
        RETURNING l.partition, l.epoch`;
      const [wal] = await db<{ timeline: string }[]>`SELECT current_timeline() AS timeline`;
      return { held: rows.map(toHeld), timeline: wal?.timeline ?? "" };
    },

    async acquire(host, partitions, ttlMs) {
      if (partitions.length === 0) return [];
      const rows = await db<{ partition: number; epoch: bigint }[]>`
        WITH free AS (
          SELECT partition FROM leases
          WHERE partition = ANY (${[...partitions]}::int[]) AND (owner IS NULL OR owner = ${host} OR expires_at < now())
          ORDER BY partition FOR NO KEY UPDATE
        )
        UPDATE leases l SET owner = ${host}, epoch = l.epoch + 1, expires_at = now() + ${ttlMs} * interval '1 ms',
          timeline = current_timeline()
        FROM free WHERE free.partition = l.partition
        RETURNING l.partition, l.epoch`;
      return rows.map(toHeld);
    },

    async release(host, partitions) {
      if (partitions.length === 0) return;
      await db`
        WITH held AS (
          SELECT partition FROM leases WHERE partition = ANY (${[...partitions]}::int[]) AND owner = ${host}
          ORDER BY partition FOR NO KEY UPDATE
        )
        UPDATE leases l SET owner = NULL, expires_at = now() FROM held WHERE held.partition = l.partition`;
    },

    async leave(host) {
      await db`DELETE FROM hosts WHERE host = ${host} OR expires_at < now() - interval '1 hour'`;
    },

    async sequences(partitions) {
      const rows = await db<{ partition: number; delivered: bigint; last: bigint }[]>`
        SELECT p.partition, p.seq AS delivered, greatest(p.seq, (
          SELECT o.seq FROM outbox o WHERE o.partition = p.partition ORDER BY o.seq DESC LIMIT 1)) AS last
        FROM outbox_progress p WHERE p.partition = ANY (${[...partitions]}::int[])`;
      return rows.map((row) => ({
        partition: row.partition,
        lastSeq: Number(row.last),
        deliveredSeq: Number(row.delivered),
      }));
    },

    async effectsAfter(partition, seq, limit) {
      const rows = await db<{ partition: number; seq: bigint; topic: string; body: object }[]>`
        SELECT partition, seq, topic, body FROM outbox
        WHERE partition = ${partition} AND seq > ${seq} ORDER BY seq LIMIT ${limit}`;
      return rows.map((row) => ({ ...row, seq: Number(row.seq) }));
    },

    async delivered(progress) {
      await db`
        UPDATE outbox_progress p SET seq = greatest(p.seq, done.seq)
        FROM unnest(${progress.map((p) => p.partition)}::int[], ${progress.map((p) => p.seq)}::bigint[])
          AS done (partition, seq), leases l
        WHERE p.partition = done.partition
          -- Numbers of another history say nothing of this one.
          AND l.partition = p.partition AND coalesce(l.timeline, current_timeline()) = current_timeline()`;
    },

    async rewind(partitions) {
      await db`
        UPDATE outbox_progress p SET seq = oldest.seq - 1
        FROM unnest(${[...partitions]}::int[]) AS wanted (partition)
        CROSS JOIN LATERAL (
          SELECT o.seq FROM outbox o WHERE o.partition = wanted.partition ORDER BY o.seq LIMIT 1) oldest
        WHERE p.partition = wanted.partition`;
    },

    async end() {
      await Promise.all([db, ...commits].map((sql) => sql.end({ timeout: 5 })));
    },
  };
}

export interface RowsQuery {
  readonly table: string;
  /** The column that is compared with the ids; it is in the rows too. */
  readonly key: string;
  readonly columns: readonly string[];
  /** Only rows that have these values; null: rows where the column is null. */
  readonly where?: Readonly<Record<string, string | null>>;
  readonly orderBy?: readonly string[];
}

/** Rows of a table by ids. Names come from definitions, and never from outside. */
export async function readRows(
  db: Sql,
  { table, key, columns, where = {}, orderBy = [] }: RowsQuery,
  ids: readonly string[],
): Promise<Readonly<Record<string, unknown>>[]> {
  const names = [...new Set([key, ...columns])];
  const conditions = Object.entries(where).reduce(
    (former, [column, value]) =>
      value === null ? db`${former} AND ${db(column)} IS NULL` : db`${former} AND ${db(column)} = ${value}`,
    db``,
  );
  const order = orderBy.reduce(
    (former, column, i) => (i === 0 ? db`ORDER BY ${db(column)}` : db`${former}, ${db(column)}`),
    db``,
  );
  return await db`
    SELECT ${db(names)} FROM ${db(table)} WHERE ${db(key)} = ANY (${[...ids]}::text[]) ${conditions} ${order}`;
}

/** Whether a promise settles in time. */
function isSettled(promise: PromiseLike<unknown>, ms: number): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(false), ms);
    const settle = () => {
      clearTimeout(timer);
      resolve(true);
    };
    promise.then(settle, settle);
  });
}

/** Whether the database replies. */
export async function pingDatabase(db: Sql): Promise<void> {
  await db`SELECT 1`;
}

export interface ClusterView {
  readonly hosts: { readonly host: string; readonly status: HostStatus | null }[];
  readonly partitions: (Lease & { readonly undelivered: number })[];
}

/** The cluster as operators see it: hosts that are alive, as each said of itself when it last renewed, and partitions. */
export async function readClusterView(db: Sql): Promise<ClusterView> {
  const hosts = await db<{ host: string; status: HostStatus | null }[]>`
    SELECT host, status FROM hosts WHERE expires_at >= now() ORDER BY host`;
  const partitions = await db<
    { partition: number; owner: string | null; epoch: bigint; expired: boolean; undelivered: bigint }[]
  >`
    SELECT l.partition, l.owner, l.epoch, l.expires_at < now() AS expired, greatest(0, coalesce((
      SELECT o.seq FROM outbox o WHERE o.partition = l.partition ORDER BY o.seq DESC LIMIT 1), 0) - p.seq) AS undelivered
    FROM leases l JOIN outbox_progress p ON p.partition = l.partition ORDER BY l.partition`;
  return {
    hosts: [...hosts],
    partitions: partitions.map((row) => ({
      ...row,
      epoch: Number(row.epoch),
      undelivered: Number(row.undelivered),
    })),
  };
}

/** Who owns which partition, and which hosts live, by the database's clock. Callers route by it. */
export async function readCluster(db: Sql): Promise<{ leases: Lease[]; hosts: string[] }> {
  const leases = await db<{ partition: number; owner: string | null; epoch: bigint; expired: boolean }[]>`
    SELECT partition, owner, epoch, expires_at < now() AS expired FROM leases ORDER BY partition`;
  const hosts = await db<{ host: string }[]>`SELECT host FROM hosts WHERE expires_at >= now() ORDER BY host`;
  return {
    leases: leases.map((lease) => ({ ...lease, epoch: Number(lease.epoch) })),
    hosts: hosts.map((row) => row.host),
  };
}

/** Whether an actor has replied under a key. */
export async function hasReceipt(
  db: Sql,
  { actorId, ...asked }: { actorId: string; kind: string; op: string; key: string },
): Promise<boolean> {
  const rows = await db`
    SELECT 1 FROM receipts WHERE actor_id = ${actorId} AND key = ${receiptKey({ ...asked, input: null })}`;
  return rows.length > 0;
}

/** Receipts of minted keys outlive every retry of their caller by far; those of clients' keys are kept. */
const MINTED_RECEIPTS_KEPT = "1 day";
/** How far back JetStream could be filled again. */
const OUTBOX_KEPT = "1 day";
/** Rows that go at a time: of receipts in all, of the outbox for each partition. */
const PRUNE_RECEIPTS_MAX = 5_000;
const PRUNE_EFFECTS_MAX = 500;

/** Deletes what nobody can ask for any more, a bounded number of rows at a time. Returns how many rows it deleted. */
export async function prune(db: Sql): Promise<number> {
  const receipts = await db`
    DELETE FROM receipts WHERE ctid = ANY (ARRAY(
      SELECT ctid FROM receipts WHERE minted AND created_at < now() - ${MINTED_RECEIPTS_KEPT}::interval
      ORDER BY created_at LIMIT ${PRUNE_RECEIPTS_MAX}))`;
  // The oldest of a partition have its lowest numbers, so only those need to be looked at.
  const effects = await db`
    DELETE FROM outbox WHERE ctid = ANY (ARRAY(
      SELECT oldest.ctid FROM outbox_progress p CROSS JOIN LATERAL (
        SELECT o.ctid, o.created_at FROM outbox o
        WHERE o.partition = p.partition AND o.seq <= p.seq ORDER BY o.seq LIMIT ${PRUNE_EFFECTS_MAX}) oldest
      WHERE oldest.created_at < now() - ${OUTBOX_KEPT}::interval))`;
  return receipts.count + effects.count;
}

interface TaskRow {
  readonly kind: string;
  readonly actor_id: string;
  readonly name: string;
  readonly partition: number;
  readonly token: string;
  readonly due_at: Date;
  readonly op: string;
  readonly input: object;
  readonly target_kind: string | null;
  readonly target_id: string | null;
  readonly key: string | null;
  readonly aborting: boolean;
  readonly reply_op: string | null;
  readonly context: object | null;
}

const toTask = (row: TaskRow): Task => ({
  kind: row.kind,
  actorId: row.actor_id,
  name: row.name,
  partition: row.partition,
  token: row.token,
  dueAt: row.due_at,
  op: row.op,
  input: row.input,
  send:
    row.target_kind === null
      ? null
      : {
          kind: row.target_kind,
          actorId: row.target_id ?? "",
          key: row.key ?? "",
          aborting: row.aborting,
          replyOp: row.reply_op,
          context: row.context,
        },
});

const toHeld = (row: { partition: number; epoch: bigint }) => ({
  partition: row.partition,
  epoch: Number(row.epoch),
});

interface ColumnRow {
  readonly table_name: string;
  readonly name: string;
  readonly key_position: number | null;
}

/** `$6::text,$7::text`: one statement for each number of parts, so that it stays prepared. */
const placeholders = (from: number, count: number): string =>
  Array.from({ length: count }, (_, i) => `$${from + i}::text`).join();

interface PostgresFailure {
  readonly code?: string;
  readonly message?: string;
  readonly detail?: string;
  readonly constraint_name?: string;
}

const FENCED = "BR001";
const STALE = "BR002";
const OTHER_COLUMNS = "BR003";

/**
 * SQLSTATE classes that judge the rows or the statement, so that the same batch would fail again: data exceptions,
 * constraints, syntax and limits, and exceptions raised by triggers.
 */
const REFUSALS = ["22", "23", "42", "54", "P0"];

function commitFailure(error: unknown): Error {
  const failure = (error ?? {}) as PostgresFailure;
  const { code = "", message = "the commit failed", constraint_name: constraint } = failure;
  if (code === FENCED) return new FencedError((failure.detail ?? "").split(",").filter(Boolean).map(Number));
  if (code === OTHER_COLUMNS) return new StaleError("the columns have changed");
  if (code === STALE) return new StaleError(`stale row in ${failure.detail}`);
  // A root row or a receipt that should not be there yet was written by someone else in the meantime.
  if (code === "23505" && constraint?.endsWith("_pkey")) return new StaleError(`row exists: ${constraint}`);
  if (code.length === 5 && REFUSALS.includes(code.slice(0, 2))) {
    return new RejectedError(message, constraint, failure.detail, { cause: error });
  }
  return new OutcomeUnknownError(message, { cause: error });
}
