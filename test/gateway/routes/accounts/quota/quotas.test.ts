import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { newId } from "../../../../../actors/platform/ids.ts";
import { QUOTA_NAMES } from "../../../../../schemas/accounts/quota.ts";
import {
  type Answer,
  type EmbeddedStack,
  startEmbeddedStack,
  type TestUser,
} from "../../../../harness/embedded-stack.ts";
import { SANDBOX_ENV, topUp } from "../../billing/top-up/processors.ts";
import { aliasTenant } from "../../hosting/alias/aliasing.ts";
import { tenant } from "../../hosting/container/hosting.ts";
import { as, makePool } from "../pool/team.ts";

const LIMITS = {
  projects_per_user: 5,
  pools_per_user: 2,
  containers_per_user: 6,
  containers_per_project: 4,
  containers_per_server: 8,
  aliases_per_container: 2,
  aliases_per_server: 3,
  firewall_rules_per_container: 2,
  domains_per_user: 2,
  api_tokens_per_user: 2,
  payment_methods_per_user: 2,
  members_per_pool: 3,
  pending_invitations_per_user: 2,
  open_reservations_per_user: 2,
  open_top_ups_per_user: 2,
};
type Limited = keyof typeof LIMITS;

let stack: EmbeddedStack;
beforeAll(async () => {
  const env = Object.fromEntries(
    Object.entries(LIMITS).map(([quota, limit]) => [`BERTH_QUOTA_${quota.toUpperCase()}`, String(limit)]),
  );
  stack = await startEmbeddedStack({ actorHosts: 2, env: { ...SANDBOX_ENV, ...env } });
});
afterAll(() => stack.stop());

const post = (user: Pick<TestUser, "token">, path: string, body: object, headers = {}) =>
  stack.call("POST", `/api/v1${path}`, { token: user.token, body, headers });

/** Asks for more than the limit at once. */
const flood = (quota: Limited, make: (n: number) => Promise<Answer>): Promise<Answer[]> =>
  Promise.all(Array.from({ length: LIMITS[quota] + 3 }, (_, n) => make(n)));

/** As many as the limit were made, and the others refused by this quota, with its numbers. */
function expectLimited(quota: Limited, scope: string, answers: readonly Answer[]): void {
  const limit = LIMITS[quota];
  const refused = answers.filter(({ status }) => status === 403);
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(limit);
  expect(refused).toHaveLength(answers.length - limit);
  for (const { body } of refused) {
    expect(body).toMatchObject({ code: "QUOTA_EXCEEDED", data: { quota, scope, limit, used: limit } });
    expect(body.message).toContain(`${quota} is reached: ${limit} of ${limit}`);
  }
}

async function quotas(user: Pick<TestUser, "token">, query = "") {
  const { status, body } = await stack.call("GET", `/api/v1/quotas${query}`, { token: user.token });
  expect(status).toBe(200);
  const list: {
    quota: string;
    scope: string;
    scope_id: string | null;
    limit: number;
    used: number | null;
  }[] = body.data.quotas;
  return new Map(list.map((quota) => [quota.quota, quota]));
}

