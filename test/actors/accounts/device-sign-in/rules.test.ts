import { expect, test } from "bun:test";
import { type DeviceSignInState, decide, redeem } from "../../../../actors/accounts/device-sign-in/rules.ts";

const NOW = new Date("2026-01-31T09:30:00.000Z");
const ADA = { userId: "ada", sessionId: "laptop", sessionsEpoch: 0 };
const pending: DeviceSignInState = {
  secretHash: "hash",
  userCode: "BCDF-GHJK",
  clientName: "berth",
  address: null,
  userAgent: null,
  status: "pending",
  userId: null,
  sessionId: null,
  sessionsEpoch: null,
  createdAt: NOW,
  expiresAt: new Date(NOW.getTime() + 600_000),
};
const refused = expect.objectContaining({ code: "DEVICE_CODE_INVALID" });

test("an approval stands, and nobody else's answer replaces it", () => {
  const approved = decide(pending, "approved", ADA, NOW);
  expect(decide(approved, "approved", ADA, NOW)).toBe(approved);
  expect(() => decide(approved, "denied", { ...ADA, userId: "eve" }, NOW)).toThrow(refused);
  expect(() => decide(approved, "approved", { ...ADA, userId: "eve" }, NOW)).toThrow(refused);
});

test("an approval is taken back until the program was let in, and a refusal stands", () => {
  const approved = decide(pending, "approved", ADA, NOW);
  const denied = decide(approved, "denied", { ...ADA, sessionId: "phone" }, NOW);
  expect(denied.status).toBe("denied");
  expect(() => redeem(denied, "hash", NOW)).toThrow(refused);
  expect(() => decide(denied, "approved", ADA, NOW)).toThrow(refused);
  expect(() => decide(redeem(approved, "hash", NOW), "denied", ADA, NOW)).toThrow(refused);
});

test("a code lets its program in once, with the right secret and before it expires", () => {
  const approved = decide(pending, "approved", ADA, NOW);
  expect(() => redeem(pending, "hash", NOW)).toThrow(refused);
  expect(() => redeem(approved, "other", NOW)).toThrow(refused);
  expect(() => redeem(approved, "hash", approved.expiresAt)).toThrow(refused);
  const redeemed = redeem(approved, "hash", NOW);
  expect(redeemed).toMatchObject({ status: "redeemed", ...ADA });
  expect(() => redeem(redeemed, "hash", NOW)).toThrow(refused);
});
