import { expect, test } from "bun:test";
import { isLoopback, networkOf } from "../../system/client-network.ts";

test.each([
  ["127.0.0.1", "127.0.0.1"],
  ["::ffff:10.0.0.7", "10.0.0.7"],
  ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
  ["2001:db8:1:2::6", "2001:db8:1:2::/64"],
  ["2001:DB8:1:02::9", "2001:db8:1:2::/64"],
  ["2001:db8::1", "2001:db8:0:0::/64"],
  ["::1", "0:0:0:0::/64"],
  ["fe80::1%eth0", "fe80:0:0:0::/64"],
  ["unknown", "unknown"],
])("the client at %s counts as %s", (address, network) => {
  expect(networkOf(address)).toBe(network);
});

test.each([
  ["127.0.0.1", true],
  ["127.9.9.9", true],
  ["::ffff:127.0.0.1", true],
  ["::1", true],
  ["::2", false],
  ["10.0.0.1", false],
  ["unknown", false],
])("whether %s is this host itself: %j", (address, loopback) => {
  expect(isLoopback(address)).toBe(loopback);
});