describe("parallel requests never go past the quota of", () => {
  test("projects, pools, API tokens and payment methods of a user", async () => {
    const user = await stack.user();
    expectLimited(
      "projects_per_user",
      "user",
      await flood("projects_per_user", (n) => post(user, "/projects", { name: `p${n}` })),
    );
    expectLimited(
      "pools_per_user",
      "user",
      await flood("pools_per_user", (n) => post(user, "/pools", { name: `p${n}` })),
    );
    expectLimited(
      "api_tokens_per_user",
      "user",
      await flood("api_tokens_per_user", () => post(user, "/auth/tokens", { name: "t", permissions: [] })),
    );
    expectLimited(
      "payment_methods_per_user",
      "user",
      await flood("payment_methods_per_user", (n) =>
        post(user, "/wallet/payment-methods", { type: "bank", name: `m${n}` }),
      ),
    );
  });

  test("top-ups that wait for their payment, and reservations; what is refused is not charged", async () => {
    const user = await stack.user({ balance: "100" });
    const intents = await flood("open_top_ups_per_user", () =>
      topUp(stack, user, { amount: "10", idempotency_key: crypto.randomUUID() }),
    );
    expectLimited("open_top_ups_per_user", "user", intents);
    const offer = newId();
    await stack.actors.offer(offer).create({
      name: "compute-16",
      lead_time_hours: 24,
      pricing_rules: { "7": 500 },
      setup_fee_rules: {},
      setup_fee_cents: 0,
      specs: {},
    });
    const reserved = await flood("open_reservations_per_user", () =>
      post(user, `/offers/${offer}/reserve`, {
        days: 7,
        max_charge_cents: 500,
        idempotency_key: crypto.randomUUID(),
      }),
    );
    expectLimited("open_reservations_per_user", "user", reserved);
    const balances = await stack.call("GET", "/api/v1/wallet/balances", { token: user.token });
    expect(balances.body.data.general_balance).toBe("90.00");
  });

  test("invitations of a user, and members of a pool", async () => {
    const owner = await stack.user();
    const guests = await Promise.all(Array.from({ length: 6 }, () => stack.user()));
    const poolId = await makePool(stack, owner, "team");
    const invite = (n: number) =>
      post(owner, `/pools/${poolId}/members`, { username: guests[n]?.username, role: "user" });
    const invited = await flood("pending_invitations_per_user", invite);
    expectLimited("pending_invitations_per_user", "user", invited);
    // Accepted invitations leave room for others, until the pool is full.
    for (const [n, { status, body }] of invited.entries())
      if (status === 201) await post(guests[n] as TestUser, `/pools/${body.data.id}/accept`, {});
    const left = guests.filter((_, n) => invited[n]?.status !== 201);
    const more = [];
    for (const { username } of left)
      more.push(await post(owner, `/pools/${poolId}/members`, { username, role: "user" }));
    expect(more.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(more.at(-1)?.body.data).toEqual({ quota: "members_per_pool", scope: "pool", limit: 3, used: 3 });
    const use = await quotas(owner, `?pool_id=${poolId}`);
    expect(use.get("members_per_pool")).toMatchObject({ scope_id: poolId, limit: 3, used: 3 });
    expect(use.get("pending_invitations_per_user")).toMatchObject({ used: 1 });
    // A full pool takes in whom it has invited.
    const last = more.find(({ status }) => status === 201);
    const guest = left[more.indexOf(last as Answer)] as TestUser;
    expect((await post(guest, `/pools/${last?.body.data.id}/accept`, {})).status).toBe(200);
  });

  test("containers of a project, a user and a server, and of aliases", async () => {
    const ours = await tenant(stack, "quota-server");
    const inProject = await flood("containers_per_project", (n) => ours.create(`a${n}`));
    expectLimited("containers_per_project", "project", inProject);
    const second = (await post(ours, "/projects", { name: "second" })).body.data.id;
    const others = await Promise.all(
      Array.from({ length: 4 }, (_, n) => ours.create(`b${n}`, { project_id: second })),
    );
    expect(others.filter(({ status }) => status === 201)).toHaveLength(2);
    expect(others.find(({ status }) => status === 403)?.body.data).toEqual({
      quota: "containers_per_user",
      scope: "user",
      limit: 6,
      used: 6,
    });

    const [first, next] = inProject.filter(({ status }) => status === 201).map(({ body }) => body.data.id);
    const alias = (container_id: string, index: number) =>
      post(ours, "/proxy/aliases", { container_id, program: "http", index });
    expectLimited(
      "aliases_per_container",
      "container",
      await flood("aliases_per_container", (n) => alias(first, n + 1)),
    );
    expect((await alias(next, 80)).status).toBe(201);
    expect((await alias(next, 81)).body.data).toEqual({
      quota: "aliases_per_server",
      scope: "server",
      limit: 3,
      used: 3,
    });

    // Deleting frees at once for the user and the project; for the server when it has removed the container.
    const { serverId, projectId } = ours;
    const named = `?project_id=${projectId}&server_id=${serverId}&container_id=${next}`;
    await ours.call("DELETE", `/${first}`);
    const use = await quotas(ours, named);
    expect(Object.fromEntries([...use].map(([name, { used }]) => [name, used]))).toMatchObject({
      projects_per_user: 2,
      containers_per_user: 5,
      containers_per_project: 3,
      containers_per_server: 6,
      aliases_per_container: 1,
      aliases_per_server: 1,
      firewall_rules_per_container: 0,
    });
    expect((await ours.create("a-again")).status).toBe(201);
    for (const n of [1, 2]) {
      const { body } = await ours.create(`c${n}`);
      expect(body.data.quota).toBe("containers_per_project");
      const deleted = (await ours.call("GET", "")).body.data.containers.find(
        (container: { project_id: string; state: string }) =>
          container.project_id === projectId && container.state !== "deleted",
      );
      await ours.call("DELETE", `/${deleted.id}`);
      const answer = await ours.create(`d${n}`);
      expect(answer.status === 201 ? 201 : answer.body.data.quota).toBe(
        n === 1 ? 201 : "containers_per_server",
      );
    }
  });
});

test("parallel requests never go past the quota of own domains, over all aliases of a user", async () => {
  const [owner, other] = await Promise.all([
    aliasTenant(stack, "domains-1"),
    aliasTenant(stack, "domains-2"),
  ]);
  const aliases = await Promise.all([owner.exposed(), owner.exposed()]);
  const add = (n: number) =>
    owner.aliases("POST", `/${aliases[n % 2].id}/domains`, { domain: `shop-${n}.example.com` });
  expectLimited("domains_per_user", "user", await flood("domains_per_user", add));
  const { id } = await other.exposed();
  expect((await other.aliases("POST", `/${id}/domains`, { domain: "shop-9.example.com" })).status).toBe(201);
});

test("a key that comes again is answered though the quota is reached, and a refused key counts for nothing", async () => {
  const user = await stack.user();
  const key = { "idempotency-key": crypto.randomUUID() };
  const first = await post(user, "/projects", { name: "first" }, key);
  for (let n = 2; n <= LIMITS.projects_per_user; n++) await post(user, "/projects", { name: `p${n}` });
  expect((await post(user, "/projects", { name: "first" }, key)).body.data.id).toBe(first.body.data.id);
  const refusedKey = { "idempotency-key": crypto.randomUUID() };
  expect((await post(user, "/projects", { name: "one-more" }, refusedKey)).body.code).toBe("QUOTA_EXCEEDED");
  expect(
    (await stack.call("DELETE", `/api/v1/projects/${first.body.data.id}`, { token: user.token })).status,
  ).toBe(200);
  expect((await post(user, "/projects", { name: "one-more" }, refusedKey)).status).toBe(201);
});

test("one user's quota is not another's", async () => {
  const [a, b] = await Promise.all([stack.user(), stack.user()]);
  await flood("projects_per_user", (n) => post(a, "/projects", { name: `p${n}` }));
  expect((await post(b, "/projects", { name: "mine" })).status).toBe(201);
  expect((await quotas(b)).get("projects_per_user")).toMatchObject({ scope_id: b.id, limit: 5, used: 1 });
});

test("the list names every quota, and says what is used of those that it is asked about", async () => {
  const user = await stack.user();
  const list = await quotas(user);
  expect([...list.keys()].toSorted()).toEqual(QUOTA_NAMES.toSorted());
  expect(list.get("sessions_per_user")).toMatchObject({ scope: "user", scope_id: user.id, used: 1 });
  expect(list.get("containers_per_server")).toMatchObject({
    scope: "server",
    scope_id: null,
    limit: 8,
    used: null,
  });
  for (const [quota, limit] of Object.entries(LIMITS)) expect(list.get(quota)?.limit).toBe(limit);
});

test("what belongs to others has no quotas to see", async () => {
  const theirs = await tenant(stack, "their-server");
  const { body } = await theirs.create("theirs");
  const poolId = await makePool(stack, theirs.user, "theirs");
  const stranger = as(stack, await stack.user());
  for (const [name, id] of Object.entries({
    project_id: theirs.projectId,
    server_id: theirs.serverId,
    container_id: body.data.id,
    pool_id: poolId,
  })) {
    const [ofTheirs, ofNone] = await Promise.all(
      [id, newId()].map((each) => stranger("GET", `/quotas?${name}=${each}`)),
    );
    expect(ofTheirs?.status).toBe(404);
    expect(ofTheirs?.body).toEqual(ofNone?.body);
    expect((await stranger("GET", `/quotas?${name}=x`)).body.data.field).toBe(`query.${name}`);
  }
});
