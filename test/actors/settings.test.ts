import { expect, test } from "bun:test";
import { readSettings } from "../../actors/settings.ts";

const needed = { DATABASE_URL: "postgres://a/b", NATS_URL: "nats://a" };

test("names are reserved by default, and those that an operator lists take their place", () => {
  expect(readSettings(needed).reservedAliases.has("www")).toBe(true);
  expect(readSettings({ ...needed, BERTH_RESERVED_ALIASES: "" }).reservedAliases.has("www")).toBe(true);
  const { reservedAliases } = readSettings({ ...needed, BERTH_RESERVED_ALIASES: "bank, pay-pal,\nroot" });
  expect([...reservedAliases]).toEqual(["bank", "pay-pal", "root"]);
});

test("a reserved name that no alias could have is told with its variable", () => {
  expect(() => readSettings({ ...needed, BERTH_RESERVED_ALIASES: "www,Api" })).toThrow(
    /^BERTH_RESERVED_ALIASES names "Api": /,
  );
});
