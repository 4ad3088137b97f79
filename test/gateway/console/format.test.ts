import { expect, test } from "bun:test";
import { formatRelative } from "../../../gateway/console/app/lib/format.ts";

const NOW = new Date(2026, 10, 23, 8, 27).getTime();
const HOUR_MS = 3_600_000;

test.each([
  [47.9, "in 2 days"],
  [25, "tomorrow"],
  [-25, "yesterday"],
  [-47.9, "2 days ago"],
  [72, "in 3 days"],
  [23.9, "in 23 hours"],
  [23.999, "tomorrow"],
  [0.999, "in 1 hour"],
])("what is %d hours away is called by the calendar: %s", (hours, words) => {
  expect(formatRelative(new Date(NOW + hours * HOUR_MS).toISOString(), NOW)).toBe(words);
});
