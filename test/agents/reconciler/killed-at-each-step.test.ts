import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdirSync, readdirSync, readFileSync, rmdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { IMAGE_STORE } from "../../../agents/containers/images/store.ts";
import { run } from "../../../agents/exec/command.ts";
import { HostNetwork } from "../../../agents/network/host-network.ts";
import type { DesiredContainer } from "../../../schemas/hosting/desired.ts";
import { bootId } from "../../../system/process-identity.ts";
import { temporaryFolder } from "../../harness/servers.ts";
import { until } from "../../harness/until.ts";
import { recordOf } from "../agent-process.ts";
import { busyboxLayer, makeImage, rawLayer } from "../containers/images/sample-images.ts";
import { startRegistry } from "../containers/images/stand-in-registry.ts";
import { testSubnet } from "../containers/specs.ts";
import { firewall, newId, newTable, rule } from "../network/nft/rules.ts";
import { lacks } from "../requirements.ts";
import { isReady, type LocalAgent, SERVER, startLocalAgent } from "./steps/local-agent.ts";
import { NOTHING, onHost, processesOf } from "./steps/on-host.ts";
import type { VictimOrder } from "./steps/victim.ts";
import { victimProgram } from "./steps/victim-program.ts";

/** More than any way has: one that never ends is an error. */
const STEPS_MAX = 80;
/** A hundred agents start one after another, on a machine that others share. */
const LIMIT_MS = 1_200_000;

