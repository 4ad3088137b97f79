import { expect, test } from "bun:test";
import { ConcurrencyLimiter, Overloaded } from "../../../agents/exec/concurrency-limiter.ts";

const limits = { perOwner: 2, total: 3, queuedPerOwner: 1, queueMsMax: 10_000 };

test("an owner takes no more than one may, and all no more than there are", async () => {
  const limiter = new ConcurrencyLimiter(limits);
  const [first, second] = [await limiter.acquire("a"), await limiter.acquire("a")];
  expect(() => limiter.acquireNow("a")).toThrow(Overloaded);
  const other = limiter.acquireNow("b");
  expect(() => limiter.acquireNow("c")).toThrow(Overloaded);
  first();
  first();
  second();
  expect(() => limiter.acquireNow("c")()).not.toThrow();
  other();
});

test("what waits comes in as soon as a place is free for its owner, and no more may wait than is allowed", async () => {
  const limiter = new ConcurrencyLimiter(limits);
  const releaseA = [await limiter.acquire("a"), await limiter.acquire("a")];
  const waitsForA = limiter.acquire("a");
  await expect(limiter.acquire("a")).rejects.toThrow(Overloaded);
  const releaseB = await limiter.acquire("b");
  const waitsForAny = limiter.acquire("c");
  // A place of somebody else's is none for the first in the line, whose owner has all that one may have.
  releaseB();
  const releaseC = await waitsForAny;
  releaseA[0]?.();
  const releaseLast = await waitsForA;
  expect(() => limiter.acquireNow("d")).toThrow(Overloaded);
  for (const release of [releaseC, releaseLast, ...releaseA]) release();
  expect(() => limiter.acquireNow("d")).not.toThrow();
});

test("what waits too long is refused", async () => {
  const limiter = new ConcurrencyLimiter({ ...limits, queueMsMax: 10 });
  limiter.acquireNow("a");
  limiter.acquireNow("a");
  await expect(limiter.acquire("a")).rejects.toThrow(Overloaded);
});
