import { expect, test } from "bun:test";
import { relativeTime } from "../../../../agents/notifier/page/time.ts";

const now = new Date("2026-11-22T12:00:00Z");
test.each([
  ["2026-11-22T12:00:05Z", "just now"],
  ["2026-11-22T11:59:01Z", "just now"],
  ["2026-11-22T11:58:59Z", "1 minute ago"],
  ["2026-11-22T11:00:00Z", "1 hour ago"],
  ["2026-11-21T12:00:00Z", "yesterday"],
  ["2026-11-16T12:00:00Z", "6 days ago"],
  ["2026-11-15T12:00:00Z", "11/15/2026"],
])("%s is %s", (at, text) => {
  expect(relativeTime(new Date(at), now, "en-US")).toBe(text);
});
