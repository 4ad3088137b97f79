import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import type { DesiredContainer } from "../../schemas/hosting/desired.ts";
import { freePort, temporaryFolder } from "../harness/servers.ts";
import { until } from "../harness/until.ts";
import { type AgentOptions, agentEnvironment, cleanUp, MAIN, startAgent } from "./agent-process.ts";
import { testSubnet } from "./containers/specs.ts";
import { type ControlPlane, controlPlane } from "./control-plane.ts";
import { firewall, newId, rule } from "./network/nft/rules.ts";

const SERVER = "node-9";

describe("an agent without root", () => {
  let plane: ControlPlane;
  let options: AgentOptions;

  beforeAll(async () => {
    plane = await controlPlane(SERVER);
    options = {
      natsUrl: plane.nats.agentUrl(SERVER),
      server: SERVER,
      data: join(temporaryFolder(), "agent"),
      driver: "process",
      subnet: testSubnet(127),
    };
  });
  afterAll(async () => {
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
    command: ["/.berth/bun", "/.berth/welcome.ts"],
    ...fields,
  });

  test("is ready before its buckets exist, and follows them when they come", async () => {
    await plane.loseBuckets();
    const agent = startAgent(options);
    await agent.ready();
    await plane.makeBuckets();
    const id = newId();
    await plane.want(container(id));
    const { address } = await plane.reported(id, "running");
    expect(await until(async () => (await fetch(`http://${address}:8080`)).text())).toBe("Hello from web.\n");

    await plane.want(firewall(id, [rule({ destination_port: "80" })], { revision: 4 }));
    await until(async () => (await plane.firewall(id))?.revision === 4);
    expect(await plane.firewall(id)).toMatchObject({ enforced: false, error: null });

    expect(await agent.stop()).toBe(0);
    expect(await (await fetch(`http://${address}:8080`)).text()).toBe("Hello from web.\n");

    const next = startAgent(options);
    await next.ready();
    await plane.want(container(id, { revision: 2, state: "deleted" }));
    await plane.reported(id, "deleted", 2);
    await expect(fetch(`http://${address}:8080`)).rejects.toThrow();
    expect(await next.stop()).toBe(0);
  });

  test("an agent that is told so ends its containers with itself, and the next one starts them again", async () => {
    const own: AgentOptions = { ...options, atEnd: "stop" };
    const agent = startAgent(own);
    await agent.ready();
    const id = newId();
    await plane.want(container(id));
    const { address } = await plane.reported(id, "running");
    await until(async () => (await fetch(`http://${address}:8080`)).ok);

    expect(await agent.stop()).toBe(0);
    await expect(fetch(`http://${address}:8080`)).rejects.toThrow();

    const next = startAgent(own);
    await next.ready();
    await until(async () => (await fetch(`http://${address}:8080`)).ok);
    await plane.want(container(id, { revision: 2, state: "deleted" }));
    await plane.reported(id, "deleted", 2);
    expect(await next.stop()).toBe(0);
  });

  test("two agents do not share a folder; one that died leaves it free", async () => {
    const own = { ...options, data: join(temporaryFolder(), "c") };
    const first = startAgent(own);
    await first.ready();
    const second = Bun.spawn([process.execPath, MAIN], {
      env: agentEnvironment(own),
      stdout: "ignore",
      stderr: "pipe",
    });
    expect(await new Response(second.stderr).text()).toContain(`process ${first.pid} uses`);
    expect(await second.exited).toBe(1);
    await first.kill();
    const third = startAgent(own);
    await third.ready();
    expect(await third.stop()).toBe(0);
  });

  test("waits for a NATS server that comes later", async () => {
    const port = await freePort();
    const agent = startAgent({
      ...options,
      natsUrl: `nats://agent-${SERVER}:x@127.0.0.1:${port}`,
      data: join(temporaryFolder(), "a"),
    });
    await until(() => agent.lines.some((line) => line.msg === "waiting for NATS"));
    expect(agent.lines.some((line) => line.msg === "ready")).toBe(false);
    expect(await agent.stop()).toBe(0);
  });

  const BAD: [string, Record<string, string>, string][] = [
    ["no NATS_URL", { NATS_URL: "" }, "NATS_URL is not set"],
    ["a NATS_URL of another kind", { NATS_URL: "http://u:secret@h" }, "NATS_URL has another form"],
    ["a bad server name", { BERTH_SERVER_NAME: "node.>" }, "BERTH_SERVER_NAME"],
    ["an unknown driver", { BERTH_DRIVER: "docker" }, "BERTH_DRIVER"],
    [
      "an unknown runtime",
      { BERTH_RUNTIME: "docker" },
      'BERTH_RUNTIME is "docker": it can be crun, runc, runsc',
    ],
    [
      "a runtime that this machine has not",
      { BERTH_DRIVER: "", BERTH_RUNTIME: "/opt/none/runsc" },
      "driver oci: ",
    ],
    [
      "a bad subnet",
      { BERTH_DRIVER: "process", BERTH_CONTAINER_SUBNET: "127.0.0.1" },
      "BERTH_CONTAINER_SUBNET: not a subnet",
    ],
    [
      "a subnet that is none",
      { BERTH_DRIVER: "process", BERTH_CONTAINER_SUBNET: "banana" },
      "BERTH_CONTAINER_SUBNET: not a subnet",
    ],
    ["a share of processors that is none", { BERTH_CONTAINER_CPUS: "two" }, "BERTH_CONTAINER_CPUS"],
    ["a limit of disk that is too small", { BERTH_CONTAINER_DISK_MB: "1" }, "BERTH_CONTAINER_DISK_MB"],
    ["a limit of files that is too small", { BERTH_CONTAINER_FILES: "100" }, "BERTH_CONTAINER_FILES"],
    ["an unknown root image", { BERTH_ROOT_IMAGE: "debian3" }, "BERTH_ROOT_IMAGE"],
    ["a mirror that is none", { BERTH_DEBIAN_MIRROR: "deb.debian.org" }, "BERTH_DEBIAN_MIRROR"],
    [
      "a name server that is no address",
      { BERTH_CONTAINER_DNS: "10.0.0.53,dns.test" },
      "BERTH_CONTAINER_DNS",
    ],
    [
      "a name server that is the container itself",
      { BERTH_CONTAINER_DNS: "127.0.0.53" },
      "BERTH_CONTAINER_DNS",
    ],
    ["connections that are none", { BERTH_CONTAINER_CONNECTIONS: "0" }, "BERTH_CONTAINER_CONNECTIONS"],
    ["a denied network that is none", { BERTH_CONTAINER_DENY: "10.0.0.0/8,10/8" }, "BERTH_CONTAINER_DENY"],
    ["a folder that cannot be made", { BERTH_DATA: "/dev/null/agent" }, "BERTH_DATA"],
    ["a wrong password", { NATS_URL: "wrong" }, "refuses the credentials"],
  ];
  test.each(BAD)(
    "%s ends it with one clear line, in which there is no password",
    async (_name, wrong, reason) => {
      if (wrong.NATS_URL === "wrong") wrong.NATS_URL = options.natsUrl.replace(/:[^:@]*@/, ":secret@");
      const child = Bun.spawn([process.execPath, MAIN], {
        env: { ...agentEnvironment({ ...options, data: join(temporaryFolder(), "b") }), ...wrong },
        stdout: "ignore",
        stderr: "pipe",
      });
      const text = await new Response(child.stderr).text();
      expect(await child.exited).toBe(1);
      expect(text).toContain(reason);
      expect(text.trim().split("\n").length).toBe(1);
      expect(text).not.toContain("secret");
    },
  );
});
