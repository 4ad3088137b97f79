import { expect, test } from "bun:test";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { LONGEST, saveTimes, writeTimings } from "../../scripts/test-order.ts";
import { temporaryFolder } from "../harness/servers.ts";

const ROOT = join(import.meta.dir, "../..");

test("every file that is said to take long is there, and so is every other one, after it", () => {
  const path = join(temporaryFolder(), "timings.json");
  writeTimings(path, ROOT);
  const files: Record<string, number> = JSON.parse(readFileSync(path, "utf8")).files;
  const all = [...new Bun.Glob("test/**/*.test.ts").scanSync(ROOT)];
  expect(Object.keys(files).sort()).toEqual(all.sort());
  expect(Object.keys(LONGEST).filter((file) => files[file] === undefined)).toEqual([]);
});

test("what the last run took decides the order of the next, and a damaged note does no harm", () => {
  const root = temporaryFolder();
  mkdirSync(join(root, "test"));
  for (const name of ["a", "b"]) writeFileSync(join(root, `test/${name}.test.ts`), "");
  const read = () => {
    writeTimings(join(root, "timings.json"), root);
    return JSON.parse(readFileSync(join(root, "timings.json"), "utf8")).files;
  };
  const unknown = read();
  expect(unknown["test/a.test.ts"]).toBe(unknown["test/b.test.ts"]);
  saveTimes(root, { "test/a.test.ts": 1.5, "test/b.test.ts": 40 });
  saveTimes(root, { "test/a.test.ts": 2.5, "test/gone.test.ts": 3 });
  expect(read()).toEqual({ "test/a.test.ts": 2_500, "test/b.test.ts": 40_000 });
  writeFileSync(join(root, "node_modules/.cache/berth-test-times.json"), "{");
  expect(read()).toEqual(unknown);
});