describe.skipIf(lacks("root", "nft", "ip", "oci"))("an agent that is killed at each step of", () => {
  const registry = startRegistry();
  const options = {
    ...{ data: join(temporaryFolder(), "agent"), subnet: testSubnet(10), table: newTable() },
    registry: registry.host,
  };
  mkdirSync(options.data, { mode: 0o711 });
  let revision = 0;
  let program: string;

  beforeAll(async () => {
    program = await victimProgram(temporaryFolder());
  });
  afterAll(async () => {
    registry.stop();
    await run(["nft", "delete", "table", "inet", options.table]).catch(() => "");
    await new HostNetwork(options.subnet).release();
  });

  const container = (id: string, fields: Partial<DesiredContainer> = {}): DesiredContainer => ({
    ...{ revision, server_name: SERVER, id, project_id: "a".repeat(24), name: "web" },
    ...{ state: "running", generation: 0, command: [], stop_grace_seconds: 0 },
    // A run that was cut off is none: with this policy it would not be started again.
    restart_policy: { name: "no", max_retries: null },
    ...fields,
  });
  const desiredOf = (id: string, fields: Partial<DesiredContainer> = {}): VictimOrder["desired"] => {
    revision += 1;
    const rules = [rule({ destination_port: String(revision) })];
    return {
      [`container.${id}`]: container(id, fields),
      [`firewall.${id}`]: firewall(id, rules, { revision }),
    };
  };
  const reached = (agent: LocalAgent, id: string, state: string) =>
    until(() => {
      const now = agent.last(id);
      return now?.revision === revision && now.state === state;
    });

  /** Whether the agent was killed before it had done all. */
  async function killed(
    order: Omit<VictimOrder, "agent" | "until">,
    state: string,
    digest?: string,
  ): Promise<boolean> {
    const end = { revision, state, ...(digest === undefined ? {} : { digest }) };
    const whole: VictimOrder = { ...order, agent: options, until: end };
    const victim = Bun.spawn([process.execPath, program, JSON.stringify(whole)], {
      stdio: ["ignore", "ignore", process.env.BERTH_TEST_EVERY_STEP ? "inherit" : "ignore"],
    });
    await victim.exited;
    if (victim.signalCode === null) expect(victim.exitCode).toBe(0);
    return victim.signalCode === "SIGKILL";
  }
  async function adopted<T>(desired: Record<string, unknown>, work: (agent: LocalAgent) => Promise<T>) {
    const agent = await startLocalAgent(options);
    for (const [key, value] of Object.entries(desired)) agent.reconciler.desire(key, value);
    const result = await work(agent);
    await agent.reconciler.close();
    return result;
  }
  /** What the host has of it at a moment when nothing makes or removes it; its files may be removed later. */
  const atRest = (id: string) =>
    until(async () => {
      const now = await onHost(id);
      return now.otherPrograms.length === 0 && now;
    });
  /** One container, and all of it; nothing that an earlier agent has begun. */
  async function expectOne(id: string) {
    expect(await atRest(id)).toMatchObject({
      supervisors: 1,
      containers: 1,
      mounts: [],
      links: 1,
      rules: true,
    });
    expect(recordOf(options.data, id)).toMatchObject({ id, init: { pid: expect.any(Number) } });
    expect(recordOf(options.data, id)).not.toHaveProperty("finished");
  }
  async function expectNothing(id: string) {
    expect(await atRest(id)).toEqual(NOTHING);
    expect(readdirSync(join(options.data, "containers"))).not.toContain(id);
    const ranges = join(options.data, "id-ranges");
    expect(readdirSync(ranges).map((name) => readFileSync(join(ranges, name), "utf8"))).not.toContain(id);
  }

  test(
    "making and removing a container leaves it to the next one, which completes it",
    async () => {
      let [isMaking, isRemoving] = [true, true];
      for (let at = 1; (isMaking || isRemoving) && at < STEPS_MAX; at += 1) {
        const id = newId();
        const wanted = desiredOf(id);
        isMaking = isMaking && (await killed({ id, desired: wanted, killAt: at }, "running"));
        await adopted(wanted, (agent) => reached(agent, id, "running"));
        await expectOne(id);
        const gone = desiredOf(id, { state: "deleted" });
        isRemoving = isRemoving && (await killed({ id, desired: gone, killAt: at }, "deleted"));
        await adopted(gone, (agent) => reached(agent, id, "deleted"));
        await expectNothing(id);
      }
      expect([isMaking, isRemoving]).toEqual([false, false]);
    },
    LIMIT_MS,
  );

  test(
    "changing, restarting and stopping a container leaves it to the next one, which completes it",
    async () => {
      const id = newId();
      await adopted(desiredOf(id), (agent) => reached(agent, id, "running"));
      const { address } = recordOf(options.data, id) ?? {};
      let generation = 0;
      const ways = {
        changing: (): Partial<DesiredContainer> => ({
          resources: { cpu_cores: null, memory_bytes: 1024 ** 2 * (64 + revision), disk_bytes: null },
          generation,
        }),
        restarting: (): Partial<DesiredContainer> => ({ generation: ++generation }),
        stopping: (): Partial<DesiredContainer> => ({ state: "stopped", generation }),
      };
      for (const fields of [ways.changing, ways.restarting, ways.stopping]) {
        let isOnItsWay = true;
        for (let at = 1; isOnItsWay && at < STEPS_MAX; at += 1) {
          const asked = fields();
          const wanted = desiredOf(id, asked);
          const { state = "running" } = asked;
          isOnItsWay = await killed({ id, desired: wanted, killAt: at }, state);
          await adopted(wanted, async (agent) => {
            await reached(agent, id, state);
            if (state === "running") return;
            expect(await onHost(id)).toEqual({ ...NOTHING, rules: true });
            agent.reconciler.desire(`container.${id}`, desiredOf(id, { generation })[`container.${id}`]);
            await reached(agent, id, "running");
          });
          await expectOne(id);
        }
        expect(isOnItsWay).toBe(false);
      }
      expect(recordOf(options.data, id)?.address).toBe(address ?? "");
      await adopted(desiredOf(id, { state: "deleted" }), (agent) => reached(agent, id, "deleted"));
      await expectNothing(id);
    },
    LIMIT_MS,
  );

  test.skipIf(lacks("busybox"))(
    "taking a newer image leaves it to the next one, which completes it",
    async () => {
      const id = newId();
      const config = { Cmd: ["/bin/sleep", "1000"] };
      const system = await busyboxLayer();
      const push = (version: number) => {
        const layers = [system, rawLayer([{ path: "version", text: `${version}` }])];
        const made = makeImage(layers, { config, compression: "none" });
        registry.add("app", "1", made);
        return made.manifest.digest;
      };
      const fields = (version: number) => ({
        image: `${registry.host}/app:1`,
        image_generation: version,
      });
      const has = (agent: LocalAgent, digest: string) =>
        until(() => isReady(agent.last(id)?.image, digest) && agent.last(id)?.revision === revision);
      push(0);
      await adopted(desiredOf(id, fields(0)), (agent) => reached(agent, id, "running"));
      const { address } = recordOf(options.data, id) ?? {};
      let isOnItsWay = true;
      for (let at = 1; isOnItsWay && at < STEPS_MAX; at += 1) {
        const digest = push(at);
        const wanted = desiredOf(id, fields(at));
        const wasKilled = await killed({ id, desired: wanted, killAt: at }, "running", digest);
        // With the newer image on record what is left is a start, as of every container.
        isOnItsWay = wasKilled && recordOf(options.data, id)?.image?.digest !== digest;
        await adopted(wanted, async (agent) => {
          await has(agent, digest);
          await reached(agent, id, "running");
        });
        await expectOne(id);
        const record = recordOf(options.data, id);
        expect(record).toMatchObject({ address, image: { digest } });
        expect(readFileSync(`/proc/${record?.init?.pid}/root/version`, "utf8")).toBe(`${at}`);
        for (const part of ["blobs", "unfinished"])
          expect(readdirSync(join(options.data, IMAGE_STORE, part))).toEqual([]);
      }
      expect(isOnItsWay).toBe(false);
      await adopted(desiredOf(id, { ...fields(0), state: "deleted" }), (agent) =>
        reached(agent, id, "deleted"),
      );
      await expectNothing(id);
    },
    LIMIT_MS,
  );

  test("nothing is left to another boot of its host, where what should run runs again", async () => {
    const id = newId();
    const wanted = desiredOf(id, { restart_policy: { name: "always", max_retries: null } });
    await adopted(wanted, (agent) => reached(agent, id, "running"));
    const before = recordOf(options.data, id);
    await reboot(id);
    await adopted(wanted, (agent) => reached(agent, id, "running"));
    await expectOne(id);
    const after = recordOf(options.data, id);
    expect(after).toMatchObject({
      address: before?.address,
      generation: 0,
      exit: { reason: "its host was restarted" },
    });
    expect(after?.init).not.toEqual(before?.init);
    await reboot(id);
    const gone = desiredOf(id, { state: "deleted" });
    await adopted(gone, (agent) => reached(agent, id, "deleted"));
    await expectNothing(id);
  });

  /** Processes, namespaces, groups, links and rules end; files stay, with what names the boot before. */
  async function reboot(id: string): Promise<void> {
    const { groups } = await onHost(id);
    expect(groups).not.toEqual([]);
    for (const pid of processesOf(id)) process.kill(pid, "SIGKILL");
    await until(() => processesOf(id).length === 0);
    for (const folder of groups) await until(() => rmdirSync(folder) === undefined);
    await run(["nft", "delete", "table", "inet", options.table]);
    await new HostNetwork(options.subnet).release();
    for (const file of ["state.json", "supervisor"]) {
      const path = join(options.data, "containers", id, file);
      writeFileSync(path, readFileSync(path, "utf8").replaceAll(bootId(), "another-boot"));
    }
  }
});
