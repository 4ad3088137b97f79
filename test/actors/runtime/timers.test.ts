import { afterAll, beforeAll, expect, test } from "bun:test";
import { newId } from "../../../actors/platform/ids.ts";
import { partitionOf } from "../../harness/partition-of.ts";
import { until } from "../../harness/until.ts";
import { type Runtime, startRuntime } from "./runtime.ts";

let runtime: Runtime;
beforeAll(async () => {
  runtime = await startRuntime();
});
afterAll(() => runtime.stop());

const shop = (id: string) => runtime.actors.shop(id);
const sold = async (id: string) => {
  const [row] = await runtime.db<{ sold: number }[]>`SELECT sold FROM shops WHERE id = ${id}`;
  return row?.sold;
};
const timersOf = async (id: string) =>
  (await runtime.db<{ name: string }[]>`SELECT name FROM tasks WHERE actor_id = ${id} ORDER BY name`).map(
    (row) => row.name,
  );

test("a timer is kept with the change that set it, fires at its time and not before, and is gone with what it did", async () => {
  const id = newId();
  const setAt = Date.now();
  await shop(id).tick({ name: "soon", in_ms: 3_000 });
  expect(await timersOf(id)).toEqual(["soon"]);
  await until(async () => (await sold(id)) === 1);
  expect(Date.now() - setAt).toBeGreaterThanOrEqual(3_000);
  expect(await timersOf(id)).toEqual([]);
});

test("a timer that is set again fires once, at its new time; one that is cleared never fires", async () => {
  const id = newId();
  await shop(id).tick({ name: "moved", in_ms: 4_000 });
  await shop(id).tick({ name: "moved", in_ms: 1 });
  await shop(id).tick({ name: "cleared", in_ms: 4_500 });
  await shop(id).untick({ name: "cleared" });
  await shop(id).tick({ name: "last", in_ms: 6_000 });
  await until(async () => (await timersOf(id)).length === 0);
  expect(await sold(id)).toBe(2);
});

test("a timer whose time has passed fires as soon as somebody owns its actor", async () => {
  const id = newId();
  const database = runtime.db;
  await shop(id).stock({ stock: 1 });
  // As a host leaves it that dies between its commit and the time.
  await database`
    INSERT INTO tasks (kind, actor_id, name, partition, token, due_at, op, input, aborting)
    VALUES ('shop', ${id}, 'left', ${partitionOf("shop", id)}, 'token', now() - interval '1 hour', 'ticked', '{}', false)`;
  await runtime.hosts[0]?.stop();
  const next = await runtime.startHost("host-2");
  await until(async () => (await sold(id)) === 1);
  expect(await timersOf(id)).toEqual([]);
  await until(() => next.host.status().tasks === 0);
});

test("a hundred thousand timers of another day are not held in memory, and the one that is due fires", async () => {
  const id = newId();
  await runtime.db`
    INSERT INTO tasks (kind, actor_id, name, partition, token, due_at, op, input, aborting)
    SELECT 'shop', 'far-' || i, 'day', i % 64, 'token', now() + interval '1 day', 'ticked', '{}', false
    FROM generate_series(1, 100000) i`;
  await runtime.startHost("host-3");
  await shop(id).tick({ name: "near", in_ms: 50 });
  await until(async () => (await sold(id)) === 1);
  await until(() => runtime.hosts.every((running) => running.host.status().tasks === 0));
});

test("a timer whose message breaks its handler is kept and tried again", async () => {
  const id = newId();
  await runtime.db`
    INSERT INTO tasks (kind, actor_id, name, partition, token, due_at, op, input, aborting)
    VALUES ('shop', ${id}, 'odd', ${partitionOf("shop", id)}, 'token', now(), 'of another version', '{}', false)`;
  await runtime.startHost("host-4");
  await until(() => runtime.hosts.some((running) => running.host.status().tasks_failing > 0));
  expect(await timersOf(id)).toEqual(["odd"]);
  await runtime.db`UPDATE tasks SET op = 'ticked' WHERE actor_id = ${id}`;
  // Memory holds what it read: the next owner reads it again.
  for (const running of runtime.hosts) await running.stop();
  await runtime.startHost("host-5");
  await until(async () => (await sold(id)) === 1);
});
