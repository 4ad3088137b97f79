import { expect, test } from "bun:test";
import { isIPv4 } from "node:net";
import { AddressPool } from "../../../agents/network/addresses.ts";

test("an address is given to one container at a time, and a freed one is used again last", () => {
  const pool = new AddressPool("10.78.0.0/29");
  expect(pool.gateway).toBe("10.78.0.1");
  expect([1, 2, 3, 4, 5].map(() => pool.allocate())).toEqual([
    "10.78.0.2",
    "10.78.0.3",
    "10.78.0.4",
    "10.78.0.5",
    "10.78.0.6",
  ]);
  expect(() => pool.allocate()).toThrow("no address is left");
  pool.release("10.78.0.3");
  expect(pool.allocate()).toBe("10.78.0.3");

  const other = new AddressPool("10.78.0.0/29");
  other.release(other.allocate());
  expect(other.allocate()).toBe("10.78.0.3");
});

test("an address that a container has already is not given out, and cannot be claimed twice", () => {
  const pool = new AddressPool("10.78.0.0/29");
  expect(pool.reserve("10.78.0.2")).toBe(true);
  expect(pool.reserve("10.78.0.2")).toBe(false);
  expect(pool.allocate()).toBe("10.78.0.3");
  for (const foreign of ["10.78.0.1", "10.78.0.0", "10.78.0.7", "10.79.0.2", "x"]) {
    expect({ foreign, taken: pool.reserve(foreign) }).toEqual({ foreign, taken: false });
  }
});

test.each([
  "10.77.0.0",
  "10.77.0.1/16",
  "10.77.0.0/33",
  "10.77.0.0/30",
  "10.77.0.0/x",
  "10.0.0.0/08",
  "10.77.0.0/",
  "banana",
  "010.0.0.0/8",
  "::/64",
  "10.0.0.0/8/8",
])("%s is refused as a subnet", (subnet) => {
  expect(() => new AddressPool(subnet)).toThrow(RangeError);
});

test("an IPv4 address is four plain decimal numbers up to 255", () => {
  expect(["0.0.0.0", "255.255.255.255", "10.78.0.2"].map(isIPv4)).toEqual([true, true, true]);
  for (const text of [
    "1.2.3",
    "1.2.3.4.5",
    "01.2.3.4",
    "1.2.3.256",
    "1.2.3.4\n",
    " 1.2.3.4",
    "a.b.c.d",
    "",
  ]) {
    expect({ text, valid: isIPv4(text) }).toEqual({ text, valid: false });
  }
});
