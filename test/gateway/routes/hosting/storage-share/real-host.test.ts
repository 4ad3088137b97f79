import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { type Agent, cleanUp, recordOf, startAgent } from "../../../../agents/agent-process.ts";
import { output } from "../../../../agents/containers/inside.ts";
import { testSubnet } from "../../../../agents/containers/specs.ts";
import { lacks } from "../../../../agents/requirements.ts";
import { temporaryFolder } from "../../../../harness/servers.ts";
import { type SharedStack, sharedStack } from "../../../../harness/shared-stack.ts";
import { until } from "../../../../harness/until.ts";
import { tenant } from "../container/hosting.ts";

/** From the API to the kernel and back: a real agent with real containers. */

describe.skipIf(lacks("root", "nft", "ip", "oci"))("a storage share", () => {
  let stack: SharedStack;
  let ours: Awaited<ReturnType<typeof tenant>>;
  let options: Parameters<typeof startAgent>[0];
  let agent: Agent;
  beforeAll(async () => {
    stack = await sharedStack();
    const server = await stack.serverName();
    ours = await tenant(stack, server);
    options = {
      ...{ natsUrl: stack.agentUrl(server), server, data: temporaryFolder() },
      ...{ driver: "oci", subnet: testSubnet(10) },
    };
    agent = startAgent(options);
  });
  afterAll(async () => {
    await agent.stop();
    await cleanUp(options);
    await stack.stop();
  });

  const call = async (method: string, path: string, body?: unknown) => {
    const { status, body: reply } = await stack.call(method, `/api/v1${path}`, {
      ...{ token: ours.token, ...(body === undefined ? {} : { body }) },
    });
    if (status > 201) throw new Error(`${method} ${path}: ${reply.message}`);
    return reply.data;
  };
  const reaches = (path: string, is: (data: Awaited<ReturnType<typeof call>>) => boolean) =>
    until(
      async () => {
        const data = await call("GET", path);
        return is(data) && data;
      },
      { timeoutMs: 60_000 },
    );
  const running = (id: string) => reaches(`/containers/${id}`, ({ state }) => state === "running");
  const pidOf = (id: string) => recordOf(options.data, id)?.init?.pid ?? 0;
  const create = async (name: string, share_id: string): Promise<string> => {
    const where = { project_id: ours.projectId, server_id: ours.serverId };
    const { id } = await call("POST", "/containers", {
      ...where,
      name,
      volumes: [{ share_id, path: "/data" }],
    });
    await running(id);
    return id;
  };

  test("outlives its container and its host's agent, and goes back to a snapshot", async () => {
    const { id } = await call("POST", "/storage-shares", {
      ...{ project_id: ours.projectId, server_id: ours.serverId, name: "data", size_bytes: 16 * 2 ** 20 },
    });
    const first = await create("first", id);
    await output(pidOf(first), "echo one > /data/file");
    await reaches(`/storage-shares/${id}`, (share) => share.mounted_by.includes(first));
    const { id: snapshot } = await call("POST", `/storage-shares/${id}/snapshots`);
    await reaches(`/storage-shares/${id}/snapshots`, ({ snapshots: [made] }) => made.state === "ready");
    await output(pidOf(first), "echo two > /data/file");
    await agent.kill();
    await output(pidOf(first), "echo three > /data/file");
    agent = startAgent(options);
    await call("DELETE", `/containers/${first}`);

    const second = await create("second", id);
    expect(await output(pidOf(second), "cat /data/file")).toBe("three");
    await call("POST", `/containers/${second}/stop`);
    await reaches(`/storage-shares/${id}`, (share) => share.mounted_by.length === 0);
    await call("POST", `/storage-shares/${id}/snapshots/${snapshot}/restore`);
    await call("POST", `/containers/${second}/start`);
    // The restore comes first, whichever of both its host has heard of first.
    await until(async () => (await call("GET", `/storage-shares/${id}`)).restoring_snapshot_id === null, {
      timeoutMs: 60_000,
    });
    await running(second);
    await until(async () => (await output(pidOf(second), "cat /data/file").catch(() => "")) === "one");

    await call("DELETE", `/containers/${second}`);
    await call("DELETE", `/storage-shares/${id}`);
    type Told = { readonly event_type: string; readonly container_id: string | null };
    const told = async (): Promise<Told[]> =>
      (await call("GET", `/events?resource_id=${id}&sort_order=asc`)).events;
    await until(async () => (await told()).at(-1)?.event_type === "storage_share.deleted", {
      timeoutMs: 60_000,
    });
    const mounts = (await told()).filter(({ event_type }) => /mounted$/.test(event_type));
    const of = (container: string) =>
      mounts.filter(({ container_id }) => container_id === container).map(({ event_type }) => event_type);
    // The host may mount the share in the second one before it tells that the first one is gone.
    expect(of(first)).toEqual(["storage_share.mounted", "storage_share.unmounted"]);
    expect(of(second).slice(0, 2)).toEqual(["storage_share.mounted", "storage_share.unmounted"]);
    expect(mounts.at(-1)?.event_type).toBe("storage_share.unmounted");
  }, 120_000);

  test("is not deleted under a container that still runs with it, although it is none of its volumes any more", async () => {
    const { id: share_id } = await call("POST", "/storage-shares", {
      ...{ project_id: ours.projectId, server_id: ours.serverId, name: "kept", size_bytes: 16 * 2 ** 20 },
    });
    const id = await create("holder", share_id);
    await reaches(`/storage-shares/${share_id}`, (share) => share.mounted_by.includes(id));
    await call("PUT", `/containers/${id}/volumes`, { volumes: [] });
    const { status, body } = await stack.call("DELETE", `/api/v1/storage-shares/${share_id}`, {
      token: ours.token,
    });
    expect([status, body.code, body.message]).toEqual([
      409,
      "STORAGE_SHARE_MOUNTED",
      "containers run with the share: stop them first (holder)",
    ]);
    await call("POST", `/containers/${id}/restart`);
    await reaches(`/storage-shares/${share_id}`, (share) => share.mounted_by.length === 0);
    await call("DELETE", `/storage-shares/${share_id}`);
    await call("DELETE", `/containers/${id}`);
  });

  test("is mounted over nothing that its host makes, whatever link of the container leads there", async () => {
    const { id: share_id } = await call("POST", "/storage-shares", {
      ...{ project_id: ours.projectId, server_id: ours.serverId, name: "linked", size_bytes: 16 * 2 ** 20 },
    });
    const id = await create("linked", share_id);
    await output(
      pidOf(id),
      "mkdir -p /srv && ln -s /proc /srv/p && ln -s ../etc /srv/e && ln -s /opt /srv/o",
    );
    for (const [path, leads] of [
      ["/srv/p", "/proc"],
      ["/srv/p/self", "/proc/self"],
      ["/srv/e", "/etc"],
    ]) {
      await call("POST", `/containers/${id}/stop`);
      await reaches(`/containers/${id}`, ({ state }) => state === "stopped");
      await call("PUT", `/containers/${id}/volumes`, { volumes: [{ share_id, path }] });
      await call("POST", `/containers/${id}/start`);
      const { error } = await reaches(`/containers/${id}`, ({ state }) => state === "error");
      expect(error).toContain(`its volume ${path} leads to ${leads}: a volume must not`);
    }
    // Other links are followed, as everywhere.
    await call("POST", `/containers/${id}/stop`);
    await call("PUT", `/containers/${id}/volumes`, { volumes: [{ share_id, path: "/srv/o/data" }] });
    await call("POST", `/containers/${id}/start`);
    await running(id);
    await until(
      async () => (await output(pidOf(id), "mount | grep -c ' /opt/data '").catch(() => "")) === "1",
    );
  }, 120_000);
});
