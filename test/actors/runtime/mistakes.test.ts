import { afterAll, beforeAll, expect, test } from "bun:test";
import { newId } from "../../../actors/platform/ids.ts";
import { type Runtime, startRuntime } from "./runtime.ts";

// One lane, so that whoever makes a mistake meets everybody else.
let runtime: Runtime;
beforeAll(async () => {
  runtime = await startRuntime({ lanes: 1 });
});
afterAll(() => runtime.stop());

const counter = (id: string) => runtime.actors.counter(id);
const codeOf = (promise: Promise<unknown>) =>
  promise.then(
    () => "ok",
    (error: { code: string }) => error.code,
  );

/** What someone else, who does nothing unusual, meets meanwhile. */
async function withStranger(mistake: () => Promise<unknown>): Promise<[mine: string, theirs: string]> {
  const stranger = newId();
  const codes = await Promise.all([
    codeOf(mistake()),
    codeOf(counter(stranger).add({ by: 1 }, { deadlineMs: 5_000 })),
  ]);
  expect(await codeOf(counter(stranger).add({ by: 1 }, { deadlineMs: 5_000 }))).toBe("ok");
  return codes;
}

test("an operation that is larger than a message is refused at once, and was not done", async () => {
  const id = newId();
  const label = "é".repeat(600_000);
  expect(await withStranger(() => counter(id).label({ label }))).toEqual(["PAYLOAD_TOO_LARGE", "ok"]);
  expect(await runtime.db`SELECT 1 FROM counters WHERE id = ${id}`).toHaveLength(0);
});

test("an answer that is larger than a message fails by itself, and again when it is asked for again", async () => {
  const id = newId();
  const shout = () => counter(id).shout({ characters: 600_000 }, { key: "shout", hasClientKey: true });
  expect(await withStranger(shout)).toEqual(["INTERNAL_ERROR", "ok"]);
  expect(await withStranger(shout)).toEqual(["INTERNAL_ERROR", "ok"]);
  expect(await runtime.total(id)).toBe(1);
});

test("many large operations and answers at once all arrive", async () => {
  const ids = Array.from({ length: 12 }, newId);
  const texts = await Promise.all(
    ids.map(async (id) => (await counter(id).shout({ characters: 300_000 })).value.text),
  );
  expect(texts.every((text) => text.length === 300_000)).toBe(true);
});

test.each([
  ["a NUL in its key", () => counter(newId()).add({ by: 1 }, { key: "a\0b", hasClientKey: true })],
  ["no key", () => counter(newId()).add({ by: 1 }, { key: "", hasClientKey: true })],
  ["an endless key", () => counter(newId()).add({ by: 1 }, { key: "k".repeat(513), hasClientKey: true })],
  ["an actor without a name", () => counter("").add({ by: 1 })],
  ["an actor whose name is no token of a subject", () => counter("a b").add({ by: 1 })],
  ["an actor with a wildcard", () => counter("*").add({ by: 1 })],
])("an operation with %s is refused, and holds up nobody", async (_what, mistake) => {
  expect(await withStranger(mistake)).toEqual(["VALIDATION_ERROR", "ok"]);
});

test.each([
  ["with a column that there is not", "insert", { amount: 1, part: 1, nosuch: 1 }],
  ["with a column left out", "insert", { amount: 1 }],
  ["that is not there", "update", { amount: 1, part: 1 }],
  ["that is not there", "remove", {}],
])("a row %s (%s) fails its own message, and nothing of it is kept", async (_what, op, columns) => {
  const id = newId();
  const row = { id: newId(), counter_id: id, ...columns };
  expect(await withStranger(() => counter(id).write({ op, row }))).toEqual(["INTERNAL_ERROR", "ok"]);
  expect(await runtime.total(id)).toBe(0);
  expect(await runtime.db`SELECT 1 FROM additions WHERE counter_id = ${id}`).toHaveLength(0);
});

test("a handler that goes on after its turn is refused, and what it does then is done to nobody", async () => {
  const id = newId();
  expect(await withStranger(() => counter(id).linger({}))).toEqual(["INTERNAL_ERROR", "ok"]);
  expect((await counter(id).add({ by: 1 })).value.total).toBe(1);
});

test("what every object has by birth is no operation", async () => {
  const handle = runtime.actors.counter(newId()) as unknown as Record<
    string,
    (input: object) => Promise<unknown>
  >;
  const call = (op: string) => handle[op]?.({}) ?? Promise.resolve();
  expect(await codeOf(call("toString"))).toBe("VALIDATION_ERROR");
  expect(await codeOf(call("constructor"))).toBe("VALIDATION_ERROR");
});

test("a table that the runtime cannot write is refused when the commit is made, with its name", async () => {
  const make = (sql: string) =>
    runtime.db
      .begin(async (tx) => {
        await tx.unsafe(`${sql}; SELECT generate_commit()`);
      })
      .then(
        () => "made",
        (error: Error) => error.message,
      );
  expect(
    await make("CREATE TABLE loose (id text); INSERT INTO actor_tables (name) VALUES ('loose')"),
  ).toContain("need a primary key: loose");
  expect(
    await make(
      "CREATE TABLE odd (id text PRIMARY KEY, base_version int); INSERT INTO actor_tables (name) VALUES ('odd')",
    ),
  ).toContain("base_version is the runtime's own name and no column: odd");
});

/** A migration of a version that this one is not. */
const migrateLater = (statement: string) =>
  runtime.db.begin(async (tx) => {
    await tx`INSERT INTO migrations (name, sha256) VALUES (${`9999_${newId()}.sql`}, 'x')`;
    await tx.unsafe(`${statement}; SELECT generate_commit()`);
  });

test("a host goes on beside a newer version that has added columns, also to the runtime's own tables, and leaves what is in them", async () => {
  const [kept, made] = [newId(), newId()];
  await counter(kept).add({ by: 1 });
  await migrateLater(
    "ALTER TABLE counters ADD COLUMN later int DEFAULT 7; ALTER TABLE outbox ADD COLUMN later json; ALTER TABLE receipts ADD COLUMN later text NOT NULL DEFAULT ''",
  );
  await runtime.db`UPDATE counters SET later = 8 WHERE id = ${kept}`;
  expect((await counter(kept).add({ by: 1 })).value.total).toBe(2);
  expect((await counter(made).add({ by: 1 })).value.total).toBe(1);
  const rows = await runtime.db<{ id: string; later: number }[]>`
    SELECT id, later FROM counters WHERE id IN (${kept}, ${made})`;
  expect(new Map(rows.map(({ id, later }) => [id, later]))).toEqual(
    new Map([
      [kept, 8],
      [made, 7],
    ]),
  );
  await migrateLater("ALTER TABLE counters DROP COLUMN later");
  expect((await counter(kept).add({ by: 1 })).value.total).toBe(3);
});
