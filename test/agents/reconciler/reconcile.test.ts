import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { run } from "../../../agents/exec/command.ts";
import { AddressPool } from "../../../agents/network/addresses.ts";
import { vethOf } from "../../../agents/network/host-network.ts";
import { PacketFilter } from "../../../agents/network/nft/apply.ts";
import { firewallTableName } from "../../../agents/network/nft/compile.ts";
import { readListing } from "../../../agents/network/nft/listing.ts";
import type { DesiredContainer } from "../../../schemas/hosting/desired.ts";
import { isRunning } from "../../../system/process-identity.ts";
import { sharedWatchdog, temporaryFolder } from "../../harness/servers.ts";
import { until } from "../../harness/until.ts";
import { type Agent, type AgentOptions, cleanUp, recordOf, startAgent } from "../agent-process.ts";
import { testSubnet } from "../containers/specs.ts";
import { type ControlPlane, controlPlane } from "../control-plane.ts";
import { firewall, newId, rule } from "../network/nft/rules.ts";
import { lacks } from "../requirements.ts";

const SERVER = "node-9";
const WELCOME = ["/.berth/bun", "/.berth/welcome.ts"];

describe.skipIf(lacks("root", "nft", "ip", "unshare", "setpriv"))("an agent with namespaces", () => {
  let plane: ControlPlane;
  let options: AgentOptions;
  let agent: Agent;
  const made: string[] = [];

  beforeAll(async () => {
    plane = await controlPlane(SERVER);
    options = {
      natsUrl: plane.nats.agentUrl(SERVER),
      server: SERVER,
      data: join(temporaryFolder(), "agent"),
      driver: "oci",
      subnet: testSubnet(10),
    };
    agent = startAgent(options);
    await agent.ready();
  });
  afterEach(async () => {
    for (const id of made.splice(0)) {
      await plane.want(container(id, { state: "deleted", revision: 1_000 }));
      await plane.reported(id, "deleted", 1_000);
    }
  });
  afterAll(async () => {
    await agent.stop();
    await cleanUp(options);
    await plane.close();
  });

  const container = (id: string, fields: Partial<DesiredContainer> = {}): DesiredContainer => ({
    revision: 1,
    server_name: SERVER,
    id,
    project_id: "0".repeat(24),
    name: "web",
    state: "running",
    generation: 0,
    command: [],
    ...fields,
  });
  async function running(fields: Partial<DesiredContainer> = {}) {
    const id = newId();
    made.push(id);
    await plane.want(container(id, fields));
    const status = await plane.reported(id, "running");
    return { id, address: status.address ?? "", init: initOf(id) };
  }
  const initOf = (id: string) => {
    const init = recordOf(options.data, id)?.init;
    if (!init) throw new Error(`${id} has no init`);
    return init;
  };
  const appliedRevision = async (id: string, revision: number) =>
    until(async () => {
      const status = await plane.firewall(id);
      return status && status.revision >= revision && status;
    });
  const restartAgent = async (how: "stop" | "kill" = "stop") => {
    await agent[how]();
    agent = startAgent(options);
    await agent.ready();
  };
  const reach = (address: string) =>
    fetch(`http://${address}:8080`).then(
      (response) => response.text(),
      () => "refused",
    );

  test("a container that is wanted runs and answers; creating and running are reported in turn", async () => {
    const { id, address } = await running({ name: "shop", command: WELCOME });
    expect(await until(() => reach(address).then((text) => text !== "refused" && text))).toBe(
      "Hello from shop.\n",
    );
    expect(await plane.history(id)).toEqual(["creating", "running"]);
    expect(await plane.container(id)).toMatchObject({ revision: 1, driver: "oci", error: null });
  });

  test("stop, start and a new generation are followed, and the container keeps its address", async () => {
    const { id, address, init } = await running();
    await plane.want(container(id, { revision: 2, state: "stopped" }));
    await plane.reported(id, "stopped", 2);
    expect(isRunning(init)).toBe(false);
    await plane.want(container(id, { revision: 3 }));
    expect((await plane.reported(id, "running", 3)).address).toBe(address);
    const second = initOf(id);
    await plane.want(container(id, { revision: 4, generation: 1 }));
    await plane.reported(id, "running", 4);
    expect(isRunning(second)).toBe(false);
    expect(isRunning(initOf(id))).toBe(true);
  });

  test("a lower revision than the one applied is ignored, also after a restart of the agent", async () => {
    const { id, init } = await running({ revision: 5 });
    await plane.want(container(id, { revision: 4, state: "stopped" }));
    const other = await running();
    expect(isRunning(init)).toBe(true);
    await restartAgent();
    await plane.want(container(other.id, { revision: 2, state: "stopped" }));
    await plane.reported(other.id, "stopped", 2);
    expect(isRunning(init)).toBe(true);
    expect(await plane.container(id)).toMatchObject({ revision: 5, state: "running" });
  });

  test("delete removes the container, its folder, its link and its rules", async () => {
    const { id, init } = await running();
    await plane.want(firewall(id, [], { revision: 1 }));
    await appliedRevision(id, 1);
    await plane.want(container(id, { revision: 2, state: "deleted" }));
    await plane.reported(id, "deleted", 2);
    expect(isRunning(init)).toBe(false);
    expect(existsSync(join(options.data, "containers", id))).toBe(false);
    expect(existsSync(`/sys/class/net/${vethOf(id)}`)).toBe(false);
    expect(await run(["nft", "list", "ruleset"])).not.toContain(id);
    // A late message does not bring it back.
    await plane.want(container(id, { revision: 1 }));
    await running();
    expect(existsSync(join(options.data, "containers", id))).toBe(false);
  });

  test.each(["stop", "kill"] as const)(
    "the agent's end (%s) touches no container; the next one adopts it",
    async (how) => {
      const { id, address, init } = await running({ command: WELCOME });
      await until(async () => (await reach(address)) !== "refused");
      await agent[how]();
      expect(isRunning(init)).toBe(true);
      expect(await reach(address)).toBe("Hello from web.\n");
      agent = startAgent(options);
      await agent.ready();
      expect(initOf(id)).toEqual(init);
      // It is adopted, not only spared: its end is noticed, though it is no child of this agent.
      process.kill(init.pid, "SIGKILL");
      await until(() => initOf(id).pid !== init.pid);
      await plane.reported(id, "running");
    },
  );

  test("an init that dies is reported and started again", async () => {
    const { id, init } = await running();
    process.kill(init.pid, "SIGKILL");
    await until(async () => {
      const history = await plane.history(id);
      return history.includes("error") && history.at(-1) === "running";
    });
    expect(initOf(id).pid).not.toBe(init.pid);
  });

  test("after a reboot what should run runs again, behind its rules, before the control plane is heard", async () => {
    const { id, address, init } = await running({ command: WELCOME });
    const starts = () =>
      readFileSync(join(options.data, "containers", id, "log"), "utf8").split("welcome:").length - 1;
    await until(() => starts() === 1);
    await plane.want(firewall(id, [], { revision: 3 }));
    await appliedRevision(id, 3);
    await agent.kill();
    // What a reboot leaves: a record of another boot, and nothing else.
    process.kill(init.pid, "SIGKILL");
    await until(() => !isRunning(init));
    await run(["nft", "delete", "table", "inet", firewallTableName(options.data)]);
    const path = join(options.data, "containers", id, "state.json");
    writeFileSync(path, readFileSync(path, "utf8").replace(init.boot, "another-boot"));
    const port = new URL(options.natsUrl).port;
    agent = startAgent({ ...options, natsUrl: options.natsUrl.replace(port, "1") });
    await until(() => recordOf(options.data, id)?.init?.boot === init.boot);
    const pid = initOf(id).pid;
    await until(() => starts() === 2);
    expect(await reach(address)).toBe("refused");
    await restartAgent("kill");
    expect(initOf(id).pid).toBe(pid);
  });

  test("rules are in force, and reported, by their revision", async () => {
    const { id, address } = await running({ command: WELCOME });
    await until(async () => (await reach(address)) !== "refused");
    await plane.want(firewall(id, [], { revision: 1 }));
    expect(await appliedRevision(id, 1)).toMatchObject({ revision: 1, enforced: true, error: null });
    expect(await reach(address)).toBe("refused");
    await plane.want(firewall(id, [rule({ destination_port: "8080" })], { revision: 2 }));
    await appliedRevision(id, 2);
    expect(await reach(address)).toBe("Hello from web.\n");
    await plane.want(firewall(id, [], { revision: 3, attached: false }));
    await appliedRevision(id, 3);
    expect(await reach(address)).toBe("Hello from web.\n");
    expect(await run(["nft", "list", "ruleset"])).not.toContain(id);
  });

  test("rules that cannot be applied leave the former ones in force, and are reported with the reason", async () => {
    const { id, address } = await running({ command: WELCOME });
    await until(async () => (await reach(address)) !== "refused");
    await plane.want(firewall(id, [], { revision: 1 }));
    await appliedRevision(id, 1);
    await plane.want(firewall(id, [rule({ destination_port: "8080-80" })], { revision: 2 }));
    const status = await until(async () => {
      const found = await plane.firewall(id);
      return found?.error && found;
    });
    expect(status).toMatchObject({ revision: 1, enforced: true });
    expect(await reach(address)).toBe("refused");
    await plane.want(firewall(id, [rule({ destination_port: "8080" })], { revision: 3 }));
    expect(await appliedRevision(id, 3)).toMatchObject({ error: null });
    expect(await reach(address)).toBe("Hello from web.\n");
  });

  test("a container whose first rules cannot be applied is not started open", async () => {
    const id = newId();
    made.push(id);
    await plane.want(firewall(id, [rule({ destination_port: "0" })], { revision: 1 }));
    await plane.want(container(id));
    const status = await plane.reported(id, "error");
    expect(status.error).toContain("firewall");
    expect(recordOf(options.data, id)?.init).toBeNull();
    await plane.want(firewall(id, [], { revision: 2 }));
    await plane.reported(id, "running");
  });

  /** All that decides about a container's packets, and about those of the others. */
  const rulesOf = async (id: string) => {
    const listing = await run(["nft", "-s", "list", "table", "inet", firewallTableName(options.data)]).catch(
      () => "",
    );
    return readListing(listing, firewallTableName(options.data))?.containers.get(id)?.fingerprint ?? listing;
  };

  test("rules that someone tampered with are put back within seconds, however and however often", async () => {
    const { id } = await running();
    await plane.want(firewall(id, [rule({ destination_port: "80" })], { revision: 1 }));
    await appliedRevision(id, 1);
    const table = firewallTableName(options.data);
    const before = await rulesOf(id);
    const changes = [
      `insert rule inet ${table} ingress_${id} accept`,
      `delete element inet ${table} ingress_by_iface { "${vethOf(id)}" }`,
      `delete table inet ${table}`,
    ];
    for (const change of changes) {
      await run(["nft", "-f", "-"], `${change}\n`);
      expect(await rulesOf(id)).not.toBe(before);
      await until(async () => (await rulesOf(id)) === before);
    }
  });

  test("rules that cannot be put back are reported as not enforced, with the reason, until they are", async () => {
    const { id } = await running();
    await plane.want(firewall(id, [rule({ destination_port: "80" })], { revision: 1 }));
    expect(await appliedRevision(id, 1)).toMatchObject({ enforced: true, error: null });
    const before = await rulesOf(id);
    const table = `inet ${firewallTableName(options.data)}`;
    // As long as its owner lives, the kernel lets nobody else change such a table.
    const owner = Bun.spawn(["nft", "-i"], { stdin: "pipe", stdout: "ignore", stderr: "ignore" });
    sharedWatchdog().watch(owner.pid, "TERM");
    try {
      // In one go: else the agent might have put it back in between.
      owner.stdin.write(`delete table ${table}; add table ${table} { flags owner; }\n`);
      await owner.stdin.flush();
      const failed = await until(async () => {
        const status = await plane.firewall(id);
        return status?.enforced === false && status;
      });
      expect(failed.revision).toBe(1);
      expect(failed.error).toContain("not permitted");
      expect(await rulesOf(id)).not.toBe(before);
    } finally {
      owner.kill("SIGKILL");
      await owner.exited;
      sharedWatchdog().forget(owner.pid);
    }
    const restored = await until(async () => {
      const status = await plane.firewall(id);
      return status?.enforced && status;
    });
    expect(restored).toMatchObject({ revision: 1, error: null });
    expect(await rulesOf(id)).toBe(before);
  });

  test("rules that were tampered with while no agent ran are put back when one starts", async () => {
    const { id } = await running();
    await plane.want(firewall(id, [], { revision: 1 }));
    await appliedRevision(id, 1);
    const before = await rulesOf(id);
    await agent.stop();
    await run(["nft", "insert", "rule", "inet", firewallTableName(options.data), `ingress_${id}`, "accept"]);
    agent = startAgent(options);
    await agent.ready();
    expect(await rulesOf(id)).toBe(before);
  });

  test("what was meant for another host is not taken, wherever it turns up", async () => {
    const id = newId();
    await plane.want(container(id, { server_name: "node-1" }));
    await until(async () => (await plane.container(id))?.error?.includes("another host's"));
    expect(recordOf(options.data, id)).toBeNull();
  });

  test("a desired state that cannot be read is reported, and changes nothing", async () => {
    const { id, init } = await running();
    await plane.putRaw(`container.${id}`, "{ not json");
    await until(async () => (await plane.container(id))?.error?.includes("cannot be read"));
    expect(await plane.container(id)).toMatchObject({ revision: 1, state: "running" });
    await plane.putRaw(
      `firewall.${id}`,
      JSON.stringify({ revision: 9, container_id: id, attached: true, rules: [{}] }),
    );
    await until(async () => (await plane.firewall(id))?.error?.includes("cannot be read"));
    const stranger = newId();
    await plane.putRaw(
      `container.${stranger}`,
      JSON.stringify({ ...container(stranger), name: "../../etc" }),
    );
    await plane.reported(stranger, "error");
    await plane.putRaw("container.not-an-id", "1");
    await plane.want(container(id, { revision: 2 }));
    await until(async () => (await plane.container(id))?.revision === 2);
    expect(await plane.container(id)).toMatchObject({ state: "running", error: null });
    expect(isRunning(init)).toBe(true);
  });

  test("buckets that are lost and made again are followed again, and told everything once more", async () => {
    const { id, init } = await running();
    await plane.loseBuckets();
    await plane.makeBuckets();
    await plane.want(container(id, { revision: 2, generation: 1 }));
    await plane.reported(id, "running", 2);
    expect(isRunning(init)).toBe(false);
  });

  test("rules that change as buckets are lost are in the kernel once they are back, as written", async () => {
    const { id } = await running();
    await plane.want(firewall(id, [rule({ destination_port: "80" })], { revision: 1 }));
    await appliedRevision(id, 1);
    const before = await rulesOf(id);
    await plane.loseBuckets();
    expect(await rulesOf(id)).toBe(before);
    await plane.makeBuckets();
    const desired = firewall(id, [rule({ destination_port: "81" })], { revision: 2 });
    await plane.want(container(id));
    await plane.want(desired);
    await appliedRevision(id, 2);
    const { edge } = new AddressPool(options.subnet);
    const link = { veth: vethOf(id), address: recordOf(options.data, id)?.address ?? "", edge };
    const filter = new PacketFilter(firewallTableName(options.data));
    expect(await rulesOf(id)).toBe(await filter.expect(desired, link));
  });

  test("an empty bucket deletes nothing", async () => {
    const { id, init } = await running();
    await plane.loseBuckets();
    await plane.makeBuckets();
    await plane.reported(id, "running");
    expect(isRunning(init)).toBe(true);
  });

  test("many containers at once each get an address of their own", async () => {
    const all = await Promise.all([running(), running(), running(), running()]);
    expect(new Set(all.map(({ address }) => address)).size).toBe(4);
  });

  test("it answers a ping", async () => {
    expect(await plane.ping()).toMatchObject({ server: SERVER, driver: "oci" });
  });

  test("every one of thirty changes in a row is applied and reported", async () => {
    const { id } = await running();
    const rules = Array.from({ length: 20 }, (_, at) => rule({ destination_port: String(1_000 + at) }));
    for (let revision = 1; revision <= 30; revision += 1) {
      await plane.want(firewall(id, rules.slice(0, revision % 20), { revision }));
      const reported = await until(async () => {
        const status = await plane.firewall(id);
        return status?.revision === revision && status;
      });
      expect(reported).toMatchObject({ enforced: true, error: null });
    }
  });
});
