import { expect, test } from "bun:test";
import { CURATION } from "../../../../actors/activity/inbox/curation.ts";
import { type EventRecord, REFRESH_TOKEN_REUSED } from "../../../../schemas/events.ts";

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
