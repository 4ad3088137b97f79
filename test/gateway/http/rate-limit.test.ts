import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { RateLimiter } from "../../../gateway/http/rate-limit.ts";
import { startMadeUpApp } from "./sample-app.ts";

let app: Awaited<ReturnType<typeof startMadeUpApp>>;
beforeAll(async () => {
  app = await startMadeUpApp();
});
afterAll(() => app.stop());

test("a limited route says how much is left, and refuses with 429 what is too much", async () => {
  const signIn = () => app.post("/wrecks/sign-in");
  const first = await signIn();
  expect(first.status).toBe(200);
  expect(first.headers.get("ratelimit-policy")).toBe('"sign-in";q=2;w=60');
  expect(first.headers.get("ratelimit")).toBe('"sign-in";r=1;t=60');
  expect((await signIn()).headers.get("ratelimit")).toStartWith('"sign-in";r=0;t=');
  const third = await signIn();
  expect([third.status, third.body.code]).toEqual([429, "RATE_LIMITED"]);
  expect(Number(third.headers.get("retry-after"))).toBeWithin(1, 61);
  expect(third.headers.get("ratelimit")).toStartWith('"sign-in";r=0;t=');
});

describe("limiter", () => {
  function limiterAt(keysMax?: number) {
    const clock = { now: 0 };
    const policy = { name: "test", limit: 2, windowSeconds: 10 };
    return { clock, limiter: new RateLimiter(policy, () => clock.now, keysMax) };
  }

  test("allows as many tries in a window as its limit, by key", () => {
    const { limiter, clock } = limiterAt();
    expect(limiter.tryConsume("a")).toEqual({ allowed: true, limit: 2, remaining: 1, retryAfterSeconds: 10 });
    clock.now = 2_500;
    expect(limiter.tryConsume("a")).toEqual({ allowed: true, limit: 2, remaining: 0, retryAfterSeconds: 8 });
    expect(limiter.tryConsume("a")).toEqual({ allowed: false, limit: 2, remaining: 0, retryAfterSeconds: 8 });
    expect(limiter.tryConsume("b").allowed).toBe(true);
    clock.now = 10_000;
    expect(limiter.tryConsume("a")).toMatchObject({ allowed: true, remaining: 1 });
  });

  test("forgets a key's tries when told", () => {
    const { limiter } = limiterAt();
    limiter.tryConsume("a");
    limiter.tryConsume("a");
    limiter.reset("a");
    expect(limiter.tryConsume("a").allowed).toBe(true);
  });

  test("counts a try no longer that is given back, and gives back no more than was taken", () => {
    const { limiter } = limiterAt();
    limiter.tryConsume("a");
    limiter.tryConsume("a");
    limiter.refund("a");
    expect([limiter.tryConsume("a").allowed, limiter.tryConsume("a").allowed]).toEqual([true, false]);
    limiter.refund("b");
    expect(limiter.tryConsume("b").remaining).toBe(1);
    for (let i = 0; i < 5; i++) limiter.refund("b");
    expect(
      [limiter.tryConsume("b"), limiter.tryConsume("b"), limiter.tryConsume("b")].map(
        ({ allowed }) => allowed,
      ),
    ).toEqual([true, true, false]);
  });

  test("keeps no more keys than its bound, and gives up the oldest first", () => {
    const { limiter } = limiterAt(3);
    for (const key of ["a", "a", "b", "b", "c", "c"]) limiter.tryConsume(key);
    for (const key of ["a", "b", "c"]) expect(limiter.tryConsume(key).allowed).toBe(false);
    expect(limiter.tryConsume("d").allowed).toBe(true);
    expect(limiter.tryConsume("c").allowed).toBe(false);
    expect(limiter.tryConsume("b").allowed).toBe(false);
    expect(limiter.tryConsume("a").allowed).toBe(true);
  });
});
