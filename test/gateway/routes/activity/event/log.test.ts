import { afterAll, beforeAll, expect, test } from "bun:test";
import type { EventRecord } from "../../../../../schemas/events.ts";
import { type SharedStack, sharedStack, type TestUser } from "../../../../harness/shared-stack.ts";
import { until } from "../../../../harness/until.ts";
import { as, join, makePool } from "../../accounts/pool/team.ts";
import { startHost, tenant } from "../../hosting/container/hosting.ts";

/** What each operation leaves in the log, and for whom. */

let stack: SharedStack;
let server: string;
beforeAll(async () => {
  stack = await sharedStack();
  server = await stack.serverName();
});
afterAll(() => stack.stop());

const eventsOf = async (token: string): Promise<EventRecord[]> =>
  (await stack.call("GET", "/api/v1/events?sort_order=asc", { token })).body.data.events;
/** The latest events, without what each has of its own. */
const latest = async (token: string, count: number) =>
  (await eventsOf(token))
    .slice(-count)
    .map(({ id: _id, created_at: _at, realm_id: _realm, ...rest }) => rest);

const login = async ({ username, password }: TestUser) =>
  (await stack.call("POST", "/api/v1/auth/login", { body: { username, password } })).body.data;

test("an account's life: signed up, logged in, a session revoked, logged out", async () => {
  const user = await stack.user();
  const own = {
    resource_type: "user",
    resource_id: user.id,
    user_id: user.id,
    project_id: null,
    container_id: null,
  };
  const [signedUp, loggedIn, ...others] = await eventsOf(user.token);
  expect(others).toEqual([]);
  expect(signedUp).toEqual({
    ...own,
    id: expect.stringMatching(/^[0-9a-f]{24}$/),
    event_type: "user.signed_up",
    resource_type: "user",
    realm_id: null,
    data: { username: user.username },
    created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
  });
  const sessionId = loggedIn?.data.session_id;
  expect(loggedIn).toMatchObject({ ...own, event_type: "user.logged_in" });

  const body = { refresh_token: user.refreshToken };
  await stack.call("POST", "/api/v1/auth/refresh", { body });
  await stack.call("POST", "/api/v1/auth/refresh", { body });
  const next = await login(user);
  expect((await latest(next.access_token, 2)).map(({ event_type, data }) => ({ event_type, data }))).toEqual([
    { event_type: "user.session_revoked", data: { session_id: sessionId, reason: expect.any(String) } },
    { event_type: "user.logged_in", data: { session_id: expect.not.stringMatching(String(sessionId)) } },
  ]);
  await stack.call("POST", "/api/v1/auth/logout", { token: next.access_token });
  const last = await login(user);
  expect((await latest(last.access_token, 2)).map(({ event_type }) => event_type)).toEqual([
    "user.logged_out",
    "user.logged_in",
  ]);
});

test("money that comes and goes, once for each time that it moved", async () => {
  const user = await stack.user({ balance: "100" });
  const own = {
    resource_type: "user",
    resource_id: user.id,
    user_id: user.id,
    project_id: null,
    container_id: null,
  };
  const transfer = (amount: string) =>
    stack.call("POST", "/api/v1/wallet/transfers", {
      token: user.token,
      body: { amount, idempotency_key: amount },
    });
  await transfer("25");
  await transfer("25");
  await transfer("5000");
  expect(await latest(user.token, 2)).toEqual([
    {
      ...own,
      event_type: "user.balance_credited",
      data: { transaction_id: expect.stringMatching(/^[0-9a-f]{24}$/), amount: "100.00", reason: "test" },
    },
    {
      ...own,
      event_type: "user.credit_transferred",
      data: { transaction_id: expect.stringMatching(/^[0-9a-f]{24}$/), gross: "25.00", fee: "1.25" },
    },
  ] as never);
});

