import { expect, test } from "bun:test";
import { eventFrame, retryFrame } from "../../system/server-sent-events.ts";

test("an event is its type, its id where it has one, and a line of data", () => {
  expect(eventFrame({ event: "added", id: 7, data: '{"a":1}' })).toBe(
    'event: added\nid: 7\ndata: {"a":1}\n\n',
  );
  expect(eventFrame({ event: "gone", data: "{}" })).toBe("event: gone\ndata: {}\n\n");
  expect(retryFrame(3_000)).toBe("retry: 3000\n\n");
});
