import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { Glob } from "bun";
import { connect } from "nats";
import { statusBucket } from "../../../../../schemas/subjects.ts";
import { type Agent, type AgentOptions, cleanUp, startAgent } from "../../../../agents/agent-process.ts";
import { testSubnet } from "../../../../agents/containers/specs.ts";
import { lacks } from "../../../../agents/requirements.ts";
import { temporaryFolder } from "../../../../harness/servers.ts";
import { type SharedStack, sharedStack } from "../../../../harness/shared-stack.ts";
import { until } from "../../../../harness/until.ts";
import { tenant } from "./hosting.ts";

/** What settings do to containers of a real host. */

const hasGroups = existsSync("/sys/fs/cgroup/memory") || existsSync("/sys/fs/cgroup/cgroup.controllers");
const MEBIBYTE = 1024 * 1024;

describe.skipIf(lacks("root", "nft", "ip", "oci"))("a container on its host", () => {
  let stack: SharedStack;
  let options: AgentOptions;
  let agent: Agent;
  let ours: Awaited<ReturnType<typeof tenant>>;
  beforeAll(async () => {
    stack = await sharedStack();
    const server = await stack.serverName();
    ours = await tenant(stack, server);
    options = {
      ...{ natsUrl: stack.agentUrl(server), server, data: temporaryFolder() },
      ...{ driver: "oci", subnet: testSubnet(10), atEnd: "stop" },
    };
    agent = startAgent(options);
    await agent.ready();
  });
  afterAll(async () => {
    await agent.stop();
    await cleanUp(options);
    await stack.stop();
  });

  const record = async (id: string) => (await ours.call("GET", `/${id}`)).body.data;
  const recordWith = (id: string, isThere: (data: Awaited<ReturnType<typeof record>>) => boolean) =>
    until(async () => {
      const data = await record(id);
      return isThere(data) && data;
    });
  const sh = (line: string) => ["/bin/sh", "-c", line];
  async function created(name: string, line: string, fields: object = {}): Promise<string> {
    const { status, body } = await ours.create(name, { command: sh(line), ...fields });
    expect(status).toBe(201);
    return body.data.id;
  }
  const patch = (id: string, body: object) => ours.call("PATCH", `/${id}`, body, { "if-match": "*" });
  const inside = async (id: string, ...command: string[]): Promise<string> =>
    (await ours.call("POST", `/${id}/exec`, { command })).body.data.stdout;

  test("has its variables inside, secrets too, and no report of the host has one; a change comes with a restart", async () => {
    const secret = `hunter2-${crypto.randomUUID()}`;
    const id = await created("variables", "exec sleep 1000", {
      env: { MODE: "a b", PASSWORD: { value: secret, secret: true } },
    });
    await recordWith(id, ({ state }) => state === "running");
    expect((await inside(id, "printenv", "MODE", "PASSWORD")).split("\n")).toEqual(["a b", secret, ""]);

    const changed = await patch(id, { env: { MODE: "c", PASSWORD: { secret: true } }, name: "renamed" });
    expect(changed.body.data.restart_required).toEqual(["name", "env"]);
    expect(await inside(id, "printenv", "MODE")).toBe("a b\n");
    await ours.call("POST", `/${id}/restart`);
    const { exit } = await recordWith(
      id,
      (data) => data.state === "running" && data.restart_required.length === 0,
    );
    expect(exit.reason).toBe("it was stopped by request");
    const lines = await inside(id, "sh", "-c", "printenv MODE PASSWORD; hostname");
    expect(lines.split("\n")).toEqual(["c", secret, "renamed", ""]);

    const { host, username, password } = new URL(stack.natsUrl);
    const connection = await connect({ servers: host, user: username, pass: decodeURIComponent(password) });
    const reports = await connection.jetstream().views.kv(statusBucket(options.server), { bindOnly: true });
    const report = (await reports.get(`container.${id}`))?.string() ?? "";
    await connection.close();
    expect(report).toContain('"state":"running"');
    expect(report).not.toContain(secret);
  });

  test("starts again as its policy says, and says how it ended and how often; start begins again", async () => {
    const policy = { restart_policy: { name: "on-failure", max_retries: 2 } };
    const id = await created("failing", "exit 3", policy);
    const ended = await recordWith(id, ({ state, restarts }) => state === "error" && restarts === 2);
    const { error } = await recordWith(id, (data) => data.error?.includes("2 times") === true);
    expect(error).toBe("its command ended with status 3; it was started again 2 times");
    expect(ended.exit).toMatchObject({
      ...{ status: 3, signal: null, out_of_memory: false, reason: "its command ended with status 3" },
    });
    expect(Date.parse(ended.exit.at)).toBeLessThanOrEqual(Date.now());

    await patch(id, { restart_policy: { name: "no" }, command: sh("exit 0") });
    await ours.call("POST", `/${id}/start`);
    const done = await recordWith(id, ({ state }) => state === "stopped");
    expect(done).toMatchObject({ error: null, restarts: 0, exit: { status: 0 } });
    // A new agent leaves it as it is.
    await agent.stop();
    agent = startAgent(options);
    await agent.ready();
    const other = await created("after", "exec sleep 1000");
    await recordWith(other, ({ state }) => state === "running");
    expect((await record(id)).exit).toEqual(done.exit);
  });

  test.skipIf(!hasGroups)(
    "is held to its memory: more ends it, and the record says so; a change is in force at once",
    async () => {
      const id = await created("hungry", "exec sleep 1000", {
        resources: { cpu_cores: 0.5, memory_bytes: 64 * MEBIBYTE },
        restart_policy: { name: "no" },
      });
      const { resources } = await recordWith(id, (data) => data.resources.applied !== null);
      expect(resources.applied).toMatchObject({
        cpu_cores: 0.5,
        memory_bytes: 64 * MEBIBYTE,
        unenforced: [],
      });
      const files = [`memory/berth/*/${id}/memory.limit_in_bytes`, `berth/*/${id}/memory.max`];
      const [limit = ""] = files.flatMap((file) => [...new Glob(file).scanSync("/sys/fs/cgroup")]);
      expect(await Bun.file(`/sys/fs/cgroup/${limit}`).text()).toBe(`${64 * MEBIBYTE}\n`);

      const more = { cpu_cores: 0.5, memory_bytes: 128 * MEBIBYTE };
      expect((await patch(id, { resources: more })).body.data.restart_required).toEqual([]);
      await recordWith(id, (data) => data.resources.applied.memory_bytes === more.memory_bytes);
      expect(await Bun.file(`/sys/fs/cgroup/${limit}`).text()).toBe(`${128 * MEBIBYTE}\n`);
      await patch(id, { resources: { memory_bytes: 32 * MEBIBYTE } });
      await recordWith(id, (data) => data.resources.applied.memory_bytes === 32 * MEBIBYTE);

      await patch(id, { command: sh("head -c 200000000 /dev/zero | tail -c 200000000; exit 137") });
      await ours.call("POST", `/${id}/restart`);
      const ended = await recordWith(id, ({ exit }) => exit?.out_of_memory === true);
      expect(ended.exit.reason).toContain("out of memory");
      expect((await recordWith(id, ({ state }) => state === "error")).error).toContain("out of memory");
    },
    60_000,
  );

  test.skipIf(!hasGroups)("is held to the changed specifications of its server while it runs", async () => {
    const id = await created("resized", "exec sleep 1000");
    await recordWith(id, (data) => data.resources.applied !== null);
    const before = await inside(id, "cut", "-d ", "-f22", "/proc/1/stat");
    const read = (v1: string, v2: string) => {
      const files = [`${v1.split(".")[0]}/berth/*/${id}/${v1}`, `berth/*/${id}/${v2}`];
      const [file = ""] = files.flatMap((one) => [...new Glob(one).scanSync("/sys/fs/cgroup")]);
      return Bun.file(`/sys/fs/cgroup/${file}`).text();
    };
    const rate = async () =>
      (await Bun.$`tc -json qdisc show`.json())
        .filter(({ kind }: { kind: string }) => kind === "tbf")
        .map(({ options }: { options: { rate: number } }) => options.rate);
    const resize = (ram_gb: number, cpu_cores: number, bandwidth_mbps: number) =>
      stack.actors.server(ours.serverId).update({ specs: { cpu_cores, ram_gb, bandwidth_mbps } });
    for (const [ram_gb, cpu_cores, mbps] of [
      [0.5, 1, 61],
      [0.25, 1, 37],
    ] as const) {
      await resize(ram_gb, cpu_cores, mbps);
      const { resources } = await recordWith(
        id,
        (data) => data.resources.applied.memory_bytes === ram_gb * 1024 * MEBIBYTE,
      );
      expect(resources.applied).toMatchObject({ cpu_cores, bandwidth_mbps: mbps });
      expect(await read("memory.limit_in_bytes", "memory.max")).toBe(`${ram_gb * 1024 * MEBIBYTE}\n`);
      expect(await read("cpu.cfs_quota_us", "cpu.max")).toStartWith("100000");
      expect(await rate()).toContain((mbps * 1_000_000) / 8);
    }
    // It was not restarted for it.
    expect(await inside(id, "cut", "-d ", "-f22", "/proc/1/stat")).toBe(before);
    await ours.call("DELETE", `/${id}`);
    await resize(1_000, 1_000, 100_000);
  });

  test("is checked as its own program runs, says why it is unhealthy, and is started again where that is asked for", async () => {
    const id = await created("checked", "echo $$ >>/srv/starts; rm -f /srv/broken; exec sleep 1000", {
      env: { MOOD: "fine" },
      health_check: {
        command: sh('test "$MOOD" = fine || exit 9; ! test -e /srv/broken || { echo "no mood"; exit 1; }'),
        ...{ interval_seconds: 1, retries: 1 },
      },
    });
    const isHealth = (state: string) => recordWith(id, ({ health }) => health?.state === state);
    expect((await isHealth("starting")).state).toBe("running");
    await isHealth("healthy");
    await inside(id, "touch", "/srv/broken");
    expect(await isHealth("unhealthy")).toMatchObject({
      ...{ state: "running", health: { message: "status 1: no mood" } },
    });
    // A new agent knows what the one before has found, and goes on.
    await agent.kill();
    agent = startAgent(options);
    await agent.ready();
    expect((await record(id)).health.state).toBe("unhealthy");

    const restarts = { command: sh("! test -e /srv/broken"), interval_seconds: 1, retries: 1, restart: true };
    expect((await patch(id, { health_check: restarts })).body.data.restart_required).toEqual([]);
    const again = await recordWith(id, (data) => data.restarts === 1 && data.health?.state === "healthy");
    expect(again.exit.reason).toStartWith("its health check failed: status 1");
    expect((await inside(id, "cat", "/srv/starts")).trim().split("\n")).toHaveLength(2);

    const { body } = await stack.call("GET", `/api/v1/events?resource_id=${id}`, { token: ours.token });
    const told = body.data.events.flatMap(
      ({ event_type, data }: { event_type: string; data: { health?: { state: string } } }) =>
        data.health ? [`${event_type} ${data.health.state}`] : [],
    );
    expect(told).toContain("container.error unhealthy");
    await patch(id, { health_check: { enabled: false } });
    await recordWith(id, ({ health }) => health === null);
  });

  /** Waits until its program has said how it takes signals. */
  const prepared = (id: string) =>
    until(async () => (await inside(id, "ls", "/srv")).split("\n").includes("prepared"));

  test("ends by the signal that it was given, in place of its image's", async () => {
    const id = await created(
      "signalled",
      "trap 'exit 8' QUIT; >/srv/prepared; while :; do sleep 0.05; done",
      {
        ...{ stop_signal: "SIGQUIT", stop_grace_seconds: 20 },
      },
    );
    await prepared(id);
    await ours.call("POST", `/${id}/stop`);
    expect((await recordWith(id, ({ state }) => state === "stopped")).exit.status).toBe(8);
  });

  test("may take its time to end, and is killed after it", async () => {
    const endsAfter = (seconds: number) =>
      `trap 'sleep ${seconds}; exit 7' TERM; >/srv/prepared; while :; do sleep 0.05; done`;
    const [patient, hasty] = await Promise.all([
      created("patient", endsAfter(0.3), { stop_grace_seconds: 60 }),
      created("hasty", endsAfter(60), { stop_grace_seconds: 0 }),
    ]);
    for (const id of [patient, hasty]) {
      await prepared(id);
      await ours.call("POST", `/${id}/stop`);
    }
    expect((await recordWith(patient, ({ state }) => state === "stopped")).exit.status).toBe(7);
    expect((await recordWith(hasty, ({ state }) => state === "stopped")).exit.signal).toBe("SIGKILL");
  });
});
