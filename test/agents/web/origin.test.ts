import { expect, test } from "bun:test";
import { initiatorOf, isTopLevelNavigation } from "../../../agents/web/origin.ts";

const OWN = "https://a.example";
const fields = (headers: Record<string, string>) => (name: string) => headers[name];

test.each([
  [{}, "unknown"],
  [{ origin: OWN }, "own"],
  [{ origin: "https://partner.example" }, "own"],
  [{ origin: "https://b.example" }, "foreign"],
  [{ origin: "null" }, "foreign"],
  // The origin decides: a page of the same site may be another customer's.
  [{ origin: "https://b.a.example", "sec-fetch-site": "same-origin" }, "foreign"],
  [{ "sec-fetch-site": "same-origin" }, "own"],
  [{ "sec-fetch-site": "none" }, "user"],
  [{ "sec-fetch-site": "same-site" }, "foreign"],
  [{ "sec-fetch-site": "cross-site" }, "foreign"],
  [{ "sec-fetch-site": "something new" }, "foreign"],
] as const)("%j comes from: %s", (headers, initiator) => {
  expect(initiatorOf(fields(headers), OWN, "https://partner.example")).toBe(initiator);
});

test("a page within a frame is no top-level navigation", () => {
  const navigation = { "sec-fetch-mode": "navigate" };
  expect(isTopLevelNavigation(fields({ ...navigation, "sec-fetch-dest": "document" }))).toBe(true);
  expect(isTopLevelNavigation(fields({ ...navigation, "sec-fetch-dest": "iframe" }))).toBe(false);
  expect(isTopLevelNavigation(fields({ "sec-fetch-mode": "cors", "sec-fetch-dest": "document" }))).toBe(
    false,
  );
});
