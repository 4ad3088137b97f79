import { expect, test } from "bun:test";
import { newId } from "../../../actors/platform/ids.ts";

test("ids are 24 hexadecimal characters, never the same, and grow", () => {
  const ids = Array.from({ length: 50_000 }, newId);
  expect(ids.every((id) => /^[0-9a-f]{24}$/.test(id))).toBe(true);
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids).toEqual([...ids].sort());
});
