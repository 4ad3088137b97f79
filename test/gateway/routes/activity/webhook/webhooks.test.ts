import { afterAll, afterEach, beforeAll, expect, test } from "bun:test";
import { type EmbeddedStack, startEmbeddedStack, type TestUser } from "../../../../harness/embedded-stack.ts";
import { until } from "../../../../harness/until.ts";
import { as, join, makePool } from "../../accounts/pool/team.ts";
import { rented } from "../../market/stock.ts";
import { isSignedWith, type Receiver, startReceiver } from "./receiver.ts";

let stack: EmbeddedStack;
let receiver: Receiver;
beforeAll(async () => {
  const env = {
    BERTH_WEBHOOK_NETWORKS: "127.0.0.0/8",
    BERTH_WEBHOOK_FIRST_RETRY_MS: "100",
    BERTH_WEBHOOK_GIVE_UP_SECONDS: "2",
    BERTH_WEBHOOK_TIMEOUT_MS: "1000",
    BERTH_QUOTA_WEBHOOKS_PER_USER: "3",
  };
  stack = await startEmbeddedStack({ actorHosts: 2, env });
  receiver = startReceiver();
});
afterEach(() => {
  receiver.answer = () => new Response("thanks");
});
afterAll(async () => {
  await receiver.stop();
  await stack.stop();
});

/** Not what the making of a user is told by. */
const PROJECTS = { event_types: ["project.created", "project.deleted"] };

/** A user with a webhook to a path of the receiver of its own. */
async function hooked(fields: object = PROJECTS, person?: TestUser) {
  const user = person ?? (await stack.user());
  const call = as(stack, user);
  const path = `/${crypto.randomUUID()}`;
  const { status, body } = await call("POST", "/webhooks", { url: `${receiver.url}${path}`, ...fields });
  expect(status).toBe(201);
  const { secret, id } = body.data as { secret: string; id: string };
  return {
    user,
    call,
    path,
    id,
    secret,
    arrived: () => receiver.received.filter((one) => one.path === path),
    typesArrived: () =>
      receiver.received.filter((one) => one.path === path).map(({ payload }) => payload.type),
    project: (name: string) => call("POST", "/projects", { name }),
    // biome-ignore lint/suspicious/noExplicitAny: the log as it is
    log: async (query = ""): Promise<any[]> =>
      (await call("GET", `/webhooks/${id}/deliveries?${query}`)).body.data.deliveries,
  };
}
const refusal = ({ status, body }: { status: number; body: { code: string } }) => `${status} ${body.code}`;

test("an event comes to the webhook, signed, as it is in the log", async () => {
  const { call, arrived, secret, project, log } = await hooked();
  await project("first");
  await until(() => arrived().length > 0);
  const [one] = arrived();
  if (one === undefined) throw new Error("nothing arrived");
  expect(isSignedWith(secret, one)).toBe(true);
  const [event] = (await call("GET", "/events?event_type=project.created")).body.data.events;
  expect(one.payload).toEqual({ type: "project.created", timestamp: event.created_at, data: event });
  expect(one.id).toBe(event.id);
  expect(one.headers["content-type"]).toBe("application/json");
  const [delivery] = await until(async () => {
    const deliveries = await log("status=delivered");
    return deliveries.length > 0 && deliveries;
  });
  expect(delivery).toMatchObject({
    message_id: event.id,
    event_type: "project.created",
    attempts: 1,
    response_status: 200,
    response_body: "thanks",
    error: null,
  });
});

