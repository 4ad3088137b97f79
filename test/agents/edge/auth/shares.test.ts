import { expect, test } from "bun:test";
import { EdgeSessions, type Principal } from "../../../../agents/edge/auth/sessions.ts";
import { Shares } from "../../../../agents/edge/auth/shares.ts";
import { parseHead } from "../../../../agents/http1/head.ts";
import { newId } from "../../network/nft/rules.ts";

const HOUR = 60 * 60 * 1_000;
const PLACE = "name\ncontainer";
const PATH = "/api/v1/pipe/a b";
const principal: Principal = {
  userId: newId(),
  sessionId: newId(),
  sessionUserId: newId(),
  issuedAtMs: 1_700_000_000_000,
  expiresAtMs: 1_700_000_000_000 + 12 * HOUR,
  framedBy: null,
};

const request = (path = "/api/v1/pipe/a%20b", method = "GET", more = "") =>
  parseHead(Buffer.from(`${method} ${path} HTTP/1.1\r\nHost: name\r\n${more}\r\n`));

function sharesAt(now: () => number) {
  const sessions = new EdgeSessions(Buffer.alloc(32, 1), now);
  return { sessions, shares: new Shares(sessions, now) };
}

test("a share opens its one path at its one place, to read, however the path is escaped, and for an hour", () => {
  let now = principal.issuedAtMs;
  const { shares } = sharesAt(() => now);
  const { token, expiresInSeconds } = shares.issue(principal, PLACE, PATH);
  expect(expiresInSeconds).toBe(3_600);
  const reads = (head = request(), place = PLACE, shown = token) =>
    shares.read(shown, place, head) !== undefined;
  expect(shares.read(token, PLACE, request())).toEqual(principal);
  expect(reads(request("/api/v1/pipe/a%20%62?n=2"))).toBe(true);
  for (const path of ["/api/v1/pipe/a", "/api/v1/pipe/a%20b/", "/", "/api/v1/pipe/a%2520b"])
    expect([path, reads(request(path))]).toEqual([path, false]);
  for (const method of ["POST", "PUT", "HEAD", "DELETE"])
    expect(reads(request(undefined, method))).toBe(false);
  expect(reads(request(undefined, "GET", "Upgrade: websocket\r\n"))).toBe(false);
  expect(reads(request(), "other\ncontainer")).toBe(false);
  now += HOUR - 1_000;
  expect(reads()).toBe(true);
  now += 1_000;
  expect(reads()).toBe(false);
});

test("a share is not made longer, is no cookie, and lasts no longer than the session", () => {
  const { sessions, shares } = sharesAt(() => principal.issuedAtMs);
  const { token } = shares.issue(principal, PLACE, PATH);
  const [until = "", ...signed] = token.split(".");
  const reads = (shown: string) => shares.read(shown, PLACE, request()) !== undefined;
  expect(reads(`${Number(until) + 1}.${signed.join(".")}`)).toBe(false);
  expect(reads(`0${token}`)).toBe(false);
  expect(sessions.read(signed.join("."), PLACE)).toBeUndefined();
  expect(reads(`${until}.${sessions.issue(principal, PLACE)}`)).toBe(false);
  const brief = { ...principal, expiresAtMs: principal.issuedAtMs + 60_000 };
  expect(shares.issue(brief, PLACE, PATH).expiresInSeconds).toBe(60);
});
