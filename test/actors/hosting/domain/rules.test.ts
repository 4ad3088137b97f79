import { expect, test } from "bun:test";
import {
  addClaim,
  afterLook,
  type Claim,
  type DomainNameState,
  due,
  type NewClaim,
  waitingAfter,
} from "../../../../actors/hosting/domain/rules.ts";

/** Who has a domain, by what was found in DNS over time. */

const DAY_MS = 24 * 60 * 60 * 1_000;
const START = new Date("2026-01-01T00:00:00.000Z");
const after = (ms: number) => new Date(START.getTime() + ms);
const FOUND = { proof: "txt" as const, error: null };
const MISSING = { proof: null, error: "there is none" };

const ofUser = (userId: string, aliasId = `alias-${userId}`): NewClaim => ({
  ...{
    id: `claim-${userId}`,
    domain: "shop.example",
    userId,
    aliasId,
    serverId: "s",
    token: `token-${userId}`,
  },
  ...{ projectId: "p", containerId: "c" },
});
const stateOf = (...claims: Claim[]): DomainNameState => ({
  name: "shop.example",
  claims: new Map(claims.map((claim) => [claim.id, claim])),
});
const NOBODY = stateOf();

test("an account has a domain for one alias", () => {
  const own = addClaim(NOBODY, ofUser("ann"), START);
  expect(own).toMatchObject({ state: "pending", nextCheckAt: START });
  expect(() => addClaim(stateOf(own), ofUser("ann"), START)).toThrow("the alias has this domain already");
  expect(() => addClaim(stateOf(own), ofUser("ann", "another"), START)).toThrow("remove it there first");
});

test("a domain that one account has proven is not taken by the proof of another, until it is given up", () => {
  const first = afterLook(NOBODY, addClaim(NOBODY, ofUser("ann"), START), FOUND, START);
  expect(first).toMatchObject({ state: "verified", verifiedAt: START });
  // Whoever claims it learns nothing before their own proof is there.
  const second = addClaim(stateOf(first), ofUser("bob"), START);
  expect(afterLook(stateOf(first, second), second, MISSING, START).error).toBe("there is none");
  const refused = afterLook(stateOf(first, second), second, FOUND, START);
  expect(refused).toMatchObject({ state: "pending", error: expect.stringContaining("another account") });
  expect(afterLook(stateOf(refused), refused, FOUND, after(DAY_MS)).state).toBe("verified");
});

test("who waits for a domain that its holder gives up is looked at at once", () => {
  const holder = afterLook(NOBODY, addClaim(NOBODY, ofUser("ann"), START), FOUND, START);
  const waiting = afterLook(stateOf(holder), addClaim(stateOf(holder), ofUser("bob"), START), FOUND, START);
  const given = { ...addClaim(stateOf(holder), ofUser("cid"), START), state: "failed" as const };
  const state = stateOf(holder, waiting, given);
  expect(waiting.nextCheckAt).not.toEqual(after(1));
  expect(waitingAfter(state, holder, after(1))).toEqual([{ ...waiting, nextCheckAt: after(1) }]);
  expect(waitingAfter(state, waiting, after(1))).toEqual([]);
});

test("a proof that is gone for three days ends it, and one that is back before keeps it", () => {
  let claim = afterLook(NOBODY, addClaim(NOBODY, ofUser("ann"), START), FOUND, START);
  const at = (ms: number, look: typeof FOUND | typeof MISSING) => {
    claim = afterLook(stateOf(claim), claim, look, after(ms));
    return claim.state;
  };
  expect(at(DAY_MS, MISSING)).toBe("verified");
  expect(at(3 * DAY_MS, MISSING)).toBe("verified");
  expect(at(3.5 * DAY_MS, FOUND)).toBe("verified");
  expect(at(4 * DAY_MS, MISSING)).toBe("verified");
  expect(at(7 * DAY_MS, MISSING)).toBe("failed");
  expect(claim).toMatchObject({ nextCheckAt: null, verifiedAt: null, error: "there is none" });
  claim = due(claim, after(8 * DAY_MS));
  expect(claim).toMatchObject({ state: "pending", nextCheckAt: after(8 * DAY_MS) });
  expect(at(8 * DAY_MS, FOUND)).toBe("verified");
});

test("a claim that nobody proves is looked for less and less, and no longer after a week", () => {
  let claim = addClaim(NOBODY, ofUser("ann"), START);
  let looks = 0;
  const pauses: number[] = [];
  while (claim.nextCheckAt !== null) {
    const now = claim.nextCheckAt;
    claim = afterLook(stateOf(claim), claim, MISSING, now);
    if (claim.nextCheckAt !== null) pauses.push(claim.nextCheckAt.getTime() - now.getTime());
    looks += 1;
    expect(looks).toBeLessThan(1_000);
  }
  expect(pauses[0]).toBe(10_000);
  expect(pauses).toEqual(pauses.toSorted((a, b) => a - b));
  expect(Math.max(...pauses)).toBe(60 * 60_000);
  expect(claim.state).toBe("failed");
});
