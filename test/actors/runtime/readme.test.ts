import { afterAll, beforeAll, expect, test } from "bun:test";
import { join } from "node:path";
import { newId } from "../../../actors/platform/ids.ts";
import { until } from "../../harness/until.ts";
import { type Runtime, startRuntime } from "./runtime.ts";

const ROOT = join(import.meta.dir, "../../..");

let runtime: Runtime;
beforeAll(async () => {
  runtime = await startRuntime();
});
afterAll(() => runtime.stop());

test("the actor in the runtime's README is this one, import paths aside", async () => {
  const readme = await Bun.file(join(ROOT, "actors/runtime/README.md")).text();
  const blocks = [...readme.matchAll(/```ts\n(.*?)```/gs)].map(([, code = ""]) => code);
  const file = await Bun.file(join(import.meta.dir, "seat.ts")).text();
  const withoutImports = (code: string) => code.slice(code.indexOf("\ntype Seat"));
  expect(blocks.map(withoutImports)).toContain(withoutImports(file));
});

test("it does what the README says", async () => {
  const id = newId();
  const seat = runtime.actors.seat(id);
  expect((await seat.hold({ holder: "ada" })).value).toEqual({ holder: "ada" });
  const taken = await seat.hold({ holder: "bob" }).catch((error) => error.code);
  expect(taken).toBe("NAME_TAKEN");

  // A minute later, as far as the timer knows.
  const [timer] = await runtime.db`SELECT due_at FROM tasks WHERE actor_id = ${id}`;
  expect(timer?.due_at.getTime() - Date.now()).toBeWithin(1, 61_000);
  await runtime.hosts[0]?.stop();
  await runtime.db`UPDATE tasks SET due_at = now() WHERE actor_id = ${id}`;
  await runtime.startHost("host-2");
  await until(
    async () => (await runtime.db`SELECT 1 FROM seats WHERE id = ${id} AND holder IS NULL`).length === 1,
  );
  expect((await runtime.actors.seat(id).hold({ holder: "bob" })).value).toEqual({ holder: "bob" });
});
