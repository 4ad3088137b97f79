import { expect, test } from "bun:test";
import { listTag, readCursor, writeCursor } from "../../../gateway/http/cursor.ts";
import { type Sort, sorting, sortOf } from "../../../schemas/sorting.ts";

const BY_TIME = sorting("created_at", { created_at: "time" });
const NEWEST_FIRST = sortOf(BY_TIME, "-created_at");
const OLDEST_FIRST = sortOf(BY_TIME);

const id = "0123456789abcdef01234567";
const time = "2026-01-31T09:30:00.000123Z";
const tag = listTag("containers", {}, NEWEST_FIRST);
const cursor = writeCursor(tag, { value: time, id });

test("a cursor leads back to its place, on any page of the same list", () => {
  for (const query of [{ limit: "5" }, { cursor }, { page: "3" }, { offset: "9", sort_order: "desc" }]) {
    expect(readCursor(cursor, listTag("containers", query, NEWEST_FIRST), NEWEST_FIRST)).toEqual({
      value: time,
      id,
    });
  }
});

test("the order of filters makes no other list", () => {
  const one = listTag("containers", { project_id: id, state: "running" }, NEWEST_FIRST);
  expect(listTag("containers", { state: "running", project_id: id }, NEWEST_FIRST)).toBe(one);
});

test.each<[string, string, Sort]>([
  ["another list of the same order", listTag("projects", {}, NEWEST_FIRST), NEWEST_FIRST],
  ["another filter", listTag("containers", { project_id: id }, NEWEST_FIRST), NEWEST_FIRST],
  ["another order", listTag("containers", {}, OLDEST_FIRST), OLDEST_FIRST],
])("a cursor of %s is refused by name", (_, other, sort) => {
  const foreign = writeCursor(other, { value: time, id });
  const refused = { message: expect.stringContaining("query.cursor: belongs to another list") };
  expect(() => readCursor(foreign, tag, NEWEST_FIRST)).toThrow(expect.objectContaining(refused));
  expect(() => readCursor(cursor, other, sort)).toThrow(expect.objectContaining(refused));
});

test.each([
  ["an id that is none", writeCursor(tag, { value: time, id: "no id" })],
  ["an id with another sign", writeCursor(tag, { value: time, id: `${id.slice(1)}G` })],
  ["three ids", writeCursor(tag, { value: time, id: `${id}:${id}:${id}` })],
  ["a time that does not exist", writeCursor(tag, { value: "2026-02-31T00:00:00.000000Z", id })],
  ["a number for a time", writeCursor(tag, { value: "1", id })],
  ["what is no JSON", "x"],
  ["JSON of another form", Buffer.from("null").toString("base64url")],
  ["letters outside of base64url", `${cursor}=`],
])("%s is refused by name", (_, wrong) => {
  expect(() => readCursor(wrong, tag, NEWEST_FIRST)).toThrow(
    "query.cursor: is not the next_cursor of a page",
  );
});

test("text that the database cannot store is refused", () => {
  const byName: Sort = { by: "name", type: "text", order: "asc" };
  const ofNames = listTag("offers", {}, byName);
  expect(readCursor(writeCursor(ofNames, { value: "b", id }), ofNames, byName)).toEqual({ value: "b", id });
  for (const value of ["a\0b", "x".repeat(501)])
    expect(() => readCursor(writeCursor(ofNames, { value, id }), ofNames, byName)).toThrow("query.cursor");
});
