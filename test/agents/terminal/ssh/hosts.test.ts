import { describe, expect, test } from "bun:test";
import { networkInterfaces } from "node:os";
import { join } from "node:path";
import { addressOf, mayReach } from "../../../../agents/terminal/ssh/hosts.ts";
import { HostKeyChanged, KnownHosts } from "../../../../agents/terminal/ssh/known-hosts.ts";
import { temporaryFolder } from "../../../harness/servers.ts";

describe("which hosts a session may reach", () => {
  test.each([
    "169.254.169.254",
    "169.254.0.1",
    "0.0.0.0",
    "224.0.0.1",
    "255.255.255.255",
    "100.100.100.200",
    "fe80::1",
    "ff02::1",
    "::",
    "fd00:ec2::254",
    "::ffff:169.254.169.254",
    "::ffff:a9fe:a9fe",
    "64:ff9b::169.254.169.254",
    "64:ff9b::a9fe:a9fe",
  ])("never %s", (address) => {
    expect(mayReach(address, { own: true })).toBe(false);
    expect(mayReach(address, { own: false })).toBe(false);
  });

  test("not this machine, by any of its addresses, unless that is allowed", () => {
    const own = Object.values(networkInterfaces()).flatMap((all) =>
      (all ?? []).map(({ address }) => address),
    );
    for (const address of ["127.0.0.1", "127.9.9.9", "::1", "::ffff:127.0.0.1", "::ffff:7f00:1", ...own]) {
      expect({ address, may: mayReach(address, { own: false }) }).toEqual({ address, may: false });
    }
    expect(mayReach("127.0.0.1", { own: true })).toBe(true);
  });

  test.each(["192.0.2.1", "10.1.2.3", "2001:db8::1", "::ffff:192.0.2.1"])("but %s", (address) => {
    expect(mayReach(address, { own: false })).toBe(true);
  });

  test("a name counts by the address that it has", async () => {
    expect(await addressOf("localhost", { own: false })).toBeNull();
    expect(await addressOf("localhost", { own: true })).toMatch(/^(127\.0\.0\.1|::1)$/);
    expect(await addressOf("no-such-host.invalid", { own: true })).toBeNull();
  });
});

test("known hosts outlive the service in their file, and many new ones at once are all kept", async () => {
  const file = join(temporaryFolder(), "deep/known");
  const first = new KnownHosts(file);
  await Promise.all(Array.from({ length: 20 }, (_, n) => first.check(`host-${n}`, Buffer.from(`key ${n}`))));
  const second = new KnownHosts(file);
  expect(await second.check("host-7", Buffer.from("key 7"))).toBe(false);
  expect(await second.check("host-20", Buffer.from("key"))).toBe(true);
  expect(second.check("host-7", Buffer.from("another"))).rejects.toThrow(HostKeyChanged);
});
