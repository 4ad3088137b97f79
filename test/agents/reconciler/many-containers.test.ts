import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { run } from "../../../agents/exec/command.ts";
import { AddressPool } from "../../../agents/network/addresses.ts";
import { vethOf } from "../../../agents/network/host-network.ts";
import { PacketFilter } from "../../../agents/network/nft/apply.ts";
import { firewallTableName } from "../../../agents/network/nft/compile.ts";
import type { DesiredContainer, DesiredFirewall } from "../../../schemas/hosting/desired.ts";
import { claimNumber } from "../../harness/claims.ts";
import { temporaryFolder } from "../../harness/servers.ts";
import { until } from "../../harness/until.ts";
import { type Agent, type AgentOptions, cleanUp, recordOf, startAgent } from "../agent-process.ts";
import { type ControlPlane, controlPlane } from "../control-plane.ts";
import { firewall, newId, rule } from "../network/nft/rules.ts";
import { lacks } from "../requirements.ts";

const SERVER = "node-9";
/** A host of 200 is a benchmark (`bench/firewall-apply.ts`): what takes turns and what comes in groups is met by these. */
const CONTAINERS = 24;
/** Each look is a process or two for each of them. */
const WAIT = { everyMs: 300 };

describe.skipIf(lacks("root", "nft", "ip", "unshare", "setpriv"))("a host of many containers", () => {
  let plane: ControlPlane;
  let options: AgentOptions;
  let agent: Agent;
  let table: string;
  let filter: PacketFilter;
  const ids = Array.from({ length: CONTAINERS }, newId);

  beforeAll(async () => {
    plane = await controlPlane(SERVER);
    options = {
      natsUrl: plane.nats.agentUrl(SERVER),
      server: SERVER,
      data: join(temporaryFolder(), "agent"),
      driver: "oci",
      subnet: `10.80.${claimNumber("network")}.0/24`,
    };
    table = firewallTableName(options.data);
    filter = new PacketFilter(table);
    agent = startAgent(options);
    await agent.ready();
  });
  afterAll(async () => {
    await agent.stop();
    await cleanUp(options);
    await plane.close();
  });

  const container = (id: string, state: DesiredContainer["state"], revision: number): DesiredContainer => ({
    revision,
    server_name: SERVER,
    id,
    project_id: "0".repeat(24),
    name: "web",
    state,
    generation: 0,
    command: [],
  });
  const rulesOf = new Map<string, DesiredFirewall>();
  const want = async (revision: number) => {
    for (const [at, id] of ids.entries()) {
      const rules = [rule({ destination_port: String(1_000 * revision + at) })];
      const desired = firewall(id, rules, { revision });
      rulesOf.set(id, desired);
      await plane.want(desired);
    }
  };
  const areInForce = async () => {
    const fingerprints = ids.map(async (id) => {
      const { edge } = new AddressPool(options.subnet);
      const link = { veth: vethOf(id), address: recordOf(options.data, id)?.address ?? "", edge };
      const [table, meant] = await Promise.all([
        filter.peek(id),
        filter.expect(rulesOf.get(id) as DesiredFirewall, link),
      ]);
      return table?.fingerprint === meant;
    });
    return (await Promise.all(fingerprints)).every((isMeant) => isMeant);
  };
  const inits = () => ids.map((id) => recordOf(options.data, id)?.init?.pid);

  test("runs them all, each with an address and rules of its own", async () => {
    await want(1);
    for (const id of ids) await plane.want(container(id, "running", 1));
    await until(
      async () => (await Promise.all(ids.map(stateOf))).every((state) => state === "running"),
      WAIT,
    );
    expect(new Set(ids.map((id) => recordOf(options.data, id)?.address)).size).toBe(CONTAINERS);
    expect(await areInForce()).toBe(true);
  });

  test("an agent that is killed finds all of them again, and brings their rules to what was wanted meanwhile", async () => {
    const before = inits();
    await agent.kill();
    await want(2);
    await run(["nft", "flush", "chain", "inet", table, `ingress_${ids[0]}`]);
    agent = startAgent(options);
    await until(areInForce, WAIT);
    expect(inits()).toEqual(before);
  });

  test("puts back what another tool flushed, of all of them", async () => {
    await run(["nft", "delete", "table", "inet", table]);
    await until(areInForce, WAIT);
  });

  test("lets them all go, and nothing of them stays", async () => {
    for (const id of ids) await plane.want(container(id, "deleted", 2));
    await until(
      async () => (await Promise.all(ids.map(stateOf))).every((state) => state === "deleted"),
      WAIT,
    );
    expect(await run(["nft", "list", "tables", "inet"])).not.toContain(table);
    expect(ids.filter((id) => recordOf(options.data, id) !== null)).toEqual([]);
  });

  const stateOf = async (id: string) => (await plane.container(id))?.state;
});
