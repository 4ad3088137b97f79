import { expect, test } from "bun:test";
import { Refusal } from "../../../agents/http1/refusal.ts";
import { LIMITS } from "../../../agents/pipe/limits.ts";
import { PeerLimiter } from "../../../agents/pipe/peer-limiter.ts";

const bounded = () =>
  new PeerLimiter({ ...LIMITS, peersMax: 5, peersPerAddressMax: 2, peersPerLoopbackMax: 4 });

test.each([
  ["192.0.2.1", "192.0.2.1", false],
  ["192.0.2.1", "192.0.2.2", true],
  ["::ffff:192.0.2.1", "192.0.2.1", false],
  ["2001:db8:1:2::1", "2001:db8:1:2:ffff::9", false],
  ["2001:db8:1:2::1", "2001:db8:1:3::1", true],
  ["2001:db8::1", "2001:db8:0:0:5::", false],
])("%s and %s: the second has a place of its own: %p", (first, second, own) => {
  const peers = bounded();
  peers.enter(first);
  peers.enter(first);
  if (own) peers.enter(second);
  else expect(() => peers.enter(second)).toThrow(Refusal);
});

test("all together have a bound, and each place comes back once", () => {
  const peers = bounded();
  const leave = ["192.0.2.1", "192.0.2.2", "192.0.2.3", "192.0.2.4", "192.0.2.5"].map((one) =>
    peers.enter(one),
  );
  expect(() => peers.enter("192.0.2.6")).toThrow(expect.objectContaining({ status: 503 }));
  leave[0]?.();
  leave[0]?.();
  expect(peers.count).toBe(4);
  peers.enter("192.0.2.6");
  expect(() => peers.enter("192.0.2.7")).toThrow(Refusal);
});

test("this machine's own address has a bound of its own", () => {
  const peers = bounded();
  for (let at = 0; at < 4; at++) peers.enter("127.0.0.1");
  expect(() => peers.enter("127.0.0.1")).toThrow(expect.objectContaining({ status: 429 }));
});
