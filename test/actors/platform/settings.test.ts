import { expect, test } from "bun:test";
import { readSettings } from "../../../actors/platform/settings.ts";

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

const sellerOf = (name: string, details: string) =>
  readSettings({ ...needed, BERTH_SELLER_NAME: name, BERTH_SELLER_DETAILS: details }).seller;

test("the seller on invoices is a name and lines", () => {
  expect(readSettings(needed).seller).toEqual({ name: "Berth", details: [] });
  expect(sellerOf("", "")).toEqual({ name: "Berth", details: [] });
  expect(sellerOf("Hafen GmbH", " Quay 1;; 20457 Hamburg ;")).toEqual({
    name: "Hafen GmbH",
    details: ["Quay 1", "20457 Hamburg"],
  });
});

test("a seller that an invoice has no room for is refused with the variable's name", () => {
  expect(() => sellerOf("x".repeat(81), "")).toThrow("BERTH_SELLER_NAME: give at most 80");
  expect(() => sellerOf("x", "y".repeat(61))).toThrow("BERTH_SELLER_DETAILS: give at most 8 lines, of 60");
  expect(() => sellerOf("x", "y;".repeat(9))).toThrow("BERTH_SELLER_DETAILS");
});
