import { describe, expect, test } from "bun:test";
import { networkInterfaces } from "node:os";
import { join } from "node:path";
import { networksOfHost, subnetProblem } from "../../../agents/network/subnet.ts";
import { temporaryFolder } from "../../harness/servers.ts";
import { agentEnvironment, MAIN } from "../agent-process.ts";
import { lacks } from "../requirements.ts";

/** It takes a second on a quiet machine. */
const START_MS_MAX = 60_000;

describe("a subnet of containers", () => {
  const lan = { network: "10.20.0.7/16", use: "this host's on eth0" };
  const vpn = { network: "10.128.0.0/9", use: "reached through tun0" };

  test("may be any that the host does not use", () => {
    for (const free of ["10.77.0.0/16", "10.19.0.0/16", "10.21.0.0/29", "192.168.0.0/16", "126.0.0.0/8"]) {
      expect({ free, problem: subnetProblem(free, [lan, vpn]) }).toEqual({ free, problem: null });
    }
  });

  test.each([
    ["10.20.0.0/16", "10.20.0.7/16, which is this host's on eth0"],
    ["10.20.5.0/24", "10.20.0.7/16"],
    ["10.0.0.0/8", "10.20.0.7/16"],
    ["10.200.0.0/16", "10.128.0.0/9, which is reached through tun0"],
    ["127.77.0.0/16", "the loopback network"],
    ["224.0.0.0/8", "multicast"],
    ["250.0.0.0/8", "reserved"],
    ["0.0.0.0/8", "reserved"],
    ["169.254.0.0/24", "link-local"],
  ])("%s is refused with what it overlaps", (subnet, what) => {
    expect(subnetProblem(subnet, [lan, vpn])).toContain(what);
  });
});

describe.skipIf(lacks("root", "nft", "ip", "unshare", "setpriv"))(
  "an agent whose containers would have",
  () => {
    async function start(subnet: string) {
      const data = join(temporaryFolder(), "agent");
      const options = { natsUrl: "nats://agent-node-9:x@127.0.0.1:1", server: "node-9", data, subnet };
      const child = Bun.spawn([process.execPath, MAIN], {
        env: agentEnvironment({ ...options, driver: "oci" }),
        stdout: "ignore",
        stderr: "pipe",
        timeout: START_MS_MAX,
      });
      const text = await new Response(child.stderr).text();
      return { text, code: await child.exited };
    }
    const external = Object.entries(networkInterfaces())
      .flatMap(([name, all = []]) => all.map((one) => ({ name, ...one })))
      .find(
        ({ family, internal, netmask, name }) =>
          family === "IPv4" && !internal && netmask === "255.255.255.0" && /^(e|w)/.test(name),
      );

    test.each(["127.77.0.0/16", "224.1.0.0/16"])(
      "addresses of %s says so in one line, and ends",
      async (subnet) => {
        const { text, code } = await start(subnet);
        expect(text).toMatch(
          new RegExp(`^agent: BERTH_CONTAINER_SUBNET: ${subnet} overlaps .*; choose another one\n$`),
        );
        expect(code).toBe(1);
      },
    );

    test.skipIf(external === undefined)(
      "the host's own addresses says so in one line, and ends",
      async () => {
        const subnet = (external?.address ?? "").replace(/\d+$/, "0/24");
        const { text, code } = await start(subnet);
        expect(text).toMatch(new RegExp(`^agent: BERTH_CONTAINER_SUBNET: ${subnet} overlaps .*\n$`));
        expect(code).toBe(1);
      },
    );

    test("what the host reaches by its routes is among what is taken, and containers' own links are not", async () => {
      const taken = await networksOfHost();
      expect(taken.map(({ network }) => network)).toContain("127.0.0.1/8");
      expect(taken.filter(({ use }) => / bv[0-9a-f]{13}$/.test(use))).toEqual([]);
      expect(taken.filter(({ network }) => network.endsWith("/0"))).toEqual([]);
    });
  },
);
