import { afterAll, beforeAll, expect, test } from "bun:test";
import { newId } from "../../../../../actors/platform/ids.ts";
import { type SharedStack, sharedStack } from "../../../../harness/shared-stack.ts";
import { until } from "../../../../harness/until.ts";
import { join, makePool } from "../../accounts/pool/team.ts";
import { type Host, startHost, tenant } from "../container/hosting.ts";

/** Storage shares by HTTP, with a host that reports what it is told to. */

const MIB = 2 ** 20;
const MISSING = "0123456789abcdef01234567";
let stack: SharedStack;
let server: string;
let ours: Awaited<ReturnType<typeof tenant>>;
let host: Host;
beforeAll(async () => {
  stack = await sharedStack();
  server = await stack.serverName();
  ours = await tenant(stack, server);
  host = await startHost(stack, server);
});
afterAll(async () => {
  await host.close();
  await stack.stop();
});

type Fields = Record<string, unknown>;
const call = (method: string, path: string, body?: unknown, token = ours.token) =>
  stack.call(method, `/api/v1/storage-shares${path}`, { token, ...(body === undefined ? {} : { body }) });
const create = (name: string, fields: Fields = {}) =>
  call("POST", "", {
    ...{ project_id: ours.projectId, server_id: ours.serverId, name, size_bytes: 16 * MIB },
    ...fields,
  });
const shareOf = async (name: string): Promise<string> => (await create(name)).body.data.id;
const read = async (id: string) => (await call("GET", `/${id}`)).body.data;
const volumes = (container: string, list: Fields[]) =>
  ours.call("PUT", `/${container}/volumes`, { volumes: list });
const eventsOf = async (id: string): Promise<{ event_type: string; container_id: string; data: Fields }[]> =>
  (await stack.call("GET", `/api/v1/events?resource_id=${id}&sort_order=asc`, { token: ours.token })).body
    .data.events;

test("a share is created on its server, follows its host's reports, and is listed", async () => {
  const { status, body } = await create("made");
  expect(status).toBe(201);
  const { id } = body.data;
  expect(body.data).toMatchObject({
    ...{ user_id: ours.user.id, project_id: ours.projectId, server_id: ours.serverId, server_name: server },
    ...{ name: "made", state: "creating", size_bytes: 16 * MIB, used_bytes: null, enforced: null },
    ...{ mounted_by: [], snapshot_count: 0, restoring_snapshot_id: null },
  });
  const container = newId();
  await host.reportShare(id, { used_bytes: 4_096, mounted_by: [container] });
  const ready = await until(async () => {
    const found = await read(id);
    return found.state === "ready" && found;
  });
  expect(ready).toMatchObject({ used_bytes: 4_096, enforced: true, mounted_by: [container] });
  await host.reportShare(id, { used_bytes: 4_096 });
  await until(async () => (await read(id)).mounted_by.length === 0);
  expect((await eventsOf(id)).map(({ event_type, container_id }) => [event_type, container_id])).toEqual([
    ["storage_share.created", null],
    ["storage_share.mounted", container],
    ["storage_share.updated", null],
    ["storage_share.unmounted", container],
  ] as never);

  const second = await shareOf("second");
  const list = async (query: string) => (await call("GET", query)).body.data;
  const first = await list(`?project_id=${ours.projectId}&limit=1`);
  expect(first.storage_shares).toMatchObject([{ id }]);
  const next = await list(
    `?project_id=${ours.projectId}&limit=1&cursor=${encodeURIComponent(first.pagination.next_cursor)}`,
  );
  expect(next.storage_shares).toMatchObject([{ id: second }]);
  expect((await list(`?server_id=${MISSING}`)).count).toBe(0);
});

