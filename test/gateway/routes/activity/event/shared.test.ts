import { afterAll, beforeAll, expect, test } from "bun:test";
import type { EventRecord } from "../../../../../schemas/events.ts";
import { type SharedStack, sharedStack, type TestUser } from "../../../../harness/shared-stack.ts";
import { until } from "../../../../harness/until.ts";
import { as, join, makePool } from "../../accounts/pool/team.ts";
import { rented } from "../../market/stock.ts";
import { followEvents } from "./following.ts";

/** Events of a team's things: the owner's and the members' logs, lists and streams. */

let stack: SharedStack;
let owner: TestUser;
let admin: TestUser;
let user: TestUser;
let stranger: TestUser;
let operator: TestUser;
let pool: string;
let serverId: string;
let container: string;
beforeAll(async () => {
  stack = await sharedStack();
  operator = await stack.user({ role: "admin" });
  [owner, admin, user, stranger] = [
    await stack.user({ balance: "100.00" }),
    await stack.user(),
    await stack.user(),
    await stack.user(),
  ];
  pool = await makePool(stack, owner, "team");
  await join(stack, owner, pool, admin, "admin");
  await join(stack, owner, pool, user, "user");
  const { rental } = await rented(stack, owner, await stack.serverName());
  serverId = rental.server_id;
  await stack.db`UPDATE rentals SET pool_id = ${pool} WHERE id = ${rental.id}`;
  container = await makeContainer(owner, "web");
});
afterAll(() => stack.stop());

async function makeContainer(person: TestUser, name: string): Promise<string> {
  const call = as(stack, person);
  const project = await call("POST", "/projects", { name: `of-${name}` });
  const body = { project_id: project.body.data.id, server_id: serverId, name };
  return (await call("POST", "/containers", body)).body.data.id;
}

const list = async (person: TestUser, query = "") =>
  (await as(stack, person)("GET", `/events?limit=500&${query}`)).body.data as {
    events: EventRecord[];
    pagination: { total: number; next_cursor: string | null };
  };
const typesOf = async (person: TestUser, query = "") =>
  (await list(person, query)).events.map(({ event_type }) => event_type);
const addRule = async (id: string) =>
  as(stack, owner)("POST", `/containers/${id}/firewall/egress`, {
    action: "drop",
    protocol: "tcp",
    description: crypto.randomUUID(),
    destination_port: "25",
  });

test("events of a container, its firewall and its aliases are in the lists of all who may read it, whoever made it", async () => {
  const made = await makeContainer(admin, "by-admin");
  await addRule(made);
  await as(stack, owner)("POST", "/proxy/aliases", { container_id: made, program: "http" });
  const wanted = ["container.created", "firewall.attached", "firewall.rule_added", "proxy_alias.created"];
  for (const person of [owner, admin, user])
    expect(await typesOf(person, `container_id=${made}`)).toEqual(expect.arrayContaining(wanted));
  expect(await typesOf(stranger, `container_id=${made}`)).toEqual([]);
  const [event] = (await list(user, `container_id=${made}&event_type=container.created`)).events;
  expect(event).toMatchObject({ user_id: admin.id, container_id: made });
  expect(event).not.toHaveProperty("audience");
});

test("a list with others' events has each once, by cursor, offset and type alike, and counts them", async () => {
  for (let i = 0; i < 5; i++) await addRule(container);
  const { events, pagination } = await list(user);
  expect(pagination.total).toBe(events.length);
  const ids = events.map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
  expect(events.some(({ user_id }) => user_id === owner.id)).toBe(true);
  expect(events.some(({ user_id }) => user_id === user.id)).toBe(true);
  const stats = (await as(stack, user)("GET", "/events/stats")).body.data;
  expect(stats.total).toBe(pagination.total);
  for (const sort of ["created_at", "event_type"]) {
    const whole = (await list(user, `sort_by=${sort}`)).events.map(({ id }) => id);
    const byCursor: string[] = [];
    for (let cursor: string | null = ""; cursor !== null; ) {
      const at: string = cursor === "" ? "" : `&cursor=${encodeURIComponent(cursor)}`;
      const page: Awaited<ReturnType<typeof list>> = (
        await as(stack, user)("GET", `/events?limit=3&sort_by=${sort}${at}`)
      ).body.data;
      byCursor.push(...page.events.map((event) => event.id));
      cursor = page.pagination.next_cursor;
    }
    expect(byCursor).toEqual(whole);
    const page = (await as(stack, user)("GET", `/events?limit=3&offset=4&sort_by=${sort}`)).body.data;
    expect(page.events.map((event: EventRecord) => event.id)).toEqual(whole.slice(4, 7));
  }
});

test("whoever follows has others' events at the moment, in the order of the thing, and resumes after one", async () => {
  const stream = await followEvents(stack, user.token);
  const away = await followEvents(stack, stranger.token);
  await addRule(container);
  await as(stack, owner)("POST", `/containers/${container}/firewall/reset`);
  const types = () => stream.said.map(({ event }) => event).filter((event) => event !== "firewall.applied");
  await until(() => types().includes("firewall.reset"));
  expect(types().slice(-2)).toEqual(["firewall.rule_added", "firewall.reset"]);
  const shared = stream.said.find(({ event }) => event === "firewall.rule_added");
  expect(shared?.data.user_id).toBe(owner.id);
  expect(shared?.data).not.toHaveProperty("audience");
  await stream.close();
  const resumed = await followEvents(stack, user.token, shared?.id);
  await until(() => resumed.said.some(({ event }) => event === "firewall.reset"));
  expect(resumed.said.map(({ id }) => id)).not.toContain(shared?.id);
  await resumed.close();
  expect(away.said).toEqual([]);
  await away.close();
});