test("a project and its container, from the first to the last", async () => {
  const { token, user, projectId, container, call } = await tenant(stack, server);
  const created = (await eventsOf(token)).find(({ event_type }) => event_type === "project.created");
  expect(created).toMatchObject({ resource_id: projectId, project_id: projectId, data: { name: "web" } });
  const rented = (await eventsOf(token)).find(({ event_type }) => event_type === "server.rented");
  expect(rented).toMatchObject({ resource_type: "server", user_id: user.id, data: { name: server } });

  const id = await container("app");
  const host = await startHost(stack, server);
  await host.answerFirewalls(() => ({}));
  const rule = { action: "allow", protocol: "tcp", description: "web", destination_port: "80" };
  await host.reportContainer(id, {});
  await until(async () => (await call("GET", `/${id}`)).body.data.state === "running");
  const added = await call("POST", `/${id}/firewall/ingress`, rule);
  await call("POST", `/${id}/firewall/ingress`, rule);
  await call("POST", `/${id}/firewall/reset`);
  await call("POST", `/${id}/firewall/reset`);
  await call("POST", `/${id}/restart`);
  await call("POST", `/${id}/stop`);
  await host.reportContainer(id, { revision: 3, state: "error", error: "it burnt" });
  await until(async () => (await call("GET", `/${id}`)).body.data.state === "error");
  await call("POST", `/${id}/start`);
  await call("DELETE", `/${id}`);
  await host.reportContainer(id, { revision: 9, state: "deleted" });
  await until(async () =>
    (await eventsOf(token)).some(({ event_type }) => event_type === "container.deleted"),
  );
  await stack.call("DELETE", `/api/v1/projects/${projectId}`, { token });
  await host.close();

  // When the host's word of what it applied is heard depends on the host: see test/gateway/routes/hosting/firewall/applied.test.ts.
  const events = (await eventsOf(token)).filter(
    (event) => event.container_id === id && event.event_type !== "firewall.applied",
  );
  expect(events.map(({ event_type }) => event_type)).toEqual([
    "container.created",
    "container.running",
    "firewall.attached",
    "firewall.rule_added",
    "firewall.reset",
    "container.restarting",
    "container.stopping",
    "container.error",
    "container.starting",
    "container.deleted",
  ]);
  for (const event of events) {
    const [resource_type] = event.event_type.split(".");
    expect(event).toMatchObject({ resource_type, resource_id: id, user_id: user.id, project_id: projectId });
  }
  const dataOf = (type: string) => events.find(({ event_type }) => event_type === type)?.data;
  expect(dataOf("container.created")).toEqual({ name: "app", by: user.id });
  expect(dataOf("container.error")).toEqual({ name: "app", error: "it burnt" });
  const { firewall: _, ...ruleAdded } = added.body.data;
  expect(dataOf("firewall.rule_added")).toEqual({ rule: ruleAdded, by: user.id });
  expect(dataOf("firewall.reset")).toEqual({ removed: 1, by: user.id });
  const last = (await eventsOf(token)).at(-1);
  expect(last).toMatchObject({
    event_type: "project.deleted",
    resource_id: projectId,
    project_id: projectId,
  });
});

test("nothing that was refused is in the log", async () => {
  const user = await stack.user({ balance: "1" });
  const call = (method: string, path: string, body: object) =>
    stack.call(method, `/api/v1${path}`, { token: user.token, body });
  await call("POST", "/projects", { name: "mine" });
  const before = await eventsOf(user.token);
  await call("POST", "/projects", { name: "mine" });
  await call("POST", "/wallet/transfers", { amount: "2" });
  await call("POST", "/wallet/transfers", { amount: "1", expected_fee_bps: 1 });
  await call("POST", "/wallet/transfers", { amount: "x" });
  await stack.call("POST", "/api/v1/auth/refresh", { body: { refresh_token: "x" } });
  expect(await eventsOf(user.token)).toEqual(before);
});