test("bad requests name the field", async () => {
  const fieldOf = async (reply: Promise<{ status: number; body: { data?: { field?: string } } }>) => {
    const { status, body } = await reply;
    return [status, body.data?.field];
  };
  expect(await fieldOf(create("small", { size_bytes: MIB }))).toEqual([400, "body.size_bytes"]);
  expect(await fieldOf(create("huge", { size_bytes: 2 ** 60 }))).toEqual([400, "body.size_bytes"]);
  expect(await fieldOf(create(" "))).toEqual([400, "body.name"]);
  const id = await shareOf("bounds");
  expect(await fieldOf(call("PATCH", `/${id}`, { size_bytes: 16 * MIB - 1 }))).toEqual([
    400,
    "body.size_bytes",
  ]);
  expect((await call("PATCH", `/${id}`, {})).status).toBe(400);
  const container = await ours.container("bad-paths");
  const at = (path: string) =>
    volumes(container, [
      { share_id: id, path: "/ok" },
      { share_id: id, path },
    ]);
  for (const path of ["/", "data", "/a/../b", "/proc/x", "/ok/in", "/dev"])
    expect(await fieldOf(at(path))).toEqual([400, "body.volumes.1.path"]);
  expect((await create("bounds")).body.code).toBe("NAME_TAKEN");
  expect((await create("nowhere", { server_id: MISSING })).body.code).toBe("SERVER_NOT_FOUND");
  expect((await create("nobody's", { project_id: MISSING })).body.code).toBe("PROJECT_NOT_FOUND");
});

test("a volume is a share of the container's project on its server, and keeps the share and the project", async () => {
  const id = await shareOf("kept");
  const other = await tenant(stack, await stack.serverName());
  const elsewhere = await stack.call("POST", "/api/v1/storage-shares", {
    token: other.token,
    body: { project_id: other.projectId, server_id: other.serverId, name: "theirs", size_bytes: 16 * MIB },
  });
  const made = await ours.create("with-volume", { volumes: [{ share_id: id, path: "/data" }] });
  expect(made.body.data.volumes).toEqual([{ share_id: id, path: "/data", read_only: false }]);
  const container = made.body.data.id;
  for (const share_id of [elsewhere.body.data.id, MISSING]) {
    const refused = await volumes(container, [{ share_id, path: "/data" }]);
    expect([refused.status, refused.body.code]).toEqual([404, "STORAGE_SHARE_NOT_FOUND"]);
  }
  const kept = (await call("DELETE", `/${id}`)).body;
  expect([kept.code, kept.data.container_ids]).toEqual(["STORAGE_SHARE_IN_USE", [container]]);
  expect(kept.message).toEndWith("or delete them (with-volume)");

  const changed = await volumes(container, [{ share_id: id, path: "/srv", read_only: true }]);
  expect(changed.body.data.volumes).toEqual([{ share_id: id, path: "/srv", read_only: true }]);
  expect((await eventsOf(id)).at(-1)).toMatchObject({
    event_type: "storage_share.updated",
    container_id: container,
    data: { volume: { path: "/srv", read_only: true }, container_name: "with-volume", by: ours.user.id },
  });
  expect((await volumes(container, [])).body.data.volumes).toEqual([]);
  expect((await call("DELETE", `/${id}`)).status).toBe(200);
  expect((await call("GET", `/${id}`)).status).toBe(404);
  await host.reportShare(id, { revision: 2, state: "deleted" });
  await until(async () => (await eventsOf(id)).at(-1)?.event_type === "storage_share.deleted");

  const alone = await other.container("alone");
  await other.call("DELETE", `/${alone}`);
  const project = (method: string) =>
    stack.call(method, `/api/v1/projects/${other.projectId}`, { token: other.token });
  expect((await project("DELETE")).body.code).toBe("PROJECT_NOT_EMPTY");
  await stack.call("DELETE", `/api/v1/storage-shares/${elsewhere.body.data.id}`, { token: other.token });
  expect((await project("DELETE")).status).toBe(200);
});

test("a running container says that its changed volumes wait for a restart, until it was started with them", async () => {
  const id = await shareOf("waiting");
  const share = { share_id: id, path: "/data" };
  const container = await ours.container("mounts-later");
  const stopped = await volumes(container, [share]);
  expect(stopped.body.data.restart_required).toEqual([]);
  const start = async () => {
    const [row] = await stack.db<{ revision: bigint }[]>`
      SELECT desired_revision AS revision FROM containers WHERE id = ${container}`;
    const revision = Number(row?.revision);
    await host.reportContainer(container, { revision, started_revision: revision });
  };
  await start();
  await until(async () => (await ours.call("GET", `/${container}`)).body.data.state === "running");

  expect((await volumes(container, [])).body.data.restart_required).toEqual(["volumes"]);
  // What is taken back needs no restart.
  expect((await volumes(container, [share])).body.data.restart_required).toEqual([]);
  expect((await volumes(container, [{ ...share, path: "/srv" }])).body.data.restart_required).toEqual([
    "volumes",
  ]);
  await start();
  await until(async () => (await ours.call("GET", `/${container}`)).body.data.restart_required.length === 0);
  await ours.call("DELETE", `/${container}`);
});