test("what happens to a suspended user waits until the account is restored", async () => {
  const credited = { event_types: ["user.balance_credited"] };
  const [suspended, other] = [await hooked(credited), await hooked(credited)];
  const operator = await stack.user({ role: "admin" });
  const ask = (what: string, body: object) =>
    as(stack, operator)("POST", `/admin/users/${suspended.user.id}/${what}`, body);
  expect((await ask("suspend", { reason: "unpaid" })).status).toBe(200);
  for (const { user } of [suspended, other])
    await stack.actors.wallet(user.id).credit({ amount: "1.00", reason: "test", idempotency_key: user.id });
  await until(() => other.arrived().length > 0);
  const waiting = () => stack.db`
    SELECT attempts FROM webhook_deliveries WHERE webhook_id = ${suspended.id} AND status = 'pending'`;
  await until(async () => (await waiting()).length === 1);
  expect([...(await waiting())]).toEqual([{ attempts: 0 }]);
  expect((await ask("restore", { reason: "paid" })).status).toBe(200);
  await until(() => suspended.arrived().length > 0);
}, 60_000);

test("only chosen types come, and nothing of another user", async () => {
  const { typesArrived, project, call } = await hooked({ event_types: ["project.deleted"] });
  const other = await stack.user();
  await as(stack, other)("POST", "/projects", { name: "theirs" });
  const made = await project("mine");
  await call("DELETE", `/projects/${made.body.data.id}`);
  await until(() => typesArrived().length > 0);
  expect(typesArrived()).toEqual(["project.deleted"]);
});

test("the secret is in the first reply alone, and a repeated request makes no second webhook", async () => {
  const user = await stack.user();
  const call = as(stack, user);
  const headers = { "idempotency-key": "once" };
  const body = { url: `${receiver.url}/keyed`, description: "mine" };
  const first = await call("POST", "/webhooks", body, headers);
  const again = await call("POST", "/webhooks", body, headers);
  const { secret, ...webhook } = first.body.data;
  expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  expect(again.body.data).toEqual({ ...webhook, secret: null });
  expect((await call("GET", "/webhooks")).body.data.webhooks).toEqual([webhook]);
  expect((await call("GET", `/webhooks/${webhook.id}`)).body.data).toEqual(webhook);
  expect(refusal(await call("POST", "/webhooks", { ...body, url: `${receiver.url}/x` }, headers))).toBe(
    "409 IDEMPOTENCY_KEY_REUSED",
  );
});

test("a webhook is its owner's alone, and there are as many as the quota allows", async () => {
  const { call, id } = await hooked();
  const stranger = as(stack, await stack.user());
  for (const [method, path, body] of [
    ["GET", "", undefined],
    ["PATCH", "", { enabled: false }],
    ["DELETE", "", undefined],
    ["POST", "/secret", {}],
    ["POST", "/test", undefined],
    ["GET", "/deliveries", undefined],
    ["GET", `/deliveries/${id}`, undefined],
    ["POST", `/deliveries/${id}/redeliver`, undefined],
  ] as const)
    expect(refusal(await stranger(method, `/webhooks/${id}${path}`, body))).toBe("404 WEBHOOK_NOT_FOUND");
  const more = await Promise.all([1, 2, 3, 4].map(() => call("POST", "/webhooks", { url: receiver.url })));
  expect(more.map(({ status }) => status).toSorted()).toEqual([201, 201, 403, 403]);
  expect((await call("GET", "/quotas")).body.data.quotas).toContainEqual(
    expect.objectContaining({ quota: "webhooks_per_user", limit: 3, used: 3 }),
  );
  expect((await call("DELETE", `/webhooks/${id}`)).status).toBe(200);
  expect(refusal(await call("GET", `/webhooks/${id}`))).toBe("404 WEBHOOK_NOT_FOUND");
});

test.each([
  ["ftp://example.com/"],
  ["https://user:secret@example.com/"],
  ["https://example.com/#part"],
  ["https://10.0.0.1/"],
  ["http://[::1]:8080/"],
  ["https://169.254.169.254/latest"],
  ["no address"],
])("the address %s is refused", async (url) => {
  const answer = await as(stack, await stack.user())("POST", "/webhooks", { url });
  expect([refusal(answer), answer.body.data.field]).toEqual(["400 VALIDATION_ERROR", "body.url"]);
});

