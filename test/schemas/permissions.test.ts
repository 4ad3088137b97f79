import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { POOL_ACTS } from "../../actors/accounts/pool/rules.ts";
import { CONTAINER_ACTS, RENTAL_ACTS, suffices } from "../../schemas/permissions.ts";

const rows = readFileSync(join(import.meta.dir, "../../docs/pools.md"), "utf8")
  .split("\n")
  .filter((line) => line.startsWith("| "))
  .map((line) =>
    line
      .split("|")
      .map((cell) => cell.trim())
      .slice(1, -1),
  );

test("the documentation says of each act in a pool what the code asks for", () => {
  const acts = { container: CONTAINER_ACTS, rental: RENTAL_ACTS };
  const expected = Object.entries(acts).flatMap(([noun, table]) =>
    Object.entries(table).map(([act, least]) => [`${noun}: ${act}`, least]),
  );
  const documented = rows.filter(([act]) => act?.includes(":")).map(([act, least]) => [act, least]);
  expect(documented as string[][]).toEqual(expected);
});

test("the documentation says who may do what with a pool itself", () => {
  const documented = rows.filter(([act, , more]) => more === undefined && act !== "act");
  expect(documented as string[][]).toEqual(
    Object.entries(POOL_ACTS).map(([act, who]) => [act, who.join(", ")]),
  );
});

test("a role that is unknown suffices for nothing, and nothing suffices for it", () => {
  const unknown = "guest" as "user";
  for (const role of ["user", "admin", "owner"] as const) {
    expect([suffices(unknown, role), suffices(role, unknown)]).toEqual([false, false]);
    expect(suffices(role, role)).toBe(true);
  }
});