test("a container that is deleted at once with its share's: one of both requests loses", async () => {
  const id = await shareOf("raced");
  const container = await ours.container("racer");
  const [set, deleted] = await Promise.all([
    volumes(container, [{ share_id: id, path: "/data" }]),
    call("DELETE", `/${id}`),
  ]);
  expect([set.status === 200, deleted.status === 200].filter(Boolean)).toHaveLength(1);
  await ours.call("DELETE", `/${container}`);
  // A container that is being deleted holds no share.
  await call("DELETE", `/${id}`);
  expect((await call("GET", `/${id}`)).status).toBe(404);
});

test("snapshots are made by the host; a restore needs that no container runs", async () => {
  const id = await shareOf("snapped");
  const asked = await call("POST", `/${id}/snapshots`, { name: "before" });
  expect(asked.status).toBe(201);
  const snapshot = asked.body.data.id;
  expect(asked.body.data).toMatchObject({ name: "before", state: "creating", bytes: null });
  const back = (by: string = snapshot) => call("POST", `/${id}/snapshots/${by}/restore`);
  expect((await back()).body.code).toBe("STORAGE_SHARE_STATE_CONFLICT");
  const snapshots = [{ id: snapshot, state: "ready" as const, bytes: 5, error: null }];
  await host.reportShare(id, { revision: 2, snapshots });
  const list = async () => (await call("GET", `/${id}/snapshots`)).body.data.snapshots;
  await until(async () => (await list())[0].state === "ready");
  expect((await back(MISSING)).body.code).toBe("STORAGE_SNAPSHOT_NOT_FOUND");

  const made = await ours.create("in-the-way", { volumes: [{ share_id: id, path: "/data" }] });
  const refused = await back();
  expect([refused.status, refused.body.code]).toEqual([409, "STORAGE_SHARE_MOUNTED"]);
  expect(refused.body.data.container_ids).toEqual([made.body.data.id]);
  expect(refused.body.message).toEndWith("stop them first (in-the-way)");
  await ours.call("POST", `/${made.body.data.id}/stop`);
  expect((await back()).body.data.restoring_snapshot_id).toBe(snapshot);
  const restore = (await stack.db`SELECT restore FROM storage_shares WHERE id = ${id}`)[0]?.restore;
  await host.reportShare(id, { revision: 3, snapshots, restored: restore.id });
  await until(async () => (await read(id)).restoring_snapshot_id === null);
  expect((await call("DELETE", `/${id}/snapshots/${snapshot}`)).status).toBe(200);
  expect(await list()).toEqual([]);
  expect((await call("DELETE", `/${id}/snapshots/${snapshot}`)).status).toBe(404);
});

test("a schedule takes its first snapshot at once, says when the next is due, and ends without a loss", async () => {
  const id = await shareOf("scheduled");
  await host.reportShare(id, {});
  await until(async () => (await read(id)).state === "ready");
  const list = async () => (await call("GET", `/${id}/snapshots`)).body.data.snapshots;
  const own = (await call("POST", `/${id}/snapshots`, { name: "own" })).body.data.id;
  const set = (snapshot_schedule: unknown) => call("PATCH", `/${id}`, { snapshot_schedule });
  for (const [schedule, field] of [
    [{ every_hours: 0, keep: 1 }, "every_hours"],
    [{ every_hours: 1, keep: 16 }, "keep"],
  ] as const) {
    const { status, body } = await set(schedule);
    expect([status, body.data.field]).toEqual([400, `body.snapshot_schedule.${field}`]);
  }
  expect((await set({ every_hours: 1, keep: 1 })).body.data).toMatchObject({
    snapshot_schedule: { every_hours: 1, keep: 1 },
    next_snapshot_at: expect.any(String),
  });
  const first = await until(async () => (await list()).find((one: Fields) => one.scheduled));
  expect(new Date((await read(id)).next_snapshot_at).getTime()).toBeGreaterThan(Date.now());

  const ready = [own, first.id].map((one) => ({ id: one, state: "ready" as const, bytes: 1, error: null }));
  const revision = async (): Promise<number> =>
    Number(
      (await stack.db`SELECT desired_revision FROM storage_shares WHERE id = ${id}`)[0]?.desired_revision,
    );
  await host.reportShare(id, { revision: await revision(), snapshots: ready });
  await until(async () => (await list()).every((one: Fields) => one.state === "ready"));
  expect((await list()).map((one: Fields) => [one.id, one.scheduled])).toEqual([
    [own, false],
    [first.id, true],
  ]);
  expect((await eventsOf(id)).at(-1)?.data).toMatchObject({
    snapshot: { id: first.id, state: "ready" },
  });
  const ended = (await set(null)).body.data;
  expect([ended.snapshot_schedule, ended.next_snapshot_at]).toEqual([null, null]);
  expect(await list()).toHaveLength(2);
});

