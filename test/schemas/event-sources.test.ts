import { expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { EVENT_TYPES } from "../../schemas/events.ts";

/** `docs/events.md` against the code. */

const ROOT = join(import.meta.dir, "../..");
const page = new Map(
  readFileSync(join(ROOT, "docs/events.md"), "utf8")
    .split("\n")
    .flatMap((line) => {
      const [, type, source] = /^\| `([a-z_.]+)` \| (.+) \|$/.exec(line) ?? [];
      return type === undefined || source === undefined ? [] : [[type, source] as const];
    }),
);

/** Types that stand in the code of actors, whole or as a template such as `container.${state}` with the states it is for. */
function emitted(): Set<string> {
  const sources = readdirSync(join(ROOT, "actors"), { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".ts") && !file.startsWith("activity/inbox/curation"))
    .map((file) => readFileSync(join(ROOT, "actors", file), "utf8"));
  return new Set(
    EVENT_TYPES.filter((type) => {
      const [resource = "", action = ""] = type.split(".");
      return sources.some(
        (source) =>
          source.includes(`"${type}"`) ||
          (source.includes(`\`${resource}.\${`) && new RegExp(`=== "${action}"`).test(source)),
      );
    }),
  );
}

test("the page names the 71 event types, and no others", () => {
  expect([...page.keys()].toSorted()).toEqual(EVENT_TYPES.toSorted() as string[]);
});

test("a type is emitted, or reserved with a reason", () => {
  const types = emitted();
  const isReserved = (type: string) => /^reserved: .{10,}/.test(page.get(type) ?? "");
  expect(EVENT_TYPES.filter((type) => !types.has(type) && !isReserved(type))).toEqual([]);
  expect(EVENT_TYPES.filter((type) => types.has(type) && isReserved(type))).toEqual([]);
});
