import { expect, test } from "bun:test";
import { CURATION, MAILED_EVENTS } from "../../../../actors/activity/inbox/curation.ts";
import { pageOf } from "../../../../actors/activity/inbox/pages.ts";
import {
  type EventRecord,
  type EventType,
  REFRESH_TOKEN_REUSED,
  type ResourceType,
} from "../../../../schemas/events.ts";

const DAY_MS = 24 * 60 * 60 * 1000;
const curated = (event_type: EventRecord["event_type"], data: object, graceMs = 3 * DAY_MS) =>
  CURATION[event_type]?.({ ...data }, {} as EventRecord, { graceMs });
const noticeOf = (reason: string) => curated("user.session_revoked", { reason });

test("a refresh token that is used twice is a warning", () => {
  expect(noticeOf(REFRESH_TOKEN_REUSED)).toMatchObject({ level: "warning" });
});

test("a session that its user ended is no notice", () => {
  expect(noticeOf("ended by the user")).toBeUndefined();
  expect(noticeOf("all sessions ended by the user")).toBeUndefined();
});

test("the end of a rental says until when what ran there is kept", () => {
  const ended = { name: "atlas", rental_end: "2026-11-26T10:20:00.000Z" };
  expect(curated("server.expired", ended)?.body).toBe(
    "What ran there is stopped, and is removed after 29 November 2026, 10:20 UTC.",
  );
  expect(curated("server.expired", ended, 0)?.body).toBe("What ran there is stopped, and is removed now.");
});

test("amounts are written as people read them", () => {
  const failed = curated("activity_log.payment_settled", { outcome: "failed", amount: "1234.50" });
  expect(failed?.title).toBe("Your payment of $1,234.50 has failed");
  const extended = { name: "atlas", days: 30, charged_cents: 123_450, automatic: true };
  expect(curated("server.extended", extended)?.body).toStartWith("$1,234.50 was charged.");
});

test("a day is written as people read it", () => {
  const ends = { name: "atlas", ends_in_days: 3, rental_end: "2026-11-27T10:20:00.000Z" };
  expect(curated("server.updated", ends)?.body).toStartWith("It ends on 27 November 2026.");
});

const ID = "a".repeat(24);

test.each([
  ["container.error", "container", `/containers/${ID}`],
  // What a firewall reports is said of its container.
  ["firewall.apply_failed", "container", `/containers/${ID}`],
  ["server.delivered", "server", `/servers/${ID}`],
  ["server.expired", "server", `/servers/${ID}`],
  ["server.released", "server", "/marketplace"],
  ["user.balance_credited", "user", "/wallet"],
  ["activity_log.payment_settled", "activity_log", "/wallet"],
  ["activity_log.invoice_issued", "activity_log", "/wallet/invoices"],
  ["proxy_alias.expired", "proxy_alias", "/names"],
  ["pool.member_joined", "pool", `/pools/${ID}`],
  ["pool.member_invited", "pool", "/pools"],
  ["pool.deleted", "pool", "/pools"],
  ["auth_token.created", "auth_token", "/account/tokens"],
  ["user.logged_in", "user", "/account/sessions"],
] as const)("a notice of %s leads to what it is about", (event_type, resource_type, page) => {
  expect(pageOf({ event_type, resource_type, resource_id: ID })).toBe(page as string);
});

test.each([...new Set([...Object.keys(CURATION), ...Object.keys(MAILED_EVENTS)])] as EventType[])(
  "a notice of %s leads somewhere",
  (event_type) => {
    const resource_type = event_type.split(".")[0] as ResourceType;
    const of = resource_type === "firewall" ? "container" : resource_type;
    expect(pageOf({ event_type, resource_type: of, resource_id: ID })).toBeString();
  },
);
