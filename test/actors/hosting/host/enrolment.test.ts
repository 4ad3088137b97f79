import { expect, test } from "bun:test";
import { enrol, newHost, remove } from "../../../../actors/hosting/host/rules.ts";
import { ENROLMENT_MS } from "../../../../schemas/hosting/host.ts";

const NOW = new Date("2026-01-01T00:00:00Z");
const HASH = "0".repeat(64);
const facts = {} as never;
const asked = { tokenHash: HASH, account: "A1", publicKey: "U1", facts };
const later = (ms: number) => new Date(NOW.getTime() + ms);

test("a one-time token is good for an hour, and once", () => {
  const host = newHost("node-1", HASH, NOW);
  const joined = enrol(host, asked, later(ENROLMENT_MS - 1));
  expect(joined).toMatchObject({ account: "A1", publicKey: "U1", enrolment: null, endedAccounts: [] });
  for (const [state, at] of [
    [host, later(ENROLMENT_MS)],
    [joined, NOW],
  ] as const)
    expect(() => enrol(state, asked, at)).toThrow("The token was used or replaced, or has expired");
  expect(() => enrol(host, { ...asked, tokenHash: "1".repeat(64) }, NOW)).toThrow("The token was used");
});

test("the account of a host that joins again, or is removed, is to be ended", () => {
  const joined = enrol(newHost("node-1", HASH, NOW), asked, NOW);
  const enrolment = { token_hash: HASH, expires_at: later(1_000).toISOString() };
  const again = enrol({ ...joined, enrolment }, { ...asked, account: "A2" }, NOW);
  expect(again).toMatchObject({ account: "A2", endedAccounts: ["A1"] });
  expect(remove(again, NOW)).toMatchObject({ account: null, endedAccounts: ["A1", "A2"], removedAt: NOW });
});