test("a user sees the own log, and of another's not even that an event is there", async () => {
  const [one, other] = [await stack.user(), await stack.user()];
  const admin = await stack.user({ role: "admin" });
  const [event] = await eventsOf(one.token);
  const own = await stack.call("GET", `/api/v1/events/${event?.id}`, { token: one.token });
  expect(own.body).toEqual({ statusCode: 200, message: "Event", data: event });
  for (const { token } of [other, admin]) {
    expect((await eventsOf(token)).every(({ user_id }) => user_id !== one.id)).toBe(true);
    const theirs = await stack.call("GET", `/api/v1/events/${event?.id}`, { token });
    const missing = await stack.call("GET", "/api/v1/events/0123456789abcdef01234567", { token });
    expect({ status: theirs.status, code: theirs.body.code }).toEqual({
      status: 404,
      code: "EVENT_NOT_FOUND",
    });
    expect(theirs.body).toEqual(missing.body);
    const filtered = await stack.call("GET", `/api/v1/events?resource_id=${one.id}`, { token });
    expect(filtered.body.data.pagination.total).toBe(0);
  }
});

test("a wrong password is in the account's log, once a minute however many they are", async () => {
  const user = await stack.user();
  for (let i = 0; i < 3; i++)
    await stack.call("POST", "/api/v1/auth/login", {
      body: { username: user.username, password: "wrong password" },
    });
  const failed = async () =>
    (await eventsOf(user.token)).filter(({ event_type }) => event_type === "user.login_failed");
  await until(async () => (await failed()).length > 0);
  expect((await failed()).map(({ data }) => data)).toEqual([{ address: expect.any(String) }]);
});

test("both sides of a pool's changes have them in their logs", async () => {
  const [owner, member] = [await stack.user(), await stack.user()];
  const pool = await makePool(stack, owner, "crew");
  await join(stack, owner, pool, member, "user");
  const path = `/pools/${pool}/members`;
  await as(stack, owner)("PUT", `${path}/${member.id}`, { role: "admin" });
  const other = await stack.user();
  const invited = await as(stack, owner)("POST", path, { username: other.username, role: "user" });
  await as(stack, owner)("DELETE", `${path}/${other.id}`);
  // A member reads the other events of the pool in its owner's log.
  const ofPool = async ({ id, token }: TestUser) =>
    (await eventsOf(token)).filter(
      ({ resource_type, user_id }) => resource_type === "pool" && user_id === id,
    );
  const types = async (user: TestUser) => (await ofPool(user)).map(({ event_type }) => event_type);
  expect(await types(member)).toEqual([
    "pool.member_invited",
    "pool.member_joined",
    "pool.member_role_changed",
  ]);
  expect((await ofPool(member))[0]?.data).toMatchObject({ by: owner.id, inviter: owner.username });
  expect(await types(other)).toEqual(["pool.member_invited", "pool.member_removed"]);
  expect((await ofPool(other))[1]?.data).toMatchObject({ invitation_id: invited.body.data.id });
});

test("a pool's owner learns of everything that an admin does with members, and each event says by whom", async () => {
  const [owner, admin, member, invited, leaver] = await Promise.all(
    Array.from({ length: 5 }, () => stack.user()),
  );
  if (!(owner && admin && member && invited && leaver)) throw new Error("five users were made");
  const pool = await makePool(stack, owner, "crew");
  await join(stack, owner, pool, admin, "admin");
  for (const user of [member, leaver]) await join(stack, admin, pool, user, "user");
  const path = `/pools/${pool}/members`;
  await as(stack, admin)("POST", path, { username: invited.username, role: "user" });
  const { body } = await as(stack, invited)("GET", "/pools/invitations/pending");
  await as(stack, invited)("POST", `/pools/${body.data[0].id}/reject`);
  await as(stack, admin)("POST", path, { username: invited.username, role: "user" });
  await as(stack, admin)("DELETE", `${path}/${invited.id}`);
  await as(stack, admin)("DELETE", `${path}/${member.id}`);
  await as(stack, leaver)("DELETE", `${path}/${leaver.id}`);
  await as(stack, owner)("DELETE", `/pools/${pool}`);

  const told = async ({ token }: TestUser) =>
    (await eventsOf(token))
      .filter(({ resource_type }) => resource_type === "pool")
      .map(({ event_type, data }) => [event_type.replace("pool.", ""), data.by, data.user_id]);
  const ofOwner = await told(owner);
  expect(ofOwner.slice(3)).toEqual([
    ["member_invited", admin.id, member.id],
    ["member_joined", member.id, member.id],
    ["member_invited", admin.id, leaver.id],
    ["member_joined", leaver.id, leaver.id],
    ["member_invited", admin.id, invited.id],
    ["member_declined", invited.id, invited.id],
    ["member_invited", admin.id, invited.id],
    ["member_removed", admin.id, invited.id],
    ["member_removed", admin.id, member.id],
    ["member_removed", leaver.id, leaver.id],
    ["deleted", owner.id, undefined],
  ]);
  expect((await told(member)).at(-1)).toEqual(["member_removed", admin.id, member.id]);
  expect((await told(admin)).at(-1)).toEqual(["deleted", owner.id, undefined]);
  const everything = [...ofOwner, ...(await told(admin)), ...(await told(member)), ...(await told(leaver))];
  expect(everything.filter(([, by]) => typeof by !== "string")).toEqual([]);
});

