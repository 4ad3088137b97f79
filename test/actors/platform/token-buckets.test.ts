import { expect, test } from "bun:test";
import { TokenBuckets } from "../../../actors/platform/token-buckets.ts";

const bucketsAt = (keysMax = 100) => {
  const clock = { ms: 0 };
  return { clock, buckets: new TokenBuckets({ burst: 3, perSecond: 2 }, keysMax, () => clock.ms) };
};
const taken = (buckets: TokenBuckets, key: string) =>
  Array.from({ length: 10 }, () => buckets.take(key)).filter(Boolean).length;

test("a key has its burst at once, and then its pace", () => {
  const { clock, buckets } = bucketsAt();
  expect(taken(buckets, "a")).toBe(3);
  clock.ms = 499;
  expect(taken(buckets, "a")).toBe(0);
  clock.ms = 1_000;
  expect(taken(buckets, "a")).toBe(2);
});

test("a burst is not saved up past its size, and a key takes nothing from another", () => {
  const { clock, buckets } = bucketsAt();
  expect([taken(buckets, "a"), taken(buckets, "b")]).toEqual([3, 3]);
  clock.ms = 1_000_000;
  expect(taken(buckets, "a")).toBe(3);
});

test("keys are bounded: the one that was used longest ago is forgotten", () => {
  const { buckets } = bucketsAt(2);
  for (const key of ["a", "b", "c"]) expect(taken(buckets, key)).toBe(3);
  expect([taken(buckets, "c"), taken(buckets, "a")]).toEqual([0, 3]);
});
