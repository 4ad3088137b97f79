import { Type } from "@sinclair/typebox";
import type { Sql } from "../../../actors/platform/db/sql.ts";
import { type Field, integer, text } from "../../../actors/runtime/columns.ts";
import { actor, type Context, command, type Row } from "../../../actors/runtime/definition.ts";
import { rootTable } from "../../../actors/runtime/table.ts";
import { DomainError } from "../../../schemas/errors.ts";
import { until } from "../../harness/until.ts";

/** An actor that knows nothing of Berth. */

export const COUNTER_TABLES = `
  CREATE TABLE counters (
    id text PRIMARY KEY, version bigint NOT NULL, total int NOT NULL CHECK (total >= 0), label text NOT NULL,
    -- Named as the commit's own variables might be.
    n int NOT NULL);
  CREATE UNIQUE INDEX counters_label ON counters (label) WHERE label <> '';
  CREATE TABLE additions (id text PRIMARY KEY, counter_id text NOT NULL, amount int NOT NULL, part int NOT NULL);
  INSERT INTO actor_tables (name) VALUES ('counters'), ('additions');`;

export interface Counter {
  readonly total: number;
  readonly label: string;
}

/** A label that some values cannot be stored as, or read from. */
const label: Field<string> = {
  ...text("label"),
  encode(value, row) {
    if (value === "unwritable") throw new Error("a state that makes no row");
    row.label = value;
  },
  decode(row) {
    if (row.label === "unreadable") throw new Error("a record of another age");
    return String(row.label);
  },
};

const counterTable = rootTable<Counter>("counters", {
  key: "id",
  fields: { total: integer("total"), label },
  derived: { n: ({ total }) => total },
});

const Total = Type.Object({ total: Type.Integer() });

export const counter = actor("counter", {
  table: counterTable,
  empty: (): Counter => ({ total: 0, label: "" }),
  conflicts: { counters_label: { code: "NAME_TAKEN", message: "the label is taken" } },
  on: {
    add: command(
      Type.Object({ by: Type.Integer() }),
      Total,
      (counter: Counter, { by }, ctx: Context<Counter>) => {
        const total = counter.total + by;
        if (total < 0) throw new DomainError("INSUFFICIENT_BALANCE", "below zero");
        ctx.setState({ ...counter, total });
        ctx.insert("additions", { id: ctx.newId(), counter_id: ctx.actorId, amount: by, part: 1 });
        ctx.emit("added", { counter: ctx.actorId, by });
        return { total };
      },
    ),
    label: command(
      Type.Object({ label: Type.String() }),
      Total,
      (counter: Counter, { label }, ctx: Context<Counter>) => {
        ctx.setState({ ...counter, label });
        return { total: counter.total };
      },
    ),
    /** The database refuses it by a constraint that the definition does not know. */
    poison: command(Type.Object({}), Total, (counter: Counter, _input, ctx: Context<Counter>) => {
      ctx.setState({ ...counter, total: -1_000_000 });
      return { total: -1 };
    }),
    /** Answers so many characters. */
    shout: command(
      Type.Object({ characters: Type.Integer() }),
      Type.Object({ text: Type.String() }),
      (counter: Counter, { characters }, ctx: Context<Counter>) => {
        ctx.setState({ ...counter, total: counter.total + 1 });
        return { text: "é".repeat(characters) };
      },
    ),
    /** Writes a row as it is told. */
    write: command(
      Type.Object({ op: Type.String(), row: Type.Record(Type.String(), Type.Unknown()) }),
      Total,
      (counter: Counter, { op, row }, ctx: Context<Counter>) => {
        ctx.setState({ ...counter, total: counter.total + 1 });
        if (op === "insert") ctx.insert("additions", row as Row);
        else if (op === "update") ctx.update("additions", row as Row);
        else ctx.remove("additions", row as Row);
        return { total: counter.total + 1 };
      },
    ),
    /** Goes on after its turn. */
    linger: command(Type.Object({}), Type.Object({}), (async (
      counter: Counter,
      _input: object,
      ctx: Context<Counter>,
    ) => {
      await null;
      ctx.setState({ ...counter, total: 1_000_000 });
      return {};
    }) as unknown as () => object),
    /** Records the same row twice. */
    confuse: command(Type.Object({}), Total, (counter: Counter, _input, ctx: Context<Counter>) => {
      const row = { id: ctx.newId(), counter_id: ctx.actorId, amount: 1, part: 1 };
      ctx.setState({ ...counter, total: 1_000_000 });
      ctx.insert("additions", row);
      ctx.insert("additions", row);
      return { total: counter.total };
    }),
    crash: command(Type.Object({}), Total, (counter: Counter, _input, ctx: Context<Counter>) => {
      ctx.setState({ ...counter, total: 1_000_000 });
      throw new Error("a fault in a handler");
    }),
  },
});

/** Waits until a commit hangs on a lock. */
export const commitIsWaiting = (db: Sql) =>
  until(async () => {
    const rows = await db`
      SELECT pid FROM pg_stat_activity
      WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%commit_batch%'`;
    return rows.length > 0;
  });
