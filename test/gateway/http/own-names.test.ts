import { expect, test } from "bun:test";
import { underReachedName } from "../../../gateway/http/own-names.ts";

const OWN = "http://127.0.0.1:3000/payments/return";

test.each([
  ["http://localhost:3000", "http://localhost:3000/payments/return"],
  ["http://[::1]:3000", "http://[::1]:3000/payments/return"],
  ["http://127.0.0.1:3000/sandbox/cardpay/1", OWN],
  // Another program of this machine, another machine, and what is no address.
  ["http://localhost:4000", OWN],
  ["https://localhost:3000", OWN],
  ["http://localhost.example:3000", OWN],
  ["http://evil.example:3000", OWN],
  ["null", OWN],
  [null, OWN],
])("an address of this machine that is reached as %s is %s", (reached, address) => {
  expect(underReachedName(OWN, reached)).toBe(address);
});

test("an address that others reach stays as it is", () => {
  const shop = "https://berth.example/payments/return";
  expect(underReachedName(shop, "http://localhost:3000")).toBe(shop);
});
