import { expect, test } from "bun:test";
import {
  type AiProvider,
  noSuchKey,
  type Reading,
} from "../../../actors/billing/ai-credit/provider/provider.ts";
import { AiUsage } from "../../../gateway/ai-credit/usage.ts";

const READING: Reading = { limitMicros: 5n, usageMicros: 2n };
const never = new Promise<never>(() => undefined);

/** A provider whose readings are as told, with the time in hand. */
function made(read: () => Promise<Reading>) {
  const state = { now: 0, asked: 0, read };
  const provider: AiProvider = {
    name: "made up",
    find: () => never,
    create: () => never,
    setLimit: () => never,
    read: () => {
      state.asked += 1;
      return state.read();
    },
  };
  return { state, usage: new AiUsage(provider, () => state.now, 20) };
}

test("whoever asks while a reading is made gets that one, and who asks later gets a new one", async () => {
  const { state, usage } = made(async () => READING);
  expect(await Promise.all([usage.read("k"), usage.read("k"), usage.read("k")])).toEqual([
    READING,
    READING,
    READING,
  ]);
  expect(state.asked).toBe(1);
  await usage.read("k");
  expect(state.asked).toBe(2);
});

test("a provider that does not answer in time, whatever the signal, has given no reading", async () => {
  const { usage } = made(() => never);
  expect(await usage.read("k")).toBeUndefined();
});

test("after three failures it is asked again only when the time is over, and by one alone", async () => {
  const { state, usage } = made(async () => {
    throw new Error("down");
  });
  for (let i = 0; i < 10; i++) expect(await usage.read(`k${i}`)).toBeUndefined();
  expect(state.asked).toBe(3);
  state.now = 5_000;
  await Promise.all([usage.read("a"), usage.read("b"), usage.read("c")]);
  expect(state.asked).toBe(4);
  state.now = 10_000;
  state.read = async () => READING;
  expect(await usage.read("a")).toEqual(READING);
  expect(await Promise.all([usage.read("b"), usage.read("c")])).toEqual([READING, READING]);
});

test("keys that it does not have say nothing of the provider", async () => {
  const { state, usage } = made(async () => {
    throw noSuchKey();
  });
  for (let i = 0; i < 10; i++) expect(await usage.read("k")).toBeUndefined();
  expect(state.asked).toBe(10);
});
