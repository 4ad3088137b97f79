import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import type { ContainerSpec } from "../../../agents/sandbox/driver.ts";
import { NamespacesDriver } from "../../../agents/sandbox/namespaces.ts";
import { until } from "../../harness/until.ts";
import { type Peer, startPeer } from "../firewall/peer.ts";
import { lacks } from "../requirements.ts";
import { output } from "./inside.ts";
import { newSpec, testPool } from "./specs.ts";

// Past a time limit the runner kills every process of the run: only what hangs may meet it.
setDefaultTimeout(30_000);

describe.skipIf(lacks("root", "nft", "ip", "unshare", "setpriv"))(
  "what a container asks of the world",
  () => {
    const pool = testPool(10);
    let world: Peer;
    let driver: NamespacesDriver;
    let spec: ContainerSpec;
    let pid: number;

    beforeAll(async () => {
      world = await startPeer();
      await world.ask({ do: "name-server", address: world.address });
      await world.ask({ do: "listen", protocol: "tcp", port: 80 });
      driver = new NamespacesDriver(pool, { dns: [world.address] });
      await driver.prepare();
      spec = newSpec(pool);
      await driver.create(spec);
      pid = (await driver.start(spec, async () => undefined)).init.pid;
    });
    afterAll(async () => {
      await driver.destroy(spec);
      await driver.release();
      await world.stop();
    });

    test("names are resolved by the name servers that the operator chose", async () => {
      expect(await output(pid, "cat /etc/resolv.conf")).toBe(`nameserver ${world.address}`);
      expect(await until(() => output(pid, "getent ahostsv4 shop.example"))).toStartWith(world.address);
    });

    test("it leaves under the host's address", async () => {
      const connect = `/.berth/bun -e '
      const socket = await Bun.connect({ hostname: "shop.example", port: 80, socket: {
        open: (to) => void to.write("hello"), data: (from, bytes) => { console.log(String(bytes)); from.end(); } } });'`;
      expect(await until(() => output(pid, connect))).toBe("hello");
      const askers = await world.ask({ do: "askers" });
      expect(askers).not.toBe("");
      expect(askers).not.toContain(spec.address);
    });
  },
);
