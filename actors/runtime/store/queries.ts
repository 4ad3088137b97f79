import type { Origin } from "../../../schemas/origin.ts";
import { bounded, DatabaseTimeoutError } from "../../platform/db/bounded.ts";
import { migrationNames } from "../../platform/db/migrate.ts";
import { openSql, type Sql } from "../../platform/db/sql.ts";
import { StaleError } from "../errors.ts";
import { receiptKey } from "../host/replies.ts";
import type { Receipt, Store, Task, TaskPosition } from "../ports.ts";
import { leaseStore, readCluster } from "./cluster/queries.ts";
import { commitFailure } from "./commit-failure.ts";
import { encodeWrites, type Layout, layOut } from "./encode-writes.ts";
import { outboxStore } from "./outbox/queries.ts";

/**
 * Commits and loads look rows up by key from a list of unknown length. The planner assumes a hundred rows and would
 * scan small tables; these settings make it use the primary keys, which is right at every size.
 */
const BY_KEY_SESSION = { enable_hashjoin: "off", enable_mergejoin: "off", enable_seqscan: "off" } as const;

/**
 * Loads and background work of one actor host. Commits have connections of their own, and so have leases: their renewal does not wait behind
 * a slow read. Each session keeps the plans of all statements that it has seen, some 8 MB.
 */
const READ_CONNECTIONS_MAX = 2;

/**
 * The database itself ends statements earlier than this. But the client may send a statement on a connection that is
 * about to end, and then never gets a reply.
 */
const REPLY_MS_MAX = 20_000;

export interface PostgresStore extends Store {
  /** For the definitions' own loads. */
  readonly db: Sql;
  end(): Promise<void>;
}

/**
 * The runtime's store on PostgreSQL: a connection for each lane's commits, one for leases, and a small pool for the rest.
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
  const leases = bounded(open("berth-leases", 1), REPLY_MS_MAX);
  const commits = Array.from({ length: lanes }, (_, lane) => open(`berth-lane-${lane}`, 1));

  let layout: Layout | undefined;
  /** The newest layout of which this version knows every column. */
  const readColumns = async (): Promise<ColumnRow[]> => {
    const rows = await db<ColumnRow[]>`
      SELECT c.table_name, c.name, c.key_position
      FROM (SELECT columns FROM commit_layouts WHERE migrations <@ ${await migrationNames()}::text[] ORDER BY id DESC LIMIT 1) l
      CROSS JOIN jsonb_to_recordset(l.columns)
        AS c (table_name text, table_position int, name text, position int, key_position int)
      ORDER BY c.table_position, c.position`;
    if (rows.length === 0)
      throw new Error("the database has dropped columns that this version writes: it takes a newer version");
    return rows;
  };

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
      // They may have been dropped since they were read: the next attempt reads them again.
      layout = undefined;
      // Outside the `try`: rows that cannot be encoded are a fault of the change and not of the connection.
      const { slots, parts } = encodeWrites(writes, known);
      layout = known;
      try {
        const query = sql.unsafe(
          `SELECT commit_batch_${known.fingerprint}($1::text, $2::text::int[], $3::text::bigint[], $4::text::int[], ARRAY[${placeholders(5, parts.length)}]::text[])`,
          [
            owner,
            `{${leases.map((lease) => lease.partition).join()}}`,
            `{${leases.map((lease) => lease.epoch).join()}}`,
            slots,
            ...parts,
          ],
          { prepare: true },
        );
        if (!(await isSettled(query, REPLY_MS_MAX))) {
          // The next commit gets a new connection.
          commits[lane] = open(`berth-lane-${lane}`, 1);
          void sql.end({ timeout: 0 });
          throw new DatabaseTimeoutError(`a commit had no reply within ${REPLY_MS_MAX} ms`);
        }
        await query;
      } catch (error) {
        const failure = commitFailure(error);
        // The function may have gone with a column of its: the next attempt reads which there are.
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
      // Each partition is read in the order of its index; only the earliest tasks of all are kept.
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

    ...leaseStore(leases),
    cluster: () => readCluster(db),
    ...outboxStore(db),

    async end() {
      await Promise.all([db, leases, ...commits].map((sql) => sql.end({ timeout: 5 })));
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

/** Whether an actor has replied under a key. */
export async function hasReceipt(
  db: Sql,
  { actorId, ...asked }: { actorId: string; kind: string; op: string; key: string },
): Promise<boolean> {
  const rows = await db`
    SELECT 1 FROM receipts WHERE actor_id = ${actorId} AND key = ${receiptKey({ ...asked, input: null })}`;
  return rows.length > 0;
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
  readonly origin: Origin | null;
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
          origin: row.origin,
        },
});

interface ColumnRow {
  readonly table_name: string;
  readonly name: string;
  readonly key_position: number | null;
}

/** `$5::text,$6::text`: one statement for each number of parts, so that it stays prepared. */
const placeholders = (from: number, count: number): string =>
  Array.from({ length: count }, (_, i) => `$${from + i}::text`).join();
