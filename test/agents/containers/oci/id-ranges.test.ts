import { expect, test } from "bun:test";
import { existsSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { IdRanges, RANGE_IDS } from "../../../../agents/containers/oci/id-ranges.ts";
import { temporaryFolder } from "../../../harness/servers.ts";

test("containers have ranges of their own, which they keep for a later agent", async () => {
  const folder = temporaryFolder();
  const ranges = new IdRanges(folder);
  const first = await Promise.all(["a", "b", "c", "d"].map((id) => ranges.claim(id)));
  expect(new Set(first.map((id) => Math.floor(id / RANGE_IDS))).size).toBe(4);
  expect(first.every((id) => id % RANGE_IDS === 0 && id >= 0x7000_0000 && id < 0x8000_0000)).toBe(true);
  const later = new IdRanges(folder);
  expect(await Promise.all(["a", "b", "c", "d"].map((id) => later.claim(id)))).toEqual(first);
});

test("a range is free again when its container is gone, and only then", async () => {
  const folder = temporaryFolder();
  for (let range = 1; range < 4_096; range += 1) writeFileSync(join(folder, String(range)), `other-${range}`);
  const ranges = new IdRanges(folder);
  expect(await ranges.claim("a")).toBe(0x7000_0000);
  await expect(ranges.claim("b")).rejects.toThrow("no user ids left");
  await ranges.release("a");
  expect(existsSync(join(folder, "0"))).toBe(false);
  expect(await ranges.claim("b")).toBe(0x7000_0000);
  expect(readdirSync(folder).length).toBe(4_096);
});

test("a range whose claim was not written whole is another's to take", async () => {
  const folder = temporaryFolder();
  for (let range = 1; range < 4_096; range += 1) writeFileSync(join(folder, String(range)), `other-${range}`);
  writeFileSync(join(folder, "0"), "");
  expect(await new IdRanges(folder).claim("a")).toBe(0x7000_0000);
});
