import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { pino } from "pino";
import { ProcessDriver } from "../../agents/containers/process/driver.ts";
import { AddressPool } from "../../agents/network/addresses.ts";
import { HostReconciler } from "../../agents/reconciler/reconciler.ts";
import type { ContainerStatus, DesiredContainer } from "../../schemas/hosting/desired.ts";
import { testSubnet } from "../agents/containers/specs.ts";
import { newId } from "../agents/network/nft/rules.ts";
import { lacks } from "../agents/requirements.ts";
import { temporaryFolder } from "../harness/servers.ts";
import { until } from "../harness/until.ts";

/** A container for which its host had no address was `creating` for good, and nobody was told why. */

const ADDRESSES = 5;
const WHY = "no address left";

describe.skipIf(lacks("linux"))("containers for which their host has no address", () => {
  const reported = new Map<string, Omit<ContainerStatus, "reported_at">>();
  const subnet = testSubnet(127).replace("/28", "/29");
  const agent = new HostReconciler({
    server: "node-9",
    driver: new ProcessDriver(new AddressPool(subnet)),
    filter: null,
    data: temporaryFolder(),
    reports: { container: (id, status) => reported.set(id, status), firewall: () => undefined },
    log: pino({ level: "silent" }),
  });
  const ids = Array.from({ length: ADDRESSES + 3 }, newId);
  const [first = "", second = "", third = ""] = ids.slice(ADDRESSES);

  const want = (id: string, state: DesiredContainer["state"], revision: number) => {
    const fields = { server_name: "node-9", project_id: "0".repeat(24), name: "web", command: [] };
    agent.desire(`container.${id}`, { ...fields, id, state, revision, generation: 0 });
  };
  const is = (id: string, state: ContainerStatus["state"]) => until(() => reported.get(id)?.state === state);
  const waits = (id: string) => until(() => reported.get(id)?.error?.includes(WHY) === true);

  beforeAll(() => agent.start());
  afterAll(async () => {
    for (const id of ids) want(id, "deleted", 1_000);
    await until(() => ids.every((id) => reported.get(id)?.state === "deleted"));
    await agent.close();
    await agent.shutdown();
  });

  test("say so, and get one in the order in which they asked", async () => {
    for (const id of ids) want(id, "running", 1);
    await Promise.all(ids.slice(0, ADDRESSES).map((id) => is(id, "running")));
    await Promise.all([first, second, third].map(waits));
    expect(reported.get(second)).toMatchObject({ revision: 1, state: "creating", address: null });

    want(ids[0] ?? "", "deleted", 2);
    await is(first, "running");
    expect(reported.get(first)?.error).toBeNull();
    expect(reported.get(first)?.address).toStartWith("127.");
    // One that gives up is passed over, and nobody goes before those that have waited.
    want(second, "deleted", 2);
    await is(second, "deleted");
    want(ids[0] ?? "", "running", 3);
    await waits(ids[0] ?? "");
    want(ids[1] ?? "", "deleted", 2);
    await is(third, "running");
    expect(reported.get(ids[0] ?? "")?.error).toContain(WHY);
  });
});
