import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { openSql, type Sql } from "../../../actors/platform/db/sql.ts";
import { newId } from "../../../actors/platform/ids.ts";
import {
  bigint,
  boolean,
  bytes,
  group,
  integer,
  json,
  nullable,
  optional,
  safeInteger,
  text,
  timestamp,
} from "../../../actors/runtime/columns.ts";
import type { Row } from "../../../actors/runtime/definition.ts";
import { type PostgresStore, postgresStore } from "../../../actors/runtime/store/queries.ts";
import {
  type ChildTable,
  children,
  childTable,
  type RootTable,
  related,
  rootTable,
} from "../../../actors/runtime/table.ts";
import { migratedDatabase } from "../../harness/servers.ts";

interface Part {
  readonly id: string;
  readonly note?: string;
}

interface Sample {
  readonly name: string;
  readonly count: number;
  readonly total: bigint;
  readonly size: number;
  readonly done: boolean;
  readonly at: Date;
  readonly tags: readonly string[];
  readonly picture: Uint8Array;
  readonly comment: string | null;
  readonly owner: { readonly id: string; readonly since: Date } | null;
  readonly parts: readonly Part[];
  readonly partIds: ReadonlySet<string>;
}

const partTable = childTable<Part, { readonly endedAt: Date | null }>("parts", {
  parent: "sample_id",
  fields: { id: text("id"), note: optional(text("note")) },
  extra: { endedAt: nullable(timestamp("ended_at")) },
});
const parts = children(partTable, { where: { ended_at: null }, orderBy: ["id"] });
const sampleTable = rootTable<Sample>("samples", {
  key: "id",
  changedAt: "updated_at",
  fields: {
    name: text("name"),
    count: integer("count"),
    total: bigint("total"),
    size: safeInteger("size"),
    done: boolean("done"),
    at: timestamp("at"),
    tags: json("tags"),
    picture: bytes("picture"),
    comment: nullable(text("comment")),
    owner: nullable(group({ id: text("owner_id"), since: timestamp("owner_since") })),
    parts: related(parts),
    partIds: related(parts, (items) => new Set(items.map(({ id }) => id))),
  },
  derived: { shout: ({ name }) => name.toUpperCase() },
});

const TABLES = `
  CREATE TABLE samples (
    id text PRIMARY KEY, version bigint NOT NULL, name text NOT NULL, count int NOT NULL, total bigint NOT NULL,
    size bigint NOT NULL, done boolean NOT NULL, at timestamptz NOT NULL, tags jsonb NOT NULL, picture bytea NOT NULL,
    comment text, owner_id text, owner_since timestamptz, shout text NOT NULL, updated_at timestamptz NOT NULL);
  CREATE TABLE parts (id text PRIMARY KEY, sample_id text NOT NULL, note text, ended_at timestamptz);
  INSERT INTO actor_tables (name) VALUES ('samples'), ('parts');
  SELECT generate_commit();`;

const SAMPLE: Sample = {
  name: `quotes ' " \\ and {braces}, € 🙂`,
  count: -7,
  total: 9_223_372_036_854_775_807n,
  size: Number.MAX_SAFE_INTEGER,
  done: true,
  at: new Date("2026-02-28T23:59:59.999Z"),
  tags: ["a", `b"c`, "€"],
  picture: Uint8Array.from([0, 255, 92, 34]),
  comment: "NULL",
  owner: { id: "o", since: new Date("2026-01-01T00:00:00Z") },
  parts: [{ id: "1", note: "first" }, { id: "2" }],
  partIds: new Set(["1", "2"]),
};

let database: Awaited<ReturnType<typeof migratedDatabase>>;
let db: Sql;
let store: PostgresStore;
let lease: { partition: number; epoch: number };
beforeAll(async () => {
  database = await migratedDatabase();
  db = openSql(database.url, { max: 2, name: "test" });
  await db.unsafe(TABLES);
  store = postgresStore(database.url, 1);
  lease = (await store.acquire("test", [0], 60_000))[0] as typeof lease;
});
afterAll(async () => {
  await store.end();
  await db.end({ timeout: 5 });
  await database.drop();
});

/** Writes a state with its parts as an actor's commit does. */
async function insert(id: string, state: Sample, ended: readonly Part[] = []): Promise<void> {
  const now = new Date();
  const rows = [
    ...state.parts.map((part) => partTable.row(id, part, { endedAt: null })),
    ...ended.map((part) => partTable.row(id, part, { endedAt: now })),
  ];
  const writes = (insert: Row[]) => ({ insert, update: [], remove: [] });
  await store.commit(0, {
    owner: "test",
    leases: [lease],
    writes: new Map([
      ["samples", writes([{ ...sampleTable.row(id, state, now), version: 1 }])],
      ["parts", writes(rows.map((row) => ({ ...row, id: `${id}-${row.id}` })))],
    ]),
  });
}

