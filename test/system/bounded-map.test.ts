import { expect, test } from "bun:test";
import { BoundedMap } from "../../system/bounded-map.ts";

test("past its bound the map forgets the key that was set longest ago, and says which", () => {
  const evicted: string[] = [];
  const map = new BoundedMap<string, number>(2, (key) => void evicted.push(key));
  map.set("a", 1).set("b", 2).set("a", 3).set("c", 4);
  expect([...map]).toEqual([
    ["a", 3],
    ["c", 4],
  ]);
  expect(evicted).toEqual(["b"]);
});