test("a member who is removed loses the events at once: in the list, by id, in the stream and on resuming", async () => {
  const leaver = await stack.user();
  await join(stack, owner, pool, leaver, "user");
  const stream = await followEvents(stack, leaver.token);
  await addRule(container);
  await until(() => stream.said.some(({ event }) => event === "firewall.rule_added"));
  const last = stream.said.find(({ event }) => event === "firewall.rule_added")?.id ?? "";
  expect((await as(stack, leaver)("GET", `/events/${last}`)).status).toBe(200);

  await as(stack, owner)("DELETE", `/pools/${pool}/members/${leaver.id}`);
  await addRule(container);
  await as(stack, leaver)("POST", "/projects", { name: "own" });
  // What is the leaver's own comes after it: the other one would have come, too.
  await until(() => stream.said.some(({ event }) => event === "project.created"));
  const removedAt = stream.said.findIndex(({ event }) => event === "pool.member_removed");
  expect(stream.said.slice(removedAt + 1).map(({ event }) => event)).toEqual(["project.created"]);
  await stream.close();
  expect(await typesOf(leaver, `container_id=${container}`)).toEqual([]);
  expect((await as(stack, leaver)("GET", `/events/${last}`)).body.code).toBe("EVENT_NOT_FOUND");
  const resumed = await followEvents(stack, leaver.token, last);
  await as(stack, leaver)("POST", "/projects", { name: "another" });
  await until(() => resumed.said.some(({ data }) => data.data?.name === "another"));
  for (const { data } of resumed.said) expect(data.user_id).toBe(leaver.id);
  await resumed.close();
});

test("members read what happens in a pool, admins its invitations too, and whom it concerns reads it once", async () => {
  const guest = await stack.user();
  await join(stack, owner, pool, guest, "user");
  await as(stack, owner)("PUT", `/pools/${pool}/members/${guest.id}`, { role: "admin" });
  const ofGuest = async (person: TestUser) =>
    (await list(person, `resource_id=${pool}`)).events
      .filter(({ data }) => data.user_id === guest.id)
      .map(({ event_type }): string => event_type)
      .toSorted();
  const changes = ["pool.member_joined", "pool.member_role_changed"];
  expect(await ofGuest(user)).toEqual(changes);
  for (const person of [owner, admin, guest])
    expect(await ofGuest(person)).toEqual(["pool.member_invited", ...changes]);
  expect(await ofGuest(stranger)).toEqual([]);
  await as(stack, owner)("DELETE", `/pools/${pool}/members/${guest.id}`);
});

test("a notice to everybody is in everybody's stream and list, but for users who signed up later", async () => {
  const streams = [await followEvents(stack, user.token), await followEvents(stack, stranger.token)];
  const title = `for all ${crypto.randomUUID()}`;
  await as(stack, operator)("POST", "/admin/notifications", { title, body: "soon" });
  const heard = ({ said }: (typeof streams)[number]) => said.some(({ data }) => data.data?.title === title);
  await until(() => streams.every(heard));
  for (const stream of streams) await stream.close();
  const titles = async (person: TestUser) =>
    (await list(person, "event_type=notification.created")).events.map(({ data }) => data.title);
  expect(await titles(stranger)).toContain(title);
  expect(await titles(await stack.user())).not.toContain(title);
});

test("an event of another's log is not the reader's to delete, and what its owner deletes is gone for all", async () => {
  const made = await makeContainer(owner, "deleted");
  const [event] = (await list(user, `container_id=${made}`)).events;
  const refused = await as(stack, user)("DELETE", `/events/${event?.id}`);
  expect([refused.status, refused.body.code]).toEqual([403, "INSUFFICIENT_PERMISSIONS"]);
  const none = await as(stack, user)("DELETE", "/events", { resource_id: made });
  expect(none.body.data.deleted_count).toBe(0);
  expect((await list(user, `container_id=${made}`)).events[0]?.id).toBe(event?.id ?? "");
  await as(stack, owner)("DELETE", `/events/${event?.id}`);
  expect((await list(user, `container_id=${made}`)).events.map(({ id }) => id)).not.toContain(
    event?.id ?? "",
  );
  await until(async () => {
    const rows = await stack.db`SELECT 1 FROM event_audiences WHERE event_id = ${event?.id ?? ""}`;
    return rows.length === 0;
  });
});

test("who rents a server reads nothing of the time before, and an event of one user alone has no audience", async () => {
  const later = new Date(Date.now() + 60_000);
  const before = await typesOf(user, `container_id=${container}`);
  expect(before.length).toBeGreaterThan(0);
  await stack.db`UPDATE rentals SET created_at = ${later} WHERE pool_id = ${pool}`;
  expect(await typesOf(user, `container_id=${container}`)).toEqual([]);
  const [row] = await stack.db`
    SELECT count(*)::int AS n FROM event_audiences a JOIN events e ON e.id = a.event_id
    WHERE e.resource_type NOT IN ('container', 'firewall', 'proxy_alias', 'pool', 'notification', 'storage_share',
      'proxy_permissions')`;
  expect(row?.n).toBe(0);
});
