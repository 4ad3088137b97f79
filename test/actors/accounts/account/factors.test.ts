import { expect, test } from "bun:test";
import {
  addPasskey,
  hasSecondFactor,
  PASSKEYS_MAX,
  type Passkey,
  redeemProof,
  withoutFactor,
} from "../../../../actors/accounts/account/factors/rules.ts";
import type { Account } from "../../../../actors/accounts/account/rules.ts";

const NOW = new Date("2026-01-31T09:30:00.000Z");
const passkey = (id: string, counter = 0): Passkey => ({
  id,
  name: id,
  credentialId: id,
  publicKey: "",
  counter,
  transports: [],
  synced: false,
  createdAt: NOW,
  lastUsedAt: null,
});
const account: Account = {
  username: "ada",
  email: "ada@example.com",
  passwordHash: "",
  role: "user",
  createdAt: NOW,
  recovery: null,
  mailRecovery: null,
  emailVerifiedAt: null,
  emailVerification: null,
  mailNotices: { security: true, money: true, containers: false },
  billingDetails: null,
  knownPlaces: [],
  suspension: null,
  totp: { sealed: "s", last_step: 10, since: NOW.toISOString() },
  recoveryCodes: ["a", "b"],
  passkeys: [passkey("counts", 5), passkey("does not count")],
  deletion: null,
  sessionsEpoch: 0,
  sessions: [],
};
const wrong = expect.objectContaining({ code: "SECOND_FACTOR_WRONG" });
const code = (step: number, sealed = "s") => ({ by: "totp" as const, sealed, step });
const key = (passkey_id: string, counter: number) => ({ by: "passkey" as const, passkey_id, counter });

test("a code is good once, and so are all before it", () => {
  const used = redeemProof(account, code(11), NOW);
  for (const step of [10, 11]) expect(() => redeemProof(used, code(step), NOW)).toThrow(wrong);
  expect(redeemProof(used, code(12), NOW).totp?.last_step).toBe(12);
  expect(() => redeemProof(account, code(11, "a former secret"), NOW)).toThrow(wrong);
});

test("a recovery code is good once, and the others remain", () => {
  const used = redeemProof(account, { by: "recovery_code", hash: "a" }, NOW);
  expect(used.recoveryCodes).toEqual(["b"]);
  expect(() => redeemProof(used, { by: "recovery_code", hash: "a" }, NOW)).toThrow(wrong);
});

test("a passkey whose counter does not grow was copied; one that does not count is good", () => {
  expect(() => redeemProof(account, key("counts", 5), NOW)).toThrow(wrong);
  expect(() => redeemProof(account, key("removed", 6), NOW)).toThrow(wrong);
  expect(redeemProof(account, key("counts", 6), NOW).passkeys[0]).toMatchObject({
    counter: 6,
    lastUsedAt: NOW,
  });
  expect(redeemProof(account, key("does not count", 0), NOW).passkeys[1]?.lastUsedAt).toBe(NOW);
});

test("without a proof only an account without a second factor is entered", () => {
  expect(() => redeemProof(account, null, NOW)).toThrow(wrong);
  const bare = { ...account, totp: null, passkeys: [] };
  expect([hasSecondFactor(bare), redeemProof(bare, null, NOW)]).toEqual([false, bare]);
});

test("recovery codes end with the last factor, which stays where it is required", () => {
  const bare = { ...account, totp: null, passkeys: [] };
  expect(withoutFactor(account, true)).toBe(account);
  expect(withoutFactor(bare, false).recoveryCodes).toEqual([]);
  expect(() => withoutFactor(bare, true)).toThrow(
    expect.objectContaining({ code: "SECOND_FACTOR_SETUP_REQUIRED" }),
  );
});

test("an account has a bounded number of passkeys", () => {
  const full = { ...account, passkeys: Array.from({ length: PASSKEYS_MAX }, (_, n) => passkey(`${n}`)) };
  expect(() => addPasskey(full, passkey("more"))).toThrow(expect.objectContaining({ code: "PASSKEY_LIMIT" }));
});