const stripPrefix = (id: string, state: Sample | undefined) =>
  state && {
    ...state,
    parts: state.parts.map((part) => ({ ...part, id: part.id.replace(`${id}-`, "") })),
    partIds: new Set([...state.partIds].map((part) => part.replace(`${id}-`, ""))),
  };

test("a state of every column type is loaded as it was written", async () => {
  const id = newId();
  await insert(id, SAMPLE, [{ id: "0", note: "ended" }]);
  const loaded = (await sampleTable.load(db, [id])).get(id);
  expect(loaded?.version).toBe(1);
  const state = stripPrefix(id, loaded?.state);
  expect<unknown>({ ...state, picture: Uint8Array.from(state?.picture ?? []) }).toEqual(SAMPLE);
  const [row] = await db`SELECT shout, updated_at FROM samples WHERE id = ${id}`;
  expect(row?.shout).toBe(SAMPLE.name.toUpperCase());
  expect(row?.updated_at).toBeInstanceOf(Date);
});

test("nulls come back as null, and an optional field that is null is left out", async () => {
  const id = newId();
  const bare = { ...SAMPLE, comment: null, owner: null, parts: [{ id: "1" }], partIds: new Set(["1"]) };
  await insert(id, bare);
  const state = stripPrefix(id, (await sampleTable.load(db, [id])).get(id)?.state);
  expect(state?.comment).toBeNull();
  expect(state?.owner).toBeNull();
  expect(state?.parts).toEqual([{ id: "1" }]);
  expect(Object.keys(state?.parts[0] ?? {})).toEqual(["id"]);
});

test("many actors are read at once, each with its own children; ids without a row are left out", async () => {
  const [first, second] = [newId(), newId()];
  await insert(first, SAMPLE);
  await insert(second, { ...SAMPLE, parts: [], partIds: new Set() });
  const loaded = await sampleTable.load(db, [first, second, newId()]);
  expect([...loaded.keys()].sort()).toEqual([first, second].sort());
  expect(loaded.get(first)?.state.parts).toHaveLength(2);
  expect(loaded.get(second)?.state.parts).toEqual([]);
});

test("a number that no longer is exact is neither written nor read", () => {
  const field = safeInteger("size");
  expect(() => field.encode(2 ** 53, {})).toThrow("size: 9007199254740992 is no safe integer");
  expect(() => field.decode({ size: 2n ** 53n })).toThrow("no safe integer");
});

interface Small {
  readonly name: string;
  readonly count: number | null;
}

test("a field that is missing, is none of the state's, or has another type does not compile", () => {
  const name = text("name");
  const count = nullable(integer("n"));
  const tables = [
    rootTable<Small>("t", { key: "id", fields: { name, count } }),
    // @ts-expect-error count is missing
    rootTable<Small>("t", { key: "id", fields: { name } }),
    // @ts-expect-error name is text
    rootTable<Small>("t", { key: "id", fields: { name: integer("name"), count } }),
    // @ts-expect-error count may be null
    rootTable<Small>("t", { key: "id", fields: { name, count: integer("n") } }),
    // @ts-expect-error the state has no age
    rootTable<Small>("t", { key: "id", fields: { name, count, age: integer("age") } }),
  ];
  // The types are the guarantee, and `bun run check` its proof.
  expect(tables).toHaveLength(5);
});

describe("every table that a noun declares", async () => {
  type Table = RootTable<object> | ChildTable<object, object>;
  const folder = join(import.meta.dir, "../../..");
  const files = [...new Bun.Glob("actors/*/*/table.ts").scanSync({ cwd: folder })].sort();
  const tables: Table[] = [];
  for (const file of files) {
    const exported: Record<string, unknown> = await import(join(folder, file));
    for (const value of Object.values(exported))
      if (typeof value === "object" && value !== null && "columns" in value) tables.push(value as Table);
  }

  test("is found", () => expect(tables.length).toBeGreaterThan(25));

  test.each(tables.map((table) => [table.name, table] as const))(
    "has the columns and types of the database: %s",
    async (name, table) => {
      const stored = await db<{ name: string; type: string }[]>`
        SELECT name, type FROM written_columns WHERE table_name = ${name} AND name <> 'version'`;
      expect([...table.columns].sort()).toEqual(stored.map((column) => column.name).sort());
      const typeOf = new Map(stored.map((column) => [column.name, column.type]));
      for (const field of table.fields)
        for (const [i, column] of field.columns.entries())
          expect(field.types[i]).toContain(typeOf.get(column) ?? "no column");
    },
  );
});
