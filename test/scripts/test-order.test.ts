import { expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { writeTimings } from "../../scripts/test-order.ts";
import { temporaryFolder } from "../harness/servers.ts";

const ROOT = join(import.meta.dir, "../..");

test("every file that is said to take long is there, and so is every other one, after it", () => {
  const path = join(temporaryFolder(), "timings.json");
  writeTimings(path, ROOT);
  const files: Record<string, number> = JSON.parse(readFileSync(path, "utf8")).files;
  expect(Object.keys(files).filter((file) => !existsSync(join(ROOT, file)))).toEqual([]);
  const own = files["test/scripts/test-order.test.ts"] as number;
  expect(files["test/simulation/simulation.test.ts"]).toBeGreaterThan(own);
});