test("an attempt that fails is made again, in the order of the thing, and the log says how each ended", async () => {
  const { arrived, call, log, project } = await hooked();
  const failed = new Set<string>();
  receiver.answer = ({ id }) => {
    if (failed.has(id)) return new Response("now");
    failed.add(id);
    return new Response("not yet", { status: 503 });
  };
  const made = await project("short-lived");
  await call("DELETE", `/projects/${made.body.data.id}`);
  await until(async () => (await log("status=delivered")).length === 2);
  expect(arrived().map(({ payload }) => payload.type)).toEqual([
    "project.created",
    "project.created",
    "project.deleted",
    "project.deleted",
  ]);
  for (const delivery of await log())
    expect(delivery).toMatchObject({ attempts: 2, response_status: 200, error: null });
});

test("a receiver that answers too late, sends too much or redirects elsewhere has failed, and the log says why", async () => {
  const cases: [() => Response | Promise<Response>, string][] = [
    [() => new Promise<Response>(() => {}), "no answer within 1000 ms"],
    [() => new Response("x".repeat(1_000_000), { status: 500 }), "the receiver answered 500"],
    [
      () => new Response(null, { status: 307, headers: { location: "http://10.1.2.3/" } }),
      "10.1.2.3 has an address of a private network, which this Berth does not allow",
    ],
    [() => new Response(null, { status: 302, headers: { location: "/other" } }), "the receiver answered 302"],
  ];
  for (const [answer, error] of cases) {
    const { project, log, call, id } = await hooked();
    receiver.answer = answer;
    await project("refused");
    const delivery = await until(async () => {
      const [first] = await log();
      return first?.error && first;
    });
    expect(delivery.error).toBe(error);
    expect(delivery.response_body?.length ?? 0).toBeLessThanOrEqual(1_024);
    await call("DELETE", `/webhooks/${id}`);
    receiver.answer = () => new Response("thanks");
  }
});

test("a redirect that keeps the request is followed, and the body is the same", async () => {
  const { arrived, path, project, secret } = await hooked();
  receiver.answer = (one) =>
    one.path === path
      ? new Response(null, { status: 308, headers: { location: `${path}-moved` } })
      : new Response("here");
  await project("moved");
  await until(() => receiver.received.some((one) => one.path === `${path}-moved`));
  const moved = receiver.received.find((one) => one.path === `${path}-moved`);
  expect(moved?.text).toBe(arrived()[0]?.text ?? "");
  expect(moved !== undefined && isSignedWith(secret, moved)).toBe(true);
});

test("a name with an address of another private network is not called", async () => {
  const user = await stack.user();
  const call = as(stack, user);
  // It has ::1 as well, or a port where nobody listens: neither is allowed.
  const { body } = await call("POST", "/webhooks", { url: "https://ip6-localhost/" });
  await call("POST", "/projects", { name: "unreached" });
  const delivery = await until(async () => {
    const [first] = (await call("GET", `/webhooks/${body.data.id}/deliveries`)).body.data.deliveries;
    return first?.error && first;
  });
  expect(delivery.error).toMatch(/^ip6-localhost is unknown, or has an address of a private network/);
});

test("a test delivery says so, and comes out of turn", async () => {
  const { call, id, arrived, secret, log } = await hooked({ event_types: ["project.deleted"] });
  const { body } = await call("POST", `/webhooks/${id}/test`);
  await until(() => arrived().length > 0);
  const [one] = arrived();
  expect(one?.payload).toEqual({
    type: "webhook.test",
    timestamp: expect.any(String),
    data: { webhook_id: id },
  });
  expect(one !== undefined && isSignedWith(secret, one)).toBe(true);
  await until(async () => (await log())[0]?.status === "delivered");
  expect((await log())[0].id).toBe(body.data.delivery_id);
});

