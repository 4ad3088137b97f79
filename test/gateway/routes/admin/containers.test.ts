import { afterAll, beforeAll, expect, test } from "bun:test";
import { type SharedStack, sharedStack, type TestUser } from "../../../harness/shared-stack.ts";
import { as } from "../accounts/pool/team.ts";
import { tenant } from "../hosting/container/hosting.ts";
import { inStock, rented } from "../market/stock.ts";

let stack: SharedStack;
let operator: TestUser;
let server: string;
let ours: Awaited<ReturnType<typeof tenant>>;
beforeAll(async () => {
  stack = await sharedStack();
  operator = await stack.user({ role: "admin" });
  server = await stack.serverName();
  ours = await tenant(stack, server);
});
afterAll(() => stack.stop());

const list = async (path: string) => (await as(stack, operator)("GET", path)).body.data;
const containers = async (query: string) => {
  const { containers: found, count } = await list(`/admin/containers?${query}`);
  expect(count).toBe(found.length);
  return found as { id: string; name: string }[];
};

test("an administrator sees the containers of all users with their users and hosts, and nothing of what is in them", async () => {
  const { body } = await ours.create("inventory", { image: "registry.example/acme/shop:1" });
  const [found, ...others] = await containers(`user_id=${ours.user.id}`);
  expect(others).toEqual([]);
  expect(found as object).toEqual({
    id: body.data.id,
    name: "inventory",
    user_id: ours.user.id,
    username: ours.user.username,
    project_id: ours.projectId,
    server_id: ours.serverId,
    server_name: server,
    subserver_name: null,
    image: "registry.example/acme/shop:1",
    state: "creating",
    error: null,
    restarts: 0,
    created_at: expect.stringMatching(/Z$/),
  });
  const of = `user_id=${ours.user.id}`;
  for (const [query, expected] of [
    [`host=${server}`, 1],
    ["host=elsewhere", 0],
    [`server_id=${ours.serverId}`, 1],
    ["state=running", 0],
    ["state=creating", 1],
    ["search=INVENT", 1],
    ["search=acme/shop", 1],
    [`search=${ours.user.username.toUpperCase()}`, 1],
    [`search=${body.data.id}`, 1],
    ["search=%25", 0],
  ] as const)
    expect([query, (await containers(`${of}&${query}`)).length]).toEqual([query, expected]);
  const wrong = await as(stack, operator)("GET", "/admin/containers?state=asleep");
  expect([wrong.status, wrong.body.data.field]).toEqual([400, "query.state"]);
  const refused = await as(stack, ours.user)("GET", "/admin/containers");
  expect([refused.status, refused.body.code]).toEqual([403, "INSUFFICIENT_PERMISSIONS"]);
  await ours.call("DELETE", `/${body.data.id}`);
  expect(await containers(of)).toEqual([]);
});

test("the stock says who rents each server and until when, and is narrowed to one user's", async () => {
  const user = await stack.user({ balance: "100.00" });
  const name = `rented-${crypto.randomUUID().slice(0, 8)}`;
  const { rental } = await rented(stack, user, name);
  const free = `free-${crypto.randomUUID().slice(0, 8)}`;
  await inStock(stack, free);
  const [found, ...others] = (await list(`/admin/servers?user_id=${user.id}`)).servers;
  expect(others).toEqual([]);
  expect([found.name, found.renter]).toEqual([
    name,
    {
      ...{ user_id: user.id, username: user.username },
      ...{ rental_end: rental.rental_end, awaits_delivery: false },
    },
  ]);
  expect((await list(`/admin/servers?search=${free}`)).servers[0].renter).toBeNull();
  expect((await list(`/admin/servers?search=${free}&status=rented`)).servers).toEqual([]);
});

test("an administrator reads a user's reservations and invoices, and those of nobody are 404", async () => {
  const user = await stack.user({ balance: "100.00" });
  const offer = await as(stack, operator)("POST", "/admin/offers", {
    name: "o",
    lead_time_hours: 24,
    pricing_rules: { "7": 700 },
    specs: {},
  });
  const order = { days: 7, max_charge_cents: 700, idempotency_key: "one" };
  const reserved = await as(stack, user)("POST", `/offers/${offer.body.data.id}/reserve`, order);
  const { id, transaction_id } = reserved.body.data;
  await as(stack, operator)("POST", `/admin/reservations/${id}/cancel`);
  const { reservations, total } = await list(`/admin/users/${user.id}/reservations`);
  expect([total, reservations[0].id, reservations[0].status]).toEqual([1, id, "cancelled"]);
  const issued = await as(stack, user)("POST", `/wallet/invoices/generate/${transaction_id}`);
  const { invoices } = await list(`/admin/users/${user.id}/invoices`);
  expect(invoices.map((one: { id: string }) => one.id)).toEqual([issued.body.data.invoice_id]);
  for (const part of ["reservations", "invoices"]) {
    const missing = await as(stack, operator)("GET", `/admin/users/${"0".repeat(24)}/${part}`);
    expect([missing.status, missing.body.code]).toEqual([404, "USER_NOT_FOUND"]);
  }
});
