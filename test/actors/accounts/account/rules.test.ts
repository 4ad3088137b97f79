import { expect, test } from "bun:test";
import {
  type Account,
  endSessions,
  newSession,
  openSession,
  refresh,
  SESSION_MS,
  type TokenHashes,
} from "../../../../actors/accounts/account/rules.ts";
import { Seeded } from "../../billing/wallet/seeded.ts";

const SESSIONS_MAX = 50;

const NOW = new Date("2026-01-31T09:30:00.000Z");
const later = (ms: number) => new Date(NOW.getTime() + ms);

const nobody: Account = {
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
  totp: null,
  recoveryCodes: [],
  passkeys: [],
  deletion: null,
  sessionsEpoch: 0,
  sessions: [],
};
/** A token of the session's family, with this secret of its own. */
const token = (session: string, secret: string): TokenHashes => ({
  familyHash: `family-${session}`,
  refreshHash: secret,
});
const withSessions = (...ids: string[]) =>
  ids.reduce(
    (account, id) => openSession(account, newSession(id, token(id, `${id}-1`), NOW), SESSIONS_MAX).account,
    nobody,
  );
const idsOf = (account: Account) => account.sessions.map(({ id }) => id);

test("a session has its first token, and a month from then", () => {
  expect(newSession("a", token("a", "a-1"), NOW)).toEqual({
    id: "a",
    familyHash: "family-a",
    refreshHash: "a-1",
    generation: 1,
    createdAt: NOW,
    refreshedAt: NOW,
    expiresAt: later(SESSION_MS),
    address: null,
    userAgent: null,
  });
});

test("the newest token is exchanged for the next, and the month begins again", () => {
  const result = refresh(withSessions("a", "b"), "a", token("a", "a-1"), "a-2", later(1_000));
  if (result.outcome !== "rotated") throw new Error(result.outcome);
  expect(result.session).toMatchObject({
    familyHash: "family-a",
    refreshHash: "a-2",
    generation: 2,
    createdAt: NOW,
    refreshedAt: later(1_000),
    expiresAt: later(1_000 + SESSION_MS),
  });
  expect(result.account.sessions).toHaveLength(2);
  expect(result.account.sessions).toContain(result.session);
});

test("a token comes again within half a minute where the newest one follows from it, and ends the session later", () => {
  const first = refresh(withSessions("a"), "a", token("a", "a-1"), "a-2", NOW);
  if (first.outcome !== "rotated") throw new Error(first.outcome);
  const again = (next: string, ms: number) =>
    refresh(first.account, "a", token("a", "a-1"), next, later(ms)).outcome;
  expect([again("a-2", 0), again("a-2", 30_000)]).toEqual(["repeated", "repeated"]);
  expect([again("a-2", 30_001), again("a-3", 0)]).toEqual(["reused", "reused"]);
});

test("a former token of a session ends it, and no other session", () => {
  for (const former of ["a-0", "b-1", ""]) {
    const result = refresh(withSessions("a", "b"), "a", token("a", former), "a-2", NOW);
    if (result.outcome !== "reused") throw new Error(result.outcome);
    expect(result.session.id).toBe("a");
    expect(idsOf(result.account)).toEqual(["b"]);
  }
});

test("a token of no family, or of another session's, is unknown: it could have been made up", () => {
  const account = withSessions("a", "b");
  for (const madeUp of [token("b", "b-1"), token("b", "a-1"), { familyHash: "", refreshHash: "a-1" }]) {
    expect(refresh(account, "a", madeUp, "a-2", NOW)).toEqual({ outcome: "unknown" });
  }
});

test("a session that is over, or never was, is unknown", () => {
  const account = withSessions("a");
  expect(refresh(account, "x", token("x", "a-1"), "a-2", NOW)).toEqual({ outcome: "unknown" });
  expect(refresh(account, "a", token("a", "a-1"), "a-2", later(SESSION_MS - 1)).outcome).toBe("rotated");
  expect(refresh(account, "a", token("a", "a-1"), "a-2", later(SESSION_MS))).toEqual({ outcome: "unknown" });
  expect(refresh(account, "a", token("a", "a-0"), "a-2", later(SESSION_MS))).toEqual({ outcome: "unknown" });
});

test("past the most sessions of an account the one that was refreshed longest ago gives way", () => {
  const ids = Array.from({ length: SESSIONS_MAX }, (_, i) => `s${i}`);
  const full = withSessions(...ids);
  expect(full.sessions).toHaveLength(SESSIONS_MAX);
  const used = refresh(full, "s0", token("s0", "s0-1"), "s0-2", later(1));
  if (used.outcome !== "rotated") throw new Error(used.outcome);
  const { account, ended } = openSession(
    used.account,
    newSession("new", token("new", "new-1"), later(2)),
    SESSIONS_MAX,
  );
  expect(ended.map(({ id }) => id)).toEqual(["s1"]);
  expect(account.sessions).toHaveLength(SESSIONS_MAX);
  expect(idsOf(account)).toContain("s0");
  expect(idsOf(account).at(-1)).toBe("new");
});

test("however sessions come, are used and are abused, none has two good tokens and no used one is good", () => {
  const random = new Seeded(8);
  let account = nobody;
  const newest = new Map<string, string>();
  const used: [string, string][] = [];
  for (let step = 0; step < 5_000; step++) {
    const known = random.pick([...newest.keys(), "none"]);
    const choice = random.integer(0, 3);
    const now = later(step);
    if (choice === 0) {
      const opened = openSession(
        account,
        newSession(`s${step}`, token(`s${step}`, `h${step}`), now),
        SESSIONS_MAX,
      );
      account = opened.account;
      newest.set(`s${step}`, `h${step}`);
      for (const { id } of opened.ended) newest.delete(id);
    } else {
      const replay = choice === 3 && used.length > 0 ? random.pick(used) : undefined;
      const [id, shown] = replay ?? [known, newest.get(known) ?? "none"];
      const isMadeUp = random.integer(0, 9) === 0;
      const hashes = isMadeUp ? { familyHash: "made up", refreshHash: shown } : token(id, shown);
      const result = refresh(account, id, hashes, `h${step}`, now);
      const isUnknown = isMadeUp || !newest.has(id);
      const expected = isUnknown ? "unknown" : newest.get(id) === shown ? "rotated" : "reused";
      if (result.outcome !== expected)
        throw new Error(`seed 8, step ${step}: ${result.outcome}, not ${expected}`);
      if (result.outcome === "unknown") continue;
      account = result.account;
      used.push([id, shown]);
      if (result.outcome === "rotated") newest.set(id, `h${step}`);
      else newest.delete(id);
    }
    if (account.sessions.length !== newest.size) throw new Error(`seed 8, step ${step}: a session was lost`);
  }
});

test("all sessions end but the one that is kept", () => {
  const account = withSessions("a", "b", "c");
  const { account: left, ended } = endSessions(account, "b");
  expect([left.sessions.map(({ id }) => id), ended.map(({ id }) => id)]).toEqual([["b"], ["a", "c"]]);
  expect(endSessions(account, undefined).account.sessions).toEqual([]);
});
