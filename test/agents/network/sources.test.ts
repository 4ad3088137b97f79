import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ContainerSpec } from "../../../agents/containers/driver.ts";
import { run } from "../../../agents/exec/command.ts";
import { vethOf } from "../../../agents/network/host-network.ts";
import { newDriver } from "../../../test/agents/containers/new-driver.ts";
import { sharedWatchdog } from "../../harness/servers.ts";
import { until } from "../../harness/until.ts";
import { output } from "../containers/inside.ts";
import { newSpec, testPool } from "../containers/specs.ts";
import { lacks } from "../requirements.ts";

const PORT = 9_000;
/** Nobody's (RFC 5737). */
const FOREIGN = "198.51.100.7";

/** Sends a UDP packet, or a question for a link's address, under any name: `bun raw.ts udp AS TO` or `arp AS TO`. */
const RAW = `
import { dlopen, ptr } from "bun:ffi";
const { symbols: libc } = dlopen("libc.so.6", {
  socket: { args: ["i32", "i32", "i32"], returns: "i32" },
  sendto: { args: ["i32", "ptr", "u64", "i32", "ptr", "u32"], returns: "i64" },
});
const [what, as, to] = process.argv.slice(2);
const ip = (text) => text.split(".").map(Number);
const two = (number) => [number >> 8, number & 255];
const send = (socket, packet, target) => {
  const [bytes, address] = [new Uint8Array(packet), new Uint8Array(target)];
  const sent = Number(libc.sendto(socket, ptr(bytes), bytes.length, 0, ptr(address), address.length));
  if (sent !== bytes.length) throw new Error("not sent");
};
if (what === "udp") {
  const payload = [...two(${PORT}), ...two(${PORT}), ...two(9), 0, 0, 120];
  const header = [0x45, 0, ...two(20 + payload.length), 0, 1, 0, 0, 64, 17, 0, 0, ...ip(as), ...ip(to)];
  send(libc.socket(2, 3, 255), [...header, ...payload], [2, 0, 0, 0, ...ip(to), ...Array(8).fill(0)]);
} else {
  const mac = process.argv[5].split(":").map((byte) => parseInt(byte, 16));
  const index = Number(process.argv[6]);
  const everyone = Array(6).fill(255);
  const question = [0, 1, 8, 0, 6, 4, 0, 1, ...mac, ...ip(as), ...Array(6).fill(0), ...ip(to)];
  const target = [17, 0, 8, 6, index & 255, index >> 8, 0, 0, 0, 0, 0, 6, ...everyone, 0, 0];
  send(libc.socket(17, 3, 0x0608), [...everyone, ...mac, 8, 6, ...question], target);
}
`;

const LISTENER = `
  await Bun.udpSocket({ hostname: "0.0.0.0", port: ${PORT}, socket: { data: (_socket, _bytes, _port, from) => console.log(from) } });
  console.log("ready");
`;

describe.skipIf(lacks("root", "nft", "ip", "oci"))(
  "a container without a firewall, on a host that is loose about where packets come from",
  () => {
    const pool = testPool(10);
    const driver = newDriver(pool);
    const [forger, server] = [newSpec(pool), newSpec(pool)];
    const neighbour = newSpec(pool, { command: ["/.berth/bun", "/.berth/welcome.ts"] });
    const specs = [forger, server, neighbour];
    const pids = new Map<ContainerSpec, number>();
    const pidOf = (spec: ContainerSpec) => pids.get(spec) ?? 0;
    /** Sees what goes on to connection tracking. */
    const witness = `inet berth_test_sources_${process.pid}`;
    let heard = "";
    let listener: Bun.Subprocess;

    beforeAll(async () => {
      await driver.prepare();
      await Promise.all(
        specs.map(async (spec) => {
          await driver.create(spec);
          pids.set(spec, (await driver.start(spec, async () => undefined)).init.pid);
        }),
      );
      // What `net.ipv4.conf.all.rp_filter=2` makes of each link, which is not this machine's to set.
      writeFileSync(`/proc/sys/net/ipv4/conf/${vethOf(forger.id)}/rp_filter`, "2");
      writeFileSync(join(forger.folder, "root/raw.ts"), RAW);
      await run(
        ["nft", "-f", "-"],
        [
          `add table ${witness}`,
          `add chain ${witness} seen { type filter hook prerouting priority -250; policy accept; }`,
          ...[forger.address, neighbour.address, FOREIGN].flatMap((address, at) => [
            `add counter ${witness} seen_${at}`,
            `add rule ${witness} seen iifname ${vethOf(forger.id)} ip saddr ${address} counter name seen_${at}`,
          ]),
          "",
        ].join("\n"),
      );
      const child = Bun.spawn(
        ["nsenter", "-t", String(pidOf(server)), "-n", process.execPath, "-e", LISTENER],
        {
          stdout: "pipe",
        },
      );
      sharedWatchdog().watch(child.pid, "TERM");
      listener = child;
      void (async () => {
        for await (const text of child.stdout.pipeThrough(new TextDecoderStream())) heard += text;
      })();
      await until(async () => heard.includes("ready"));
    });
    afterAll(async () => {
      listener.kill("SIGKILL");
      await listener.exited;
      sharedWatchdog().forget(listener.pid);
      await run(["nft", "delete", "table", ...witness.split(" ")]);
      for (const spec of specs) await driver.destroy(spec);
      await driver.release();
    });

    const raw = (...argv: string[]) => output(pidOf(forger), `/.berth/bun /raw.ts ${argv.join(" ")}`);

    test("is heard under its own address; under a neighbour's or a foreign one not even by connection tracking", async () => {
      await raw("udp", neighbour.address, server.address);
      await raw("udp", FOREIGN, server.address);
      // After the others on the same link: once it is there, they would be.
      await until(async () => {
        await raw("udp", forger.address, server.address);
        return heard.includes(forger.address);
      });
      expect(new Set(heard.trim().split("\n"))).toEqual(new Set(["ready", forger.address]));
      const listing = await run(["nft", "list", "counters", "table", ...witness.split(" ")]);
      const seen = [...listing.matchAll(/packets (\d+)/g)].map(([, packets]) => Number(packets) > 0);
      expect(seen).toEqual([true, false, false]);
    });

    test("draws no packets to itself by saying that a neighbour's address is at its link", async () => {
      const [line = ""] = (
        await run(["nsenter", "-t", String(pidOf(forger)), "-n", "ip", "-o", "link", "show", "eth0"])
      ).split("\n");
      const [, index = "", mac = ""] = /^(\d+):.*ether (\S+)/.exec(line) ?? [];
      await until(async () => {
        await raw("arp", neighbour.address, pool.gateway, mac, index);
        return (await run(["ip", "neigh", "show", "dev", vethOf(forger.id)])).includes(neighbour.address);
      });
      expect(await run(["ip", "route", "get", neighbour.address])).toContain(vethOf(neighbour.id));
      const answer = await until(async () => (await fetch(`http://${neighbour.address}:8080`)).text());
      expect(answer).toStartWith("Hello");
    });
  },
);
