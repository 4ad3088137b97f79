import { describe, expect, test } from "bun:test";
import {
  type AiCredit,
  ATTEMPT_MS,
  beginAttempt,
  ended,
  made,
  NO_KEY,
  synced,
} from "../../../../actors/billing/ai-credit/rules.ts";

const at = (ms: number) => new Date(Date.UTC(2026, 0, 31) + ms);
const begun = (credit: AiCredit, now: Date, provider = "openrouter"): AiCredit => {
  const next = beginAttempt(credit, provider, now);
  if (next === undefined) throw new Error("it is to wait");
  return next;
};

describe("an attempt to make a key", () => {
  test("is the only one for as long as it may be under way", () => {
    const first = begun(NO_KEY, at(0));
    expect(beginAttempt(first, "openrouter", at(ATTEMPT_MS - 1))).toBeUndefined();
    expect(beginAttempt(first, "openrouter", at(ATTEMPT_MS))).toMatchObject({ attempt: 2 });
  });

  test("looks for the key when the one before it was never heard of", () => {
    const first = begun(NO_KEY, at(0));
    expect(first.uncertain).toBe(false);
    const second = begun(first, at(ATTEMPT_MS));
    expect(second.uncertain).toBe(true);
    // The look failed: what was unknown still is.
    expect(begun(ended(second, 2, true), at(ATTEMPT_MS)).uncertain).toBe(true);
    expect(begun(ended(second, 2, false), at(ATTEMPT_MS)).uncertain).toBe(false);
  });

  test("need not wait for one that is over, and a late word of an older one changes nothing", () => {
    const first = begun(NO_KEY, at(0));
    const second = begun(ended(first, 1, false), at(1));
    expect(second).toMatchObject({ attempt: 2, uncertain: false });
    expect(ended(second, 1, false)).toBe(second);
  });

  test("at another provider begins at nothing", () => {
    const old = made(begun(NO_KEY, at(0), "sandbox"), "sandbox", "old", 5n);
    const next = begun(old, at(1));
    expect(next).toMatchObject({ provider: "openrouter", keyId: null, syncedMicros: 0n, uncertain: false });
    expect(made(next, "sandbox", "late", 5n)).toBe(next);
  });
});

describe("a key", () => {
  const key = made(begun(NO_KEY, at(0)), "openrouter", "one", 5n);

  test("is made once: a second one is not taken", () => {
    expect(made(key, "openrouter", "two", 9n)).toBe(key);
    expect(ended(key, 1, true)).toBe(key);
  });

  test("remembers the limit that it was made with, whatever it was given later", () => {
    expect(synced(key, "openrouter", "one", 9n)).toMatchObject({ syncedMicros: 9n, createdWithMicros: 5n });
  });

  test("has the limit that the provider was told last, also when that was the lower one", () => {
    const raised = synced(key, "openrouter", "one", 9n);
    expect(synced(raised, "openrouter", "one", 7n).syncedMicros).toBe(7n);
    expect(synced(raised, "openrouter", "two", 7n)).toBe(raised);
  });
});