test("all shares of a server fit on the disks that its operator has stated", async () => {
  const specs = { disks: [{ type: "ssd", size_gb: 1 }] };
  const admin = await stack.user({ role: "admin" });
  const changed = await stack.call("PATCH", `/api/v1/admin/servers/${ours.serverId}`, {
    token: admin.token,
    body: { specs },
  });
  expect(changed.status).toBe(200);
  const tries = await Promise.all([1, 2, 3].map((at) => create(`large-${at}`, { size_bytes: 400_000_000 })));
  expect(tries.map(({ status }) => status).sort()).toEqual([201, 201, 409]);
  const refused = tries.find(({ status }) => status === 409);
  expect(refused?.body).toMatchObject({
    code: "SERVER_STORAGE_EXCEEDED",
    // People read the size, programs the exact figures.
    message: expect.stringMatching(/^the server has [\d.]+ MiB of 953\.6 MiB left for this storage share$/),
    data: { capacity_bytes: 1_000_000_000 },
  });
  const id = tries.find(({ status }) => status === 201)?.body.data.id;
  expect((await call("PATCH", `/${id}`, { size_bytes: 900_000_000 })).body.code).toBe(
    "SERVER_STORAGE_EXCEEDED",
  );
});

test("members of the pool have their roles, strangers find nothing, and a host speaks of its own shares alone", async () => {
  const id = await shareOf("shared");
  const [admin, member, stranger] = await Promise.all([stack.user(), stack.user(), stack.user()]);
  const pool = await makePool(stack, ours.user, "storage");
  await stack.db`UPDATE rentals SET pool_id = ${pool} WHERE server_id = ${ours.serverId}`;
  await join(stack, ours.user, pool, admin, "admin");
  await join(stack, ours.user, pool, member, "user");
  const statuses = async (token: string) => [
    (await call("GET", `/${id}`, undefined, token)).status,
    (await call("GET", `/${id}/snapshots`, undefined, token)).status,
    (await call("PATCH", `/${id}`, { name: "renamed" }, token)).status,
    (await call("POST", `/${id}/snapshots`, {}, token)).status,
    (await call("DELETE", `/${id}`, undefined, token)).status,
  ];
  expect(await statuses(stranger.token)).toEqual([404, 404, 404, 404, 404]);
  expect(await statuses(member.token)).toEqual([200, 200, 403, 403, 403]);
  const heard = await until(async () => {
    const path = `/api/v1/events?resource_id=${id}`;
    const { events } = (await stack.call("GET", path, { token: member.token })).body.data;
    return events.length > 0 && events;
  });
  expect(heard[0]).toMatchObject({ event_type: "storage_share.created" });

  const otherServer = await stack.serverName();
  const otherTenant = await tenant(stack, otherServer);
  await otherTenant.container("brings-the-bucket");
  const liar = await startHost(stack, otherServer);
  await liar.reportShare(id, { used_bytes: 123_456 });
  const theirs = await stack.call("POST", "/api/v1/storage-shares", {
    token: otherTenant.token,
    body: {
      ...{ project_id: otherTenant.projectId, server_id: otherTenant.serverId },
      ...{ name: "mark", size_bytes: 16 * MIB },
    },
  });
  await liar.reportShare(theirs.body.data.id, {});
  await until(
    async () =>
      (await stack.call("GET", `/api/v1/storage-shares/${theirs.body.data.id}`, { token: otherTenant.token }))
        .body.data.state === "ready",
  );
  await liar.close();
  expect((await read(id)).used_bytes).toBeNull();
  expect(await statuses(admin.token)).toEqual([200, 200, 200, 201, 200]);
});
