import { expect, test } from "bun:test";
import { TOKENS_MAX, Tokens } from "../../../../agents/terminal/server/tokens.ts";

test("a token can be used once", () => {
  const tokens = new Tokens<string>();
  const token = tokens.issue("a", 1000);
  expect(tokens.redeem(token)).toBe("a");
  expect(tokens.redeem(token)).toBeUndefined();
});

test("a token is good for its time and no longer", () => {
  let now = 0;
  const tokens = new Tokens<string>(() => now);
  const [early, late] = [tokens.issue("a", 1000), tokens.issue("b", 1000)];
  now = 999;
  expect(tokens.redeem(early)).toBe("a");
  now = 1000;
  expect(tokens.redeem(late)).toBeUndefined();
});

test("the oldest tokens give way to new ones, and what is of no use is forgotten", () => {
  const tokens = new Tokens<number>();
  const issued = Array.from({ length: TOKENS_MAX + 1 }, (_, n) => tokens.issue(n, 1000));
  expect(tokens.redeem(issued[0] ?? "")).toBeUndefined();
  tokens.removeIf((value) => value === 1);
  expect(tokens.redeem(issued[1] ?? "")).toBeUndefined();
  expect(tokens.redeem(issued[2] ?? "")).toBe(2);
  expect(tokens.redeem(issued[TOKENS_MAX] ?? "")).toBe(TOKENS_MAX);
});

test("no two tokens are the same, and none can be guessed", () => {
  const tokens = new Tokens<number>();
  const issued = Array.from({ length: 500 }, (_, n) => tokens.issue(n, 1000));
  expect(new Set(issued).size).toBe(500);
  for (const token of issued) expect(token).toMatch(/^[\w-]{32}$/);
});