test("while a secret is rotated either of two verifies, and none before them", async () => {
  const { call, id, secret, arrived } = await hooked();
  const second = (await call("POST", `/webhooks/${id}/secret`, {})).body.data;
  expect(Date.parse(second.previous_secret_until) - Date.now()).toBeGreaterThan(23 * 60 * 60 * 1000);
  const send = async () => {
    const before = arrived().length;
    await call("POST", `/webhooks/${id}/test`);
    await until(() => arrived().length > before);
    const one = arrived().at(-1);
    if (one === undefined) throw new Error("nothing arrived");
    return (wanted: string) => isSignedWith(wanted, one);
  };
  const rotated = await send();
  expect([secret, second.secret].map(rotated)).toEqual([true, true]);
  const third = (await call("POST", `/webhooks/${id}/secret`, { keep_previous_hours: 0 })).body.data;
  expect(third.previous_secret_until).toBeNull();
  const ended = await send();
  expect([secret, second.secret, third.secret].map(ended)).toEqual([false, false, true]);
});

test("a webhook that fails for as long as attempts are made is switched off, and its owner is told", async () => {
  const { call, id, project, log, arrived } = await hooked();
  receiver.answer = () => new Response("no", { status: 500 });
  await project("lost");
  const off = await until(async () => {
    const { data } = (await call("GET", `/webhooks/${id}`)).body;
    return !data.enabled && data;
  });
  expect(off.disabled_reason).toBe("failing");
  const titles = await until(async () => {
    const { notifications } = (await call("GET", "/notifications/")).body.data;
    return notifications.length > 0 && notifications.map(({ title }: { title: string }) => title);
  });
  expect(titles).toEqual([`A webhook to ${new URL(receiver.url).host} was switched off`]);
  await until(async () => (await log("status=pending")).length === 0);
  expect(refusal(await call("POST", `/webhooks/${id}/test`))).toBe("409 WEBHOOK_DISABLED");
  await project("unseen");
  const unseenAt = Date.now();

  receiver.answer = () => new Response("again");
  const sentBefore = arrived().length;
  // Further apart than the clocks of two hosts may be.
  await until(() => Date.now() - unseenAt > 200);
  await call("PATCH", `/webhooks/${id}`, { enabled: true });
  await project("seen");
  await until(() => arrived().some(({ payload }) => payload.data.data?.name === "seen"));
  expect(
    arrived()
      .slice(sentBefore)
      .map(({ payload }) => payload.data.data.name),
  ).toEqual(["seen"]);

  const lost = (await log("status=failed&event_type=project.created"))[0];
  const { body } = await call("POST", `/webhooks/${id}/deliveries/${lost.id}/redeliver`);
  await until(async () =>
    (await log("status=delivered")).some(({ id: one }) => one === body.data.delivery_id),
  );
  const again = arrived().at(-1);
  expect([again?.id, again?.payload.data.data.name]).toEqual([lost.message_id, "lost"]);
});

test("a member's webhook has the events of what the member may read, until the member is removed", async () => {
  const [owner, member] = [await stack.user({ balance: "100.00" }), await stack.user()];
  const pool = await makePool(stack, owner, "team");
  await join(stack, owner, pool, member, "user");
  const { rental } = await rented(stack, owner, "node-shared");
  await stack.db`UPDATE rentals SET pool_id = ${pool} WHERE id = ${rental.id}`;
  const { arrived, project } = await hooked({ event_types: null }, member);
  const call = as(stack, owner);
  const { body } = await call("POST", "/projects", { name: "web" });
  const make = (name: string) =>
    call("POST", "/containers", { project_id: body.data.id, server_id: rental.server_id, name });
  await make("seen");
  const names = () =>
    arrived()
      .filter(({ payload }) => payload.type === "container.created")
      .map(({ payload }) => payload.data.data.name);
  await until(() => names().length > 0);
  expect(arrived()[0]?.payload.data).not.toHaveProperty("audience");
  await call("DELETE", `/pools/${pool}/members/${member.id}`);
  await make("hidden");
  await project("own");
  await until(() => arrived().some(({ payload }) => payload.type === "project.created"));
  expect(names()).toEqual(["seen"]);
});
