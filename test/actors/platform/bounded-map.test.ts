import { expect, test } from "bun:test";
import { BoundedMap } from "../../../actors/platform/bounded-map.ts";

test("the oldest entry goes when one more comes than there may be", () => {
  const map = new BoundedMap<string, number>(2);
  map.set("a", 1).set("b", 2).set("c", 3);
  expect([...map]).toEqual([
    ["b", 2],
    ["c", 3],
  ]);
});

test("an entry that is set again is the newest, and takes no second place", () => {
  const map = new BoundedMap<string, number>(2);
  map.set("a", 1).set("b", 2).set("a", 3).set("c", 4);
  expect([...map]).toEqual([
    ["a", 3],
    ["c", 4],
  ]);
});
