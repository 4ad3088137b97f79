import { afterAll, afterEach, expect, test } from "bun:test";
import { openRouter } from "../../../../actors/billing/ai-credit/provider/openrouter.ts";
import { startOpenRouter } from "../../../gateway/ai-credit/openrouter-server.ts";

const server = startOpenRouter();
const provider = openRouter(server.url, server.env.BERTH_OPENROUTER_PROVISIONING_KEY ?? "");
afterEach(() => server.be("up"));
afterAll(() => server.stop());

const soon = () => AbortSignal.timeout(10_000);
const failure = (asked: Promise<unknown>) =>
  asked.then(
    () => "it succeeded",
    ({ nothingDone, isOver, isOfKey }) => ({ nothingDone, isOver, isOfKey }),
  );

test("a key is made with its limit to the last cent, and read as it is", async () => {
  const id = await provider.create("berth-one", 23_750_000n, soon());
  expect(server.keys.at(-1)).toMatchObject({ hash: id, name: "berth-one", limit: 23.75 });
  await provider.setLimit(id, 1_000_000_010_000n, soon());
  expect(server.keys.at(-1)?.limit).toBe(1_000_000.01);
  (server.keys.at(-1) as { usage: number }).usage = 0.29;
  expect(await provider.read(id, soon())).toEqual({ limitMicros: 1_000_000_010_000n, usageMicros: 290_000n });
});

test("a key is found by its name however many were made after it", async () => {
  const id = await provider.create("berth-old", 1n, soon());
  for (let i = 0; i < 230; i++)
    server.keys.push({ hash: `hash-${i}`, name: `other-${i}`, limit: 1, usage: 0 });
  expect(await provider.find("berth-old", soon())).toBe(id);
  expect(await provider.find("berth-ol", soon())).toBeUndefined();
});

test("a failure says whether anything may have been done", async () => {
  const nothing = { nothingDone: true, isOver: true, isOfKey: false };
  const stranger = openRouter(server.url, "wrong");
  expect(await failure(stranger.create("berth-two", 1n, soon()))).toEqual(nothing);
  const nowhere = openRouter("http://127.0.0.1:9/api/v1", "any");
  expect(await failure(nowhere.create("berth-two", 1n, soon()))).toEqual(nothing);
  expect(await failure(provider.setLimit("none", 1n, soon()))).toEqual({ ...nothing, isOfKey: true });
  server.be("failing");
  expect(await failure(provider.create("berth-two", 1n, soon()))).toEqual({
    nothingDone: false,
    isOver: true,
    isOfKey: false,
  });
  server.be("mute");
  expect(await failure(provider.create("berth-two", 1n, AbortSignal.timeout(100)))).toEqual({
    nothingDone: false,
    isOver: false,
    isOfKey: false,
  });
});

test("an answer of another form is no reading", async () => {
  const id = await provider.create("berth-three", 1n, soon());
  const key = server.keys.at(-1) as { usage: unknown };
  for (const usage of ["1", -1, null]) {
    key.usage = usage;
    expect(await failure(provider.read(id, soon()))).toMatchObject({ nothingDone: false });
  }
});
