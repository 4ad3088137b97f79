import { expect, test } from "bun:test";
import { SingleFlight, singleFlight } from "../../system/single-flight.ts";

test("callers that come while work runs share its result, and the next one starts it again", async () => {
  let runs = 0;
  const read = singleFlight(async () => ++runs);
  expect(await Promise.all([read(), read(), read()])).toEqual([1, 1, 1]);
  expect(await read()).toBe(2);
});

test("a failure is shared, and is not kept", async () => {
  let runs = 0;
  const read = singleFlight(async () => {
    if (++runs === 1) throw new Error("away");
    return runs;
  });
  const results = await Promise.allSettled([read(), read()]);
  expect(results.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  expect(await read()).toBe(2);
});

test("work of different keys runs side by side", async () => {
  const flight = new SingleFlight<string, string>();
  const started: string[] = [];
  const run = (key: string) =>
    flight.run(key, async () => {
      started.push(key);
      await Promise.resolve();
      return key;
    });
  const all = Promise.all([run("a"), run("b"), run("a")]);
  expect([flight.size, flight.has("a"), flight.has("c")]).toEqual([2, true, false]);
  expect(await all).toEqual(["a", "b", "a"]);
  expect(started).toEqual(["a", "b"]);
  expect(flight.size).toBe(0);
});
