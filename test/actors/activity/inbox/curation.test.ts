import { expect, test } from "bun:test";
import { CURATION } from "../../../../actors/activity/inbox/curation.ts";
import { type EventRecord, REFRESH_TOKEN_REUSED } from "../../../../schemas/events.ts";

const noticeOf = (reason: string) => CURATION["user.session_revoked"]?.({ reason }, {} as EventRecord);

test("a refresh token that is used twice is a warning", () => {
  expect(noticeOf(REFRESH_TOKEN_REUSED)).toMatchObject({ level: "warning" });
});

test("a session that its user ended is no notice", () => {
  expect(noticeOf("ended by the user")).toBeUndefined();
  expect(noticeOf("all sessions ended by the user")).toBeUndefined();
});