test("what is in nobody's log is read by administrators, with who did it", async () => {
  const [operator, user] = [await stack.user({ role: "admin" }), await stack.user({ balance: "10.00" })];
  const operate = async (method: string, path: string, body?: object) =>
    (
      await stack.call(method, `/api/v1/admin${path}`, {
        token: operator.token,
        ...(body === undefined ? {} : { body }),
      })
    ).body.data;
  const server = (await operate("POST", "/servers", { name: "logged", specs: {} })).id;
  await operate("PATCH", `/servers/${server}`, { prices: { "7": 100 } });
  await operate("PATCH", `/servers/${server}`, { delivered_by_hand: true });
  await operate("DELETE", `/servers/${server}`);
  const prices = { lead_time_hours: 1, pricing_rules: { "1": 100 }, specs: {} };
  const offer = (await operate("POST", "/offers", { name: "logged", ...prices })).id;
  await operate("PATCH", `/offers/${offer}`, { lead_time_hours: 2 });
  const reserved = await stack.call("POST", `/api/v1/offers/${offer}/reserve`, {
    token: user.token,
    body: { days: 1, max_charge_cents: 100, idempotency_key: "k" },
  });
  await operate("POST", `/reservations/${reserved.body.data.id}/cancel`);
  await operate("DELETE", `/offers/${offer}`);
  await operate("POST", "/notifications", { title: "To everybody", body: "…" });

  // Operators of other files are at work on the same control plane.
  const { events } = await operate("GET", "/events?user_id=none&limit=500");
  const told = events
    .map(({ event_type, data }: EventRecord) => [event_type, data.by])
    .filter(([, by]: [string, unknown]) => by === operator.id);
  expect(told.toReversed()).toEqual(
    [
      "server.added",
      "server.price_changed",
      "server.updated",
      "server.removed",
      "server.added",
      "server.updated",
      "server.removed",
      "notification.created",
    ].map((type) => [type, operator.id]),
  );
  const ofUser = (await operate("GET", `/events?user_id=${user.id}&event_type=server.released`)).events;
  expect(ofUser).toMatchObject([{ user_id: user.id, data: { reservation: "cancelled", by: operator.id } }]);
  const statement = await stack.call("GET", "/api/v1/wallet/transactions", { token: user.token });
  const reasons = statement.body.data.map(({ reason }: { reason: string }) => reason);
  expect(reasons).toContain("Reservation of logged for 1 day");

  await stack.call("DELETE", "/api/v1/events", { token: user.token, body: { all: true } });
  expect((await operate("GET", `/events?user_id=${user.id}`)).events).toEqual([]);
  const refused = await stack.call("GET", "/api/v1/admin/events", { token: user.token });
  expect([refused.status, refused.body.code]).toEqual([403, "INSUFFICIENT_PERMISSIONS"]);
});
