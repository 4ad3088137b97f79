import { afterEach, describe, expect, test } from "bun:test";
import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { run } from "../../agents/exec/command.ts";
import { newDriver } from "../../test/agents/containers/new-driver.ts";
import {
  type Agent,
  type AgentOptions,
  agentEnvironment,
  cleanUp,
  MAIN,
  startAgent,
} from "../agents/agent-process.ts";
import { newSpec, testPool, testSubnet } from "../agents/containers/specs.ts";
import { lacks } from "../agents/requirements.ts";
import { temporaryFolder } from "../harness/servers.ts";
import { until } from "../harness/until.ts";

/**
 * Two agents of one host could have one subnet. Their rules were in one table: the one that ended first removed
 * it, and the other's containers reached the host.
 */

describe.skipIf(lacks("root", "nft", "ip", "oci"))("an agent", () => {
  const agents: { agent: Agent; options: AgentOptions }[] = [];
  let remove = async () => {};
  afterEach(async () => {
    await remove();
    remove = async () => {};
    for (const { agent, options } of agents.splice(0)) {
      await agent.stop();
      await cleanUp(options);
    }
  });

  const optionsFor = (subnet: string, data = join(temporaryFolder(), "agent")): AgentOptions => ({
    natsUrl: "nats://agent-node-9:x@127.0.0.1:1",
    server: "node-9",
    data,
    driver: "oci",
    subnet,
    atEnd: "stop",
  });
  /** An agent that has come as far as it does without a control plane. */
  async function start(options: AgentOptions): Promise<Agent> {
    const agent = startAgent(options);
    agents.push({ agent, options });
    await until(() => agent.lines.some(({ msg }) => msg === "waiting for NATS"));
    return agent;
  }
  /** What an agent says that does not start. */
  async function refused(options: AgentOptions): Promise<string> {
    const child = Bun.spawn([process.execPath, MAIN], {
      env: agentEnvironment(options),
      stdout: "ignore",
      stderr: "pipe",
      timeout: 60_000,
    });
    const text = await new Response(child.stderr).text();
    expect(await child.exited).toBe(1);
    return text;
  }
  const tableOf = (subnet: string) =>
    run(["nft", "list", "table", "inet", `berth_nat_${subnet.replaceAll(/[./]/g, "_")}`]);

  test("is refused a subnet that overlaps that of one that runs, whose rules stay", async () => {
    const subnet = testSubnet(10);
    const first = optionsFor(subnet);
    const { pid } = await start(first);
    for (const other of [subnet, subnet.replace("/28", "/29")]) {
      expect(await refused(optionsFor(other))).toBe(
        `agent: BERTH_CONTAINER_SUBNET: ${other} overlaps ${subnet}, which is used by the agent of ${first.data} (process ${pid}); choose another one\n`,
      );
    }
    expect(await tableOf(subnet)).toContain("from_containers");
    await start(optionsFor(testSubnet(10)));
  });

  test("gets the subnet of one that was killed, whether its folder is the same or another", async () => {
    const subnet = testSubnet(10);
    const first = optionsFor(subnet);
    await (await start(first)).kill();
    await (await start(first)).kill();
    await start(optionsFor(subnet));
    expect(await refused(first)).toContain(`overlaps ${subnet}`);
  });

  test("is refused a subnet in which a container runs that is none of its own", async () => {
    const pool = testPool(10);
    const driver = newDriver(pool);
    await driver.prepare();
    const spec = newSpec(pool);
    await driver.create(spec);
    const { init } = await driver.start(spec, async () => undefined);
    remove = async () => {
      await driver.stop(spec, init, 0);
      await driver.destroy(spec);
      await driver.release();
    };
    expect(await refused(optionsFor(pool.subnet))).toMatch(
      /^agent: BERTH_CONTAINER_SUBNET: .* overlaps .*, which is a container's of another agent .*\n$/,
    );
    expect(await tableOf(pool.subnet)).toContain("from_containers");
    const own = optionsFor(pool.subnet);
    mkdirSync(join(own.data, "containers", spec.id), { recursive: true });
    await start(own);
  });

  test("takes the subnet of one that has ended, and forgets the claim of one whose folder is gone", async () => {
    // Others of this host come and go meanwhile.
    const claims = () => run(["/bin/sh", "-c", "cat /run/berth/subnets/*.json 2>/dev/null || :"]);
    const [ended, running, last] = [1, 2, 3].map(() => optionsFor(testSubnet(10)));
    if (!ended || !running || !last) throw new Error("three agents");
    const first = await start(ended);
    await start(running);
    await first.kill();
    await start(optionsFor(ended.subnet));
    expect(await claims()).toContain(ended.data);
    rmSync(ended.data, { recursive: true });
    await start(last);
    expect(await claims()).not.toContain(ended.data);
    expect(await claims()).toContain(running.data);
  });

  test("that ends its containers takes its claim with it", async () => {
    const options = optionsFor(testSubnet(10));
    const claims = () => run(["/bin/sh", "-c", "cat /run/berth/subnets/*.json 2>/dev/null || :"]);
    const agent = await start(options);
    expect(await claims()).toContain(options.data);
    expect(await agent.stop()).toBe(0);
    expect(await claims()).not.toContain(options.data);
  });

  test("that comes back with another subnet removes what it left of the former", async () => {
    const former = testSubnet(10);
    const options = optionsFor(former);
    await (await start(options)).kill();
    // Another agent that starts in between leaves the claim of this one alone.
    await start(optionsFor(testSubnet(10)));
    await start({ ...options, subnet: testSubnet(10) });
    await until(
      async () => !(await run(["nft", "list", "tables"])).includes(former.replaceAll(/[./]/g, "_")),
    );
    expect(await run(["ip", "route", "show", "type", "unreachable"])).not.toContain(former);
  });
});
