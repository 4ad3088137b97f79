import { expect, test } from "bun:test";
import { join } from "node:path";
import { QueryClient, QueryObserver } from "@tanstack/query-core";
import { readAgain } from "../../../gateway/console/app/lib/read-again.ts";
import { until } from "../../harness/until.ts";

/** What a page shows of a list whose readings end when the test says so. */
function shown() {
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: 60_000, retry: false } } });
  const readings: PromiseWithResolvers<string>[] = [];
  const observer = new QueryObserver(client, {
    queryKey: ["files", "list"],
    queryFn: () => {
      const reading = Promise.withResolvers<string>();
      readings.push(reading);
      return reading.promise;
    },
  });
  const leave = observer.subscribe(() => undefined);
  return { client, readings, observer, [Symbol.dispose]: leave };
}

test("a change during the first reading is read after it", async () => {
  using list = shown();
  const { client, readings, observer } = list;
  const again = readAgain(client, ["files"]);
  readings[0]?.resolve("before the change");
  await until(() => readings.length === 2);
  readings[1]?.resolve("after the change");
  await again;
  expect([observer.getCurrentResult().data, readings.length]).toEqual(["after the change", 2]);
});

test("a change during a later reading takes its place, and another list is not read", async () => {
  using list = shown();
  const { client, readings, observer } = list;
  readings[0]?.resolve("first");
  await until(() => observer.getCurrentResult().data === "first");
  const overtaken = readAgain(client);
  const again = readAgain(client, ["files"]);
  expect(readings).toHaveLength(3);
  readings[1]?.resolve("overtaken");
  readings[2]?.resolve("newest");
  await Promise.all([overtaken, again]);
  expect(observer.getCurrentResult().data).toBe("newest");
  await readAgain(client, ["names"]);
  expect(readings).toHaveLength(3);
});

test("a first reading that fails is tried again", async () => {
  using list = shown();
  const { client, readings, observer } = list;
  const again = readAgain(client, ["files"]);
  readings[0]?.reject(new Error("away"));
  await until(() => readings.length === 2);
  readings[1]?.resolve("there");
  await again;
  expect(observer.getCurrentResult().data).toBe("there");
});

test("nothing else of the console has the library read again", async () => {
  const app = join(import.meta.dir, "../../../gateway/console/app");
  const found: string[] = [];
  for await (const file of new Bun.Glob("**/*.{ts,tsx}").scan(app))
    if ((await Bun.file(join(app, file)).text()).includes("invalidateQueries(")) found.push(file);
  expect(found).toEqual(["lib/read-again.ts"]);
});
