import { afterAll, beforeAll, expect, test } from "bun:test";
import { identify } from "../../../../../system/process-identity.ts";
import { type Stack, startStack } from "../../../../harness/stack.ts";
import { until } from "../../../../harness/until.ts";
import { aliasTenant } from "./aliasing.ts";

const HOUR_MS = 60 * 60 * 1000;

let stack: Stack;
/** Actor hosts that run. */
const pids: number[] = [];
let ours: Awaited<ReturnType<typeof aliasTenant>>;
beforeAll(async () => {
  stack = await startStack({ actorHosts: 2, servers: ["node-1"] });
  ours = await aliasTenant(stack, "node-1");
  pids.push(...stack.hosts.map(({ pid }) => pid));
});
afterAll(() => stack.stop());

/** Late enough for a request to arrive before it on a busy machine. */
const SOON_MS = 6_000;
const soon = (ms = SOON_MS) => new Date(Date.now() + ms).toISOString();
const patch = (id: string, body: object) => ours.aliases("PATCH", `/${id}`, body);
const get = async (id: string) => (await ours.aliases("GET", `/${id}`)).body.data;
const eventsOf = async (id: string): Promise<string[]> =>
  (await stack.db`SELECT event_type FROM events WHERE resource_id = ${id} ORDER BY id`).map((row) =>
    row.event_type.replace("proxy_alias.", ""),
  );
const expired = (id: string) => until(async () => (await eventsOf(id)).includes("expired"));

test("an alias is disabled from its time on, and that is written down by a timer", async () => {
  const { id } = await ours.exposed({ expires_at: soon() });
  expect(await get(id)).toMatchObject({ enabled: true });
  await until(async () => (await get(id)).enabled === false);
  await expired(id);
  const [row] =
    await stack.db`SELECT enabled, updated_at >= expires_at AS after FROM aliases WHERE id = ${id}`;
  expect(row).toEqual({ enabled: false, after: true });
  expect(await eventsOf(id)).toEqual(["created", "expired"]);
});

test("every reading sees that an alias has expired, though nothing has written it yet", async () => {
  const theirs = await aliasTenant(stack, "node-reads");
  const { id } = await theirs.exposed({ expires_at: soon(HOUR_MS) });
  // As it is between its time and the timer.
  await stack.db`UPDATE aliases SET expires_at = now() - interval '1 millisecond' WHERE id = ${id}`;
  expect((await theirs.aliases("GET", `/${id}`)).body.data).toMatchObject({ enabled: false });
  const listed = async (query: string) =>
    (await theirs.aliases("GET", `?${query}`)).body.data.aliases.some((one: { id: string }) => one.id === id);
  expect(await listed("enabled=true")).toBe(false);
  expect(await listed("enabled=false&expired=true")).toBe(true);
  expect(await listed("expired=false")).toBe(false);
});

test("an alias that has expired is enabled again by a later time and a wish", async () => {
  const { id } = await ours.exposed({ expires_at: soon() });
  await until(async () => (await get(id)).enabled === false);
  const refused = await ours.aliases("PATCH", `/${id}/state`, { enabled: true });
  expect([refused.status, refused.body.code]).toEqual([409, "ALIAS_EXPIRED"]);
  expect((await patch(id, { expires_at: soon(HOUR_MS) })).body.data).toMatchObject({ enabled: false });
  expect((await ours.aliases("PATCH", `/${id}/state`, { enabled: true })).body.data).toMatchObject({
    enabled: true,
  });
  expect((await patch(id, { expires_at: null })).body.data).toMatchObject({
    enabled: true,
    expires_at: null,
  });
  expect(await eventsOf(id)).toEqual(["created", "expired", "updated", "enabled", "updated"]);
});

test("a time in the past is refused, in seconds and in milliseconds, and changes nothing", async () => {
  const { id } = await ours.exposed();
  for (const expires_at of [1_600_000_000, 1_600_000_000_000, "2020-09-13T12:26:40Z"]) {
    for (const body of [{ expires_at }, { expires_at, enabled: false }, { expires_at, enabled: true }]) {
      const refused = await patch(id, body);
      expect([refused.status, refused.body.data]).toEqual([400, { field: "body.expires_at" }]);
    }
  }
  expect(await get(id)).toMatchObject({ enabled: true, expires_at: null });
  expect(await eventsOf(id)).toEqual(["created"]);
});

