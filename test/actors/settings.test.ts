import { expect, test } from "bun:test";
import { readSettings } from "../../actors/settings.ts";

const NEEDED = { DATABASE_URL: "postgres://berth@localhost/berth", NATS_URL: "nats://localhost" };
const sellerOf = (name: string, details: string) =>
  readSettings({ ...NEEDED, BERTH_SELLER_NAME: name, BERTH_SELLER_DETAILS: details }).seller;

test("the seller on invoices is a name and lines", () => {
  expect(readSettings(NEEDED).seller).toEqual({ name: "Berth", details: [] });
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
