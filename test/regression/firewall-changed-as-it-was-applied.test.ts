import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pino } from "pino";
import { AddressPool } from "../../agents/network/addresses.ts";
import { PacketFilter } from "../../agents/network/nft/apply.ts";
import { HostReconciler } from "../../agents/reconciler/reconciler.ts";
import type { DesiredContainer } from "../../schemas/hosting/desired.ts";
import { newDriver } from "../../test/agents/containers/new-driver.ts";
import { testSubnet } from "../agents/containers/specs.ts";
import { firewall, newId, newTable, rule } from "../agents/network/nft/rules.ts";
import { lacks } from "../agents/requirements.ts";
import { temporaryFolder } from "../harness/servers.ts";
import { until } from "../harness/until.ts";

/**
 * The agent once took what the kernel held after it had applied a ruleset for what it had meant. Whoever changed the table
 * in that moment was never undone, not by the next agent either, which found the change on record.
 */

const SERVER = "node-9";

/** Another tool of the host, which is at work on the same tables. */
class Meddler extends PacketFilter {
  /** What it does right after the next rules are applied. */
  next: string | null = null;
  loads = 0;

  override async load(text: string): Promise<void> {
    await super.load(text);
    this.loads += 1;
    const change = this.next;
    this.next = null;
    if (change !== null) await super.load(change);
  }
}

describe.skipIf(lacks("root", "nft", "ip", "oci"))("a firewall that someone changes as it is applied", () => {
  const subnet = testSubnet(10);
  const table = newTable();
  let id: string;
  let data: string;
  let meddler: Meddler;
  let agent: HostReconciler;
  let revisions: number[];

  const startAgent = async () => {
    revisions = [];
    agent = new HostReconciler({
      server: SERVER,
      driver: newDriver(new AddressPool(subnet)),
      filter: meddler,
      data,
      reports: { container: () => undefined, firewall: (_id, { revision }) => revisions.push(revision) },
      log: pino({ level: "silent" }),
    });
    await agent.start();
  };
  beforeEach(async () => {
    id = newId();
    data = temporaryFolder();
    meddler = new Meddler(table);
    await startAgent();
    const container: DesiredContainer = {
      revision: 1,
      server_name: SERVER,
      id,
      project_id: "0".repeat(24),
      name: "web",
      state: "stopped",
      generation: 0,
      command: [],
    };
    agent.desire(`container.${id}`, container);
    await agent.settled();
  });
  afterEach(async () => {
    await agent.close();
    await agent.shutdown();
    await meddler.detach(id);
  });

  const opened = () => `insert rule inet ${table} ingress_${id} accept\n`;
  const apply = async (revision: number) => {
    agent.desire(
      `firewall.${id}`,
      firewall(id, [rule({ destination_port: String(revision) })], { revision }),
    );
    await until(() => revisions.includes(revision));
  };
  const fingerprint = async () => (await meddler.inspect(id))?.fingerprint;

  test("is put back", async () => {
    await apply(1);
    meddler.next = opened();
    await apply(2);
    const changed = await fingerprint();
    await until(async () => (await fingerprint()) !== changed);
    const repaired = await fingerprint();
    // The metrics of the agent count it.
    expect(agent.firewallRepairs).toBe(1);
    await apply(3);
    expect(await fingerprint()).not.toBe(repaired);
  });

  test("is put back by the next agent, whatever is on record as what the kernel should hold", async () => {
    await apply(1);
    const meant = await fingerprint();
    await agent.close();
    await meddler.load(opened());
    const path = join(data, "containers", id, "state.json");
    const record = JSON.parse(readFileSync(path, "utf8"));
    record.firewall.fingerprint = await fingerprint();
    writeFileSync(path, JSON.stringify(record));

    await startAgent();
    await until(async () => (await fingerprint()) === meant);
  });

  test("is left alone when nobody changed it: its counters go on", async () => {
    await apply(1);
    await apply(2);
    await agent.close();
    const { loads } = meddler;
    await startAgent();
    await agent.settled();
    await apply(3);
    expect(meddler.loads).toBe(loads + 1);
  });
});
