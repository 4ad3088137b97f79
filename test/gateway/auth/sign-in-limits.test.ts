import { expect, test } from "bun:test";
import { SignInLimits } from "../../../gateway/auth/sign-in-limits.ts";

const HOUR_MS = 60 * 60 * 1000;

function limitsAt() {
  const clock = { now: 0 };
  const limits = new SignInLimits(() => clock.now);
  /** One try at `account`; the policy that refuses it, undefined where it is let through. */
  const attempt = (account: string, address: string, is: "wrong" | "right" | "not looked at" = "wrong") => {
    const headers: Record<string, string | number> = {};
    try {
      const allowed = limits.countByAccount(account, address, headers);
      if (is === "right") allowed.recordSuccess();
      if (is === "not looked at") allowed.withdraw();
      return undefined;
    } catch {
      return String(headers["ratelimit-policy"]);
    }
  };
  /** A hundred wrong passwords, from as many addresses. */
  const attack = (account: string) => {
    for (let i = 0; i < 100; i++) expect(attempt(account, `192.0.2.${i}`)).toBeUndefined();
  };
  return { clock, limits, attempt, attack };
}

test("who guesses from one address locks out that address, and not the owner at another", () => {
  const { attempt } = limitsAt();
  for (let i = 0; i < 10; i++) attempt("owner", "198.51.100.1");
  expect(attempt("owner", "198.51.100.1")).toBe('"login";q=10;w=60');
  expect(attempt("owner", "203.0.113.5", "right")).toBeUndefined();
});

test("guesses from many addresses add up, to no more than a hundred an hour", () => {
  const { clock, attempt, attack } = limitsAt();
  attack("owner");
  expect(attempt("owner", "198.51.100.9")).toBe('"account";q=100;w=3600');
  expect(attempt("another", "198.51.100.9")).toBeUndefined();
  clock.now = HOUR_MS;
  expect(attempt("owner", "198.51.100.9")).toBeUndefined();
});

test("where the owner signed in before, no attack from elsewhere keeps them out; ten tries a minute hold there too", () => {
  const { attempt, attack } = limitsAt();
  attempt("owner", "203.0.113.5", "right");
  attack("owner");
  expect(attempt("owner", "203.0.113.5", "right")).toBeUndefined();
  for (let i = 0; i < 10; i++) expect(attempt("owner", "203.0.113.5")).toBeUndefined();
  expect(attempt("owner", "203.0.113.5")).toBe('"login";q=10;w=60');
  // It is known for this account alone.
  attack("another");
  expect(attempt("another", "203.0.113.5")).toBe('"account";q=100;w=3600');
});

test("where the account was made counts as a place where its owner signed in", () => {
  const { limits, attempt, attack } = limitsAt();
  limits.recordAddress("owner", "203.0.113.5");
  attack("owner");
  expect(attempt("owner", "203.0.113.5", "right")).toBeUndefined();
  expect(attempt("owner", "198.51.100.9")).toBe('"account";q=100;w=3600');
});

test("a right password does not make room for more guesses from elsewhere", () => {
  const { attempt, attack } = limitsAt();
  attempt("owner", "203.0.113.5", "right");
  attack("owner");
  attempt("owner", "203.0.113.5", "right");
  expect(attempt("owner", "198.51.100.9")).toBe('"account";q=100;w=3600');
});

test("a try that was not looked at counts nowhere", () => {
  const { attempt } = limitsAt();
  for (let i = 0; i < 500; i++) expect(attempt("owner", "198.51.100.1", "not looked at")).toBeUndefined();
});
