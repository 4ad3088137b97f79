import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { createSocket } from "node:dgram";
import { decode } from "dns-packet";
import { pino } from "pino";
import { AddressPool } from "../../../agents/network/addresses.ts";
import { HostReconciler } from "../../../agents/reconciler/reconciler.ts";
import type { DesiredContainer } from "../../../schemas/hosting/desired.ts";
import { temporaryFolder } from "../../harness/servers.ts";
import { until } from "../../harness/until.ts";
import { output } from "../containers/inside.ts";
import { newDriver } from "../containers/new-driver.ts";
import { testPool } from "../containers/specs.ts";
import { lacks } from "../requirements.ts";
import { type Peer, startPeer } from "./nft/peer.ts";
import { newId } from "./nft/rules.ts";

const [SHOP, BLOG] = ["1".repeat(24), "2".repeat(24)];

/** An agent from before containers had names refuses their questions, also those of other agents' containers. */
const hasOldAgent = (): boolean => {
  const run = (...words: string[]) => Bun.spawnSync(["nft", ...words]).stdout.toString();
  const tables = run("list", "tables").match(/berth_nat_\w+/g) ?? [];
  return tables
    .map((table) => run("list", "table", "inet", table))
    .some((rules) => rules.includes("from_containers") && !rules.includes("dport 53 return"));
};

describe.skipIf(hasOldAgent() || lacks("root", "nft", "ip", "oci"))("names of containers", () => {
  const pool = testPool(10);
  const data = temporaryFolder();
  const desired = new Map<string, DesiredContainer>();
  const states = new Map<string, string>();
  let world: Peer;
  let host: HostReconciler;

  beforeAll(async () => {
    world = await startPeer();
    await world.ask({ do: "name-server", address: world.address });
    host = await startHost();
    for (const [name, project] of [
      ["web", SHOP],
      ["db", SHOP],
      ["db2", BLOG],
    ] as const)
      want(name, { project_id: project });
    await until(() =>
      ["web", "db", "db2"].every((name) => states.get(desired.get(name)?.id ?? "") === "running"),
    );
  });
  afterAll(async () => {
    await host.close();
    await host.shutdown();
    await world.stop();
  });

  async function startHost(): Promise<HostReconciler> {
    const dns = [world.address];
    const made = new HostReconciler({
      ...{
        server: "node-9",
        driver: newDriver(new AddressPool(pool.subnet), { dns }),
        filter: null,
        data,
        dns,
      },
      reports: { container: (id, { state }) => states.set(id, state), firewall: () => undefined },
      log: pino({ level: "silent" }),
    });
    await made.start();
    return made;
  }
  function want(name: string, fields: Partial<DesiredContainer>) {
    const before = desired.get(name);
    const wanted: DesiredContainer = {
      ...{ server_name: "node-9", id: newId(), name, project_id: SHOP, generation: 0, command: [] },
      ...{ state: "running", ...before, ...fields, revision: (before?.revision ?? 0) + 1 },
    };
    desired.set(name, wanted);
    host.desire(`container.${wanted.id}`, wanted);
  }
  const presentOf = (name: string) => host.present(desired.get(name)?.id ?? "");
  const pidOf = (name: string) => presentOf(name)?.init?.pid ?? null;
  const addressOf = (name: string) => presentOf(name)?.spec.address ?? "";
  const inside = (name: string, line: string) => output(pidOf(name) ?? 0, line);
  const lookUp = (name: string, wanted: string, how = "ahostsv4") =>
    inside(name, `getent ${how} ${wanted} | head -1 | cut -d' ' -f1`);

  test("a container finds those of its project by their names, and those of others not", async () => {
    expect(await lookUp("web", "db")).toBe(addressOf("db"));
    expect(await lookUp("db", "WEB")).toBe(addressOf("web"));
    expect(await inside("web", `getent hosts ${addressOf("db")}`)).toEndWith(" db");
    // The world's name server has an answer for every name, and it is asked for what is not of the project.
    expect(await lookUp("web", "db2")).toBe(world.address);
    expect(await lookUp("db2", "db")).toBe(world.address);
    // Without rules both are open, as the contract has it.
    await inside("db", "/.berth/busybox httpd -p 80 -h /srv; echo hello >/srv/index.html");
    expect(await until(() => inside("web", "/.berth/busybox wget -qO- http://db"))).toBe("hello");
  });

  test("other names are those of the world, over TCP too", async () => {
    expect(await lookUp("web", "shop.example")).toBe(world.address);
    const asked = `
      const socket = require("node:net").connect(53, "${pool.gateway}");
      const query = require("node:buffer").Buffer.from("001d1234010000010000000000000264620000010001".replace("001d", "0014"), "hex");
      socket.on("data", (bytes) => { console.log(bytes.toString("hex")); process.exit(); });
      socket.write(query);`;
    const reply = Buffer.from(await inside("web", `/.berth/bun -e '${asked}'`), "hex");
    expect(decode(reply.subarray(2)).answers).toMatchObject([{ name: "db", data: addressOf("db") }]);
  });

  test("a stopped container has no name, and a renamed one its new name", async () => {
    want("db2", { name: "store", project_id: SHOP });
    want("db", { state: "stopped" });
    await until(() => states.get(desired.get("db")?.id ?? "") === "stopped");
    expect(await lookUp("web", "db")).toBe(world.address);
    expect(await lookUp("web", "store")).toBe(addressOf("db2"));
  });

  test("who is no container gets no reply, also from what the host serves the world", async () => {
    const socket = createSocket("udp4");
    const replies: Buffer[] = [];
    socket.on("message", (message) => replies.push(message));
    socket.send(
      Buffer.from("12340100000100000000000002646200000100 01".replace(" ", ""), "hex"),
      53,
      pool.gateway,
    );
    // A container's question after it has been answered: the first one was read before.
    await lookUp("web", "web.example");
    socket.close();
    expect(replies).toEqual([]);
  });

  test("while no agent runs, names of the world are found; the next agent knows those of the project again", async () => {
    const pid = pidOf("web") ?? 0;
    await host.close();
    const alone = (wanted: string) => output(pid, `getent ahostsv4 ${wanted} | head -1 | cut -d' ' -f1`);
    expect(await alone("shop.example")).toBe(world.address);
    host = await startHost();
    expect(await until(async () => (await alone("store")) === addressOf("db2"))).toBe(true);
  });
});
