import { afterAll, beforeAll, expect, test } from "bun:test";
import { newId } from "../../../actors/platform/ids.ts";
import { until } from "../../harness/until.ts";
import { type Runtime, startRuntime } from "./runtime.ts";

// One lane, so that the poisoned and their strangers meet.
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
const quarantined = () => runtime.hosts[0]?.host.status().quarantined ?? [];

test("an actor whose record cannot be read is set aside, its strangers are served, and it comes back when it is mended", async () => {
  const strangers = Array.from({ length: 30 }, newId);
  const broken = newId();
  await runtime.db`INSERT INTO counters (id, version, total, label, n) VALUES (${broken}, 1, 5, 'unreadable', 5)`;
  const codes = await Promise.all(
    [...strangers.slice(0, 15), broken, ...strangers.slice(15)].map((id) =>
      codeOf(counter(id).add({ by: 1 })),
    ),
  );
  expect(codes.filter((code) => code === "ok")).toHaveLength(30);
  expect(codes[15]).toBe("QUARANTINED");
  expect(quarantined()).toEqual([`counter/${broken}`]);
  await runtime.db`UPDATE counters SET label = '' WHERE id = ${broken}`;
  await until(async () => (await codeOf(counter(broken).add({ by: 1 }))) === "ok");
  expect(await runtime.total(broken)).toBe(6);
  expect(quarantined()).toEqual([]);
});

test("a change that the database refuses fails its own message, however often it is sent, and no other message of its actor", async () => {
  const poisoned = newId();
  for (let n = 1; n <= 12; n++) {
    const codes = await Promise.all([
      codeOf(counter(poisoned).add({ by: 1 })),
      codeOf(counter(poisoned).poison({})),
      codeOf(counter(poisoned).poison({})),
      codeOf(counter(poisoned).add({ by: 1 })),
    ]);
    expect(codes).toEqual(["ok", "INTERNAL_ERROR", "INTERNAL_ERROR", "ok"]);
    expect(await runtime.total(poisoned)).toBe(2 * n);
  }
  expect(quarantined()).toEqual([]);
});

test("many actors whose changes are refused do not hold up their strangers", async () => {
  const poisoned = Array.from({ length: 100 }, newId);
  let left = 0;
  const poison = async (id: string) => {
    left += 1;
    for (let n = 0; n < 5; n++) expect(await codeOf(counter(id).poison({}))).toBe("INTERNAL_ERROR");
    left -= 1;
  };
  const poisoning = Promise.all(poisoned.map(poison));
  const stranger = newId();
  // One after the other: each waits for what the lane does meanwhile.
  for (let n = 0; n < 10; n++) expect(await codeOf(counter(stranger).add({ by: 1 }))).toBe("ok");
  expect(left).toBeGreaterThan(50);
  expect(await runtime.total(stranger)).toBe(10);
  await poisoning;
  expect(quarantined()).toEqual([]);
});

test("a handler whose rows cannot be written fails by itself, with what was open for its actor done anyway", async () => {
  const id = newId();
  const codes = await Promise.all([
    codeOf(counter(id).add({ by: 1 })),
    codeOf(counter(id).confuse({})),
    codeOf(counter(id).add({ by: 1 })),
  ]);
  expect(codes).toEqual(["ok", "INTERNAL_ERROR", "ok"]);
  expect(await runtime.total(id)).toBe(2);
});

test("a state whose row cannot be made fails by itself", async () => {
  const [id, stranger] = [newId(), newId()];
  const codes = await Promise.all([
    codeOf(counter(id).label({ label: "unwritable" })),
    codeOf(counter(stranger).add({ by: 1 })),
    codeOf(counter(id).add({ by: 1 })),
  ]);
  expect(codes).toEqual(["INTERNAL_ERROR", "ok", "ok"]);
  expect(await runtime.total(id)).toBe(1);
});

test("idle actors are forgotten when memory is asked for, and served as before", async () => {
  const ids = Array.from({ length: 50 }, newId);
  await Promise.all(ids.map((id) => counter(id).add({ by: 3 })));
  const host = runtime.hosts[0]?.host;
  host?.evictIdle(10);
  expect(host?.status().actors).toBeLessThanOrEqual(10 + quarantined().length);
  const totals = await Promise.all(ids.map(async (id) => (await counter(id).add({ by: 1 })).value.total));
  expect(totals).toEqual(ids.map(() => 4));
});
