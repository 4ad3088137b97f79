import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { run } from "../../../../agents/exec/command.ts";
import { PacketFilter } from "../../../../agents/network/nft/apply.ts";
import { until } from "../../../harness/until.ts";
import { lacks } from "../../requirements.ts";
import { type Peer, startPeer } from "./peer.ts";
import { firewall, newId, newTable, rule } from "./rules.ts";

/** Left on afterwards: an agent on this machine may rely on it. */
const FORWARDING = "/proc/sys/net/ipv4/ip_forward";
const FULL = 200;

/** Its changes have something in them that the kernel does not take. */
class Spoiled extends PacketFilter {
  spoil = false;

  override load(text: string): Promise<void> {
    return super.load(this.spoil ? `${text}add rule inet berth_fw_nowhere nowhere drop\n` : text);
  }
}

describe.skipIf(lacks("root", "nft", "ip", "unshare"))("a table that containers share", () => {
  const id = newId();
  const otherId = newId();
  const tables: string[] = [];
  let table: string;
  let filter: PacketFilter;
  let container: Peer;
  let other: Peer;
  let stranger: Peer;

  const newFilter = () => {
    table = newTable();
    tables.push(table);
    return new PacketFilter(table);
  };
  const removeTables = async () => {
    for (const name of tables.splice(0)) {
      await run(["nft", "-f", "-"], `add table inet ${name}\ndelete table inet ${name}\n`);
    }
  };
  beforeAll(async () => {
    writeFileSync(FORWARDING, "1");
    [container, other, stranger] = await Promise.all([startPeer(), startPeer(), startPeer()]);
    for (const peer of [container, other]) {
      for (const port of [80, 81]) await peer.ask({ do: "listen", protocol: "tcp", port });
    }
    // The first packets over a fresh link may be lost while its ends find each other.
    await until(async () => (await dial(stranger, container)) === "open");
    await until(async () => (await dial(container, other)) === "open");
  });
  beforeEach(async () => {
    await removeTables();
    filter = newFilter();
  });
  afterAll(async () => {
    await removeTables();
    await Promise.all([container.stop(), other.stop(), stranger.stop()]);
  });

  const dial = (from: Peer, to: Peer, port = 80) => from.ask({ do: "tcp", host: to.address, port });
  const list = (...words: string[]) => run(["nft", "-s", "list", ...words]);
  /** What comes of connections to port 80 of the container for as long as something is done. */
  async function seenDuring(work: () => Promise<unknown>): Promise<string[]> {
    const seen = new Set<string>();
    let isDone = false;
    const working = work().finally(() => {
      isDone = true;
    });
    do seen.add(await dial(stranger, container));
    while (!isDone);
    await working;
    return [...seen];
  }
  /** A container that is nowhere but in the table. */
  const absent = (i: number) => ({
    veth: `ba${i.toString(16).padStart(6, "0")}`,
    address: `10.75.${i >> 8}.${i & 255}`,
  });

  test("what one container may send is still held to what the other one takes", async () => {
    await filter.apply(firewall(id, []), container);
    await filter.apply(firewall(otherId, [rule({ destination_port: "81" })]), other);
    expect(await dial(container, other, 80)).toBe("ECONNREFUSED");
    expect(await dial(container, other, 81)).toBe("open");
    const closed = rule({ direction: "egress", action: "drop", destination_port: "81" });
    await filter.apply(firewall(id, [closed]), container);
    expect(await dial(container, other, 81)).toBe("silence");
    expect(await dial(stranger, other, 81)).toBe("open");
  });

  test("belongs to one agent: another one's goes on, whatever becomes of it", async () => {
    const [one, two] = [filter, newFilter()];
    const [tableOfOne = "", tableOfTwo = ""] = tables;
    await one.apply(firewall(id, []), container);
    await two.apply(firewall(otherId, []), other);
    const before = await list("table", "inet", tableOfTwo);
    await one.apply(firewall(id, [rule({ destination_port: "80" })]), container);
    await one.restore(firewall(id, []), container);
    await run(["nft", "delete", "table", "inet", tableOfOne]);
    await one.apply(firewall(id, []), container);
    await one.detach(id);
    expect(await list("table", "inet", tableOfTwo)).toBe(before);
    expect(await list("tables")).not.toContain(tableOfOne);
    expect(await dial(stranger, container)).toBe("open");
    expect(await dial(stranger, other)).toBe("ECONNREFUSED");
  });

  test("is made again and again, and at no time is a container open", async () => {
    const desired = firewall(id, []);
    await filter.apply(desired, container);
    const seen = await seenDuring(async () => {
      for (let i = 0; i < 10; i += 1) await filter.restore(desired, container);
      for (let i = 0; i < 10; i += 1)
        await filter.apply(firewall(id, [rule({ destination_port: "81" })]), container);
    });
    expect(seen).toEqual(["ECONNREFUSED"]);
  });

  test("that someone removed comes back with all containers in it, when the rules of one of them change", async () => {
    await filter.apply(firewall(id, []), container);
    await filter.apply(firewall(otherId, []), other);
    await run(["nft", "delete", "table", "inet", table]);
    expect(await dial(stranger, other)).toBe("open");
    await filter.apply(firewall(id, [rule({ destination_port: "81" })]), container);
    expect(await dial(stranger, other)).toBe("ECONNREFUSED");
    expect(await dial(stranger, container, 81)).toBe("open");
  });

  test("stays as it was when the kernel refuses a change, for the one that was to change and for the others", async () => {
    const spoiled = new Spoiled(table);
    await spoiled.apply(firewall(id, [rule({ destination_port: "80" })]), container);
    await spoiled.apply(firewall(otherId, []), other);
    const before = await list("table", "inet", table);
    spoiled.spoil = true;
    await expect(spoiled.apply(firewall(id, []), container)).rejects.toThrow("No such file");
    expect(await list("table", "inet", table)).toBe(before);
    expect(await dial(stranger, container)).toBe("open");
    spoiled.spoil = false;
    await spoiled.apply(firewall(id, []), container);
    expect(await dial(stranger, container)).toBe("ECONNREFUSED");
  });

  test(`holds ${FULL} containers; what becomes of one leaves what the others have`, async () => {
    const ids = Array.from({ length: FULL - 1 }, newId);
    for (const [i, one] of ids.entries()) {
      filter.seedCache(firewall(one, [rule({ destination_port: "22" })]), absent(i));
    }
    await filter.restore(firewall(id, []), container);
    const before = await filter.inspectAll();
    expect(before.size).toBe(FULL);
    const removed = rule({ destination_port: "80" });
    await filter.apply(firewall(id, [removed]), container);
    expect(await dial(stranger, container)).toBe("open");
    await filter.apply(firewall(id, []), container);
    expect(await dial(stranger, container)).toBe("ECONNREFUSED");
    expect(await list("table", "inet", table)).toContain(`r_${removed.id}`);
    await filter.pruneCounters();
    expect(await list("table", "inet", table)).not.toContain(removed.id);
    expect((await filter.peek(id))?.fingerprint).toBe(before.get(id)?.fingerprint);

    await filter.detach(id);
    expect(await dial(stranger, container)).toBe("open");
    expect(await list("table", "inet", table)).not.toContain(id);
    const after = await filter.inspectAll();
    for (const one of ids) expect(after.get(one)?.fingerprint).toBe(before.get(one)?.fingerprint);
  });
});