test("an alias that has expired is changed by a client that sends its time back", async () => {
  const { id, expires_at } = await ours.exposed({ expires_at: soon() });
  await until(async () => (await get(id)).enabled === false);
  const changed = await patch(id, { expires_at, allow_path_override: false });
  expect([changed.status, changed.body.data.allow_path_override]).toEqual([200, false]);
  const enabled = await patch(id, { expires_at, enabled: true });
  expect([enabled.status, enabled.body.data]).toEqual([400, { field: "body.expires_at" }]);
});

test("a time of the last years that ISO 8601 can write is taken in seconds", async () => {
  const { id } = await ours.exposed();
  expect((await patch(id, { expires_at: 253_402_300_799 })).body.data).toMatchObject({
    enabled: true,
    expires_at: "9999-12-31T23:59:59.000Z",
  });
});

test("timers fire in the order of the times, whatever the order of the wishes", async () => {
  const [late, early, never] = [
    await ours.exposed({ expires_at: soon(SOON_MS + 1_500) }),
    await ours.exposed({ expires_at: soon() }),
    await ours.exposed({ expires_at: soon(SOON_MS + 500) }),
  ];
  await patch(never.id, { expires_at: null });
  await expired(early.id);
  await expired(late.id);
  expect(await get(never.id)).toMatchObject({ enabled: true, expires_at: null });
  const order = await stack.db`
    SELECT resource_id FROM events WHERE event_type = 'proxy_alias.expired' AND resource_id IN (${early.id}, ${late.id}) ORDER BY created_at`;
  expect(order.map((row) => row.resource_id)).toEqual([early.id, late.id]);
});

test("more aliases than one message disables expire anyway", async () => {
  const theirs = await aliasTenant(stack, "node-many");
  const count = 520;
  const expires_at = soon(HOUR_MS);
  for (let made = 0; made < count; made += 65) {
    await Promise.all(Array.from({ length: 65 }, () => theirs.exposed({ expires_at })));
  }
  const first = (await theirs.aliases("GET")).body.data.aliases[0].id;
  // All at one time, by a change that makes their actor look at it: the others' times are brought forward behind its back.
  // Its next owner reads what is written; one that is alive has the times of before, and would set its timer by them.
  await restartOwners(async () => {
    await stack.db`UPDATE aliases SET expires_at = now() WHERE server_id = ${theirs.serverId} AND id <> ${first}`;
    await stack.db`UPDATE tasks SET due_at = now() WHERE kind = 'alias' AND actor_id = ${theirs.serverId}`;
  });
  await until(
    async () => {
      const [row] = await stack.db`
        SELECT count(*)::int AS n FROM aliases WHERE server_id = ${theirs.serverId} AND NOT enabled`;
      return row?.n === count - 1;
    },
    { everyMs: 100 },
  );
});

let restarts = 0;
/** Ends every actor host without a warning, and starts another one. @param between done while there is none */
async function restartOwners(between: () => Promise<void> = async () => undefined): Promise<void> {
  const before = new Set((await stack.db`SELECT DISTINCT owner FROM leases`).map((row) => row.owner));
  restarts += 1;
  for (const pid of pids) process.kill(pid, "SIGKILL");
  await until(() => pids.every((pid) => identify(pid) === null));
  await between();
  pids.splice(0, pids.length, (await stack.startHost(`next-${restarts}`)).pid);
  await until(async () => {
    const owners = (await stack.db`SELECT DISTINCT owner FROM leases`).map((row) => row.owner);
    return owners.every((owner) => owner !== null && !before.has(owner));
  });
}

test("a timer that is pending when its actor host is killed fires on the next one", async () => {
  const { id } = await ours.exposed({ alias: "survives", expires_at: soon(3_000) });
  await restartOwners();
  await expired(id);
  expect(await get(id)).toMatchObject({ enabled: false });
  expect(await eventsOf(id)).toEqual(["created", "expired"]);
});
