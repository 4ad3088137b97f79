import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { run } from "../../agents/exec/command.ts";
import { type Agent, type AgentOptions, cleanUp, startAgent } from "../agents/agent-process.ts";
import { testSubnet } from "../agents/containers/specs.ts";
import { lacks } from "../agents/requirements.ts";
import { temporaryFolder } from "../harness/servers.ts";
import { until } from "../harness/until.ts";

/**
 * The table that keeps containers from the host was made when the agent started, and never looked at again: who
 * removed it, or flushed all rules of the host, left the host open to its containers.
 */

describe.skipIf(lacks("root", "nft", "ip", "unshare", "setpriv"))(
  "what keeps containers from the host",
  () => {
    const options: AgentOptions = {
      natsUrl: "nats://agent-node-9:x@127.0.0.1:1",
      server: "node-9",
      data: join(temporaryFolder(), "agent"),
      driver: "oci",
      subnet: testSubnet(10),
      atEnd: "stop",
    };
    const table = ["inet", `berth_nat_${options.subnet.replaceAll(/[./]/g, "_")}`];
    const nft = (...words: string[]) => run(["nft", ...words]);
    const listing = () => nft("-s", "list", "table", ...table);
    const unreachable = () => run(["ip", "route", "show", "type", "unreachable"]);
    let agent: Agent;
    let whole: string;

    beforeAll(async () => {
      agent = startAgent(options);
      await until(() => agent.lines.some(({ msg }) => msg === "waiting for NATS"));
      whole = await listing();
    });
    afterAll(async () => {
      await agent.stop();
      await cleanUp(options);
    });

    const told = () =>
      agent.lines.filter(({ msg }) => String(msg).startsWith("another program changed the host's rules"));
    const CHANGES: [string, () => Promise<unknown>][] = [
      ["removed", () => nft("delete", "table", ...table)],
      ["emptied", () => nft("flush", "table", ...table)],
      ["opened by one rule", () => nft("insert", "rule", ...table, "from_containers", "accept")],
      ["made dormant", () => nft("add", "table", ...table, "{ flags dormant; }")],
    ];
    test.each(CHANGES)("is put back when it is %s, and that is logged", async (_how, change) => {
      const before = told().length;
      await change();
      expect(await listing().catch(() => "none")).not.toBe(whole);
      await until(async () => (await listing()) === whole);
      await until(() => told().length > before);
      expect(told().at(-1)?.changed).toEqual([table.join(" ")]);
    });

    test("comes with a route that is put back as well", async () => {
      const route = (await unreachable()).split("\n").find((line) => line.includes(options.subnet)) ?? "";
      await run(["ip", "route", "del", ...route.trim().split(/\s+/)]);
      expect(await unreachable()).not.toContain(options.subnet);
      await until(async () => (await unreachable()).includes(options.subnet));
    });

    test("is not touched while nobody changes it, and goes with the agent", async () => {
      const before = told().length;
      // Another check has come and gone when it has seen to this.
      await nft("delete", "table", ...table);
      await until(() => told().length === before + 1);
      await agent.stop();
      expect(told()).toHaveLength(before + 1);
      expect(await nft("list", "tables")).not.toContain(table.join(" "));
      expect(await unreachable()).not.toContain(options.subnet);
    });
  },
);
