import { expect, test } from "bun:test";
import { clientAddresses } from "../../../gateway/http/client-address.ts";
import { trustedProxies } from "../../../system/trusted-proxies.ts";

/** The key of a connection from `peer` with an `X-Forwarded-For`, for a gateway that trusts `trusted`. */
const read = (trusted: string, peer: string | null, forwarded?: string) =>
  clientAddresses(trustedProxies(trusted))({
    request: new Request(
      "http://b",
      forwarded === undefined ? {} : { headers: { "x-forwarded-for": forwarded } },
    ),
    server: { requestIP: () => (peer === null ? null : { address: peer }) },
  });

test("an IPv6 caller is its /64, an IPv4 caller its address", () => {
  const address = (peer: string | null) => read("", peer);
  expect(address("10.0.0.1")).toBe("10.0.0.1");
  expect(address("::ffff:10.0.0.1")).toBe("10.0.0.1");
  expect(address("2001:db8:1:2:3:4:5:6")).toBe("2001:db8:1:2::/64");
  expect(address("2001:DB8:1:02::9")).toBe("2001:db8:1:2::/64");
  expect(address("2001:db8::1")).toBe("2001:db8:0:0::/64");
  expect(address("fe80::1%eth0")).toBe("fe80:0:0:0::/64");
  expect(address("::1")).toBe("0:0:0:0::/64");
  expect(address(null)).toBe("unknown");
});

test("nobody chooses their own address: X-Forwarded-For counts only from a trusted proxy", () => {
  expect(read("", "127.0.0.1", "203.0.113.9")).toBe("127.0.0.1");
  expect(read("10.0.0.0/8", "192.0.2.1", "203.0.113.9")).toBe("192.0.2.1");
  expect(read("10.0.0.0/8", "10.1.2.3", "203.0.113.9")).toBe("203.0.113.9");
  expect(read("10.0.0.0/8", "::ffff:10.1.2.3", "203.0.113.9")).toBe("203.0.113.9");
});

test("of several addresses the right-most counts that is no proxy's, whatever the client wrote before it", () => {
  const trusted = "10.0.0.0/8, 192.0.2.7,fd00::/8";
  expect(read(trusted, "10.0.0.1", "1.1.1.1, 203.0.113.9, 10.9.9.9")).toBe("203.0.113.9");
  expect(read(trusted, "fd00::1", "1.1.1.1,203.0.113.9,192.0.2.7,10.9.9.9")).toBe("203.0.113.9");
  expect(read(trusted, "10.0.0.1", "10.0.0.3, 10.0.0.2")).toBe("10.0.0.3");
  expect(read(trusted, "10.0.0.1")).toBe("10.0.0.1");
});

test("ports and brackets that some proxies write are passed over; what is no address ends the search", () => {
  expect(read("10.0.0.1", "10.0.0.1", "203.0.113.9:4711")).toBe("203.0.113.9");
  expect(read("10.0.0.1", "10.0.0.1", "[2001:db8:1:2::9]:443")).toBe("2001:db8:1:2::/64");
  expect(read("10.0.0.1", "10.0.0.1", "203.0.113.9, unknown")).toBe("10.0.0.1");
  expect(read("10.0.0.1", "10.0.0.1", "203.0.113.9, ")).toBe("10.0.0.1");
});

test.each(["10.0.0.0/33", "::/129", "proxy.internal", "10.0.0", "10.0.0.0/8/8", "10.0.0.0/-1"])(
  "%s is refused as a trusted proxy",
  (text) =>
    expect(() => trustedProxies(`127.0.0.1,${text}`)).toThrow(
      `"${text}" is neither an address nor a network`,
    ),
);
