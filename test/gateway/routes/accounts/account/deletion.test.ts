import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { listRemains, type Remain } from "../../../../../actors/accounts/account/deletion/queries.ts";
import { newId } from "../../../../../actors/platform/ids.ts";
import { type SharedStack, sharedStack, type TestUser } from "../../../../harness/shared-stack.ts";
import { until } from "../../../../harness/until.ts";
import { tenant } from "../../hosting/container/hosting.ts";
import { inStock, rent } from "../../market/stock.ts";
import { as, join, makePool } from "../pool/team.ts";
import { codeOf, setUpTotp } from "./second-factor.ts";

let stack: SharedStack;
beforeAll(async () => {
  stack = await sharedStack();
});
afterAll(() => stack.stop());

const remove = (user: TestUser, fields: object = {}, headers = {}) =>
  as(stack, user)("DELETE", "/auth/account", { current_password: user.password, ...fields }, headers);
const isTidied = async ({ id }: TestUser) =>
  (await stack.db`SELECT FROM accounts WHERE id = ${id} AND (deletion ->> 'tidied')::boolean`).length === 1;
const kindsOf = (remains: readonly Remain[]) => remains.map(({ kind }) => kind).toSorted();
const signUp = (username: string, email: string) =>
  stack.call("POST", "/api/v1/auth/signup", { body: { username, email, password: "a long enough one" } });

/** Everything that ends with an account, and nothing that keeps it. */
async function furnish(user: TestUser): Promise<void> {
  const call = as(stack, user);
  const [host, friend] = await Promise.all([tenant(stack, await stack.serverName()), stack.user()]);
  const container = await host.container("entered-by-permission");
  await as(stack, host.user)("POST", `/containers/${container}/permissions`, { username: user.username });
  await join(stack, friend, await makePool(stack, friend, "theirs"), user, "user");
  const invited = await makePool(stack, friend, "other");
  await as(stack, friend)("POST", `/pools/${invited}/members`, { username: user.username, role: "user" });
  const own = await makePool(stack, user, "own");
  await call("POST", `/pools/${own}/members`, { username: friend.username, role: "user" });
  await call("POST", "/projects", { name: "empty" });
  await call("POST", "/webhooks", { url: "https://example.com/hook" });
  await call("POST", "/wallet/payment-methods", { type: "card", name: "mine", details: { last4: "4242" } });
  const notice = { title: "a", body: "b", level: "info" as const, public: false, page: null, event: null };
  await stack.actors.inbox(user.id).post({ id: newId(), ...notice });
  await stack.actors
    .codehost_account(user.id)
    .link({ identity_id: user.id.repeat(3).slice(0, 64), username: "octo" });
}

describe("an account is deleted", () => {
  let user: TestUser;
  let apiToken: string;
  let code: string;
  beforeAll(async () => {
    user = await stack.user({ balance: "12.50" });
    await furnish(user);
    const { secret } = await setUpTotp(stack, user);
    code = codeOf(secret, 1);
    const made = { name: "ci", permissions: ["resources.read_account"] };
    apiToken = (await as(stack, user)("POST", "/auth/tokens", made)).body.data.token;
    expect([...new Set(kindsOf(await listRemains(stack.db, user.id)))]).toEqual([
      ...(["codehost_link", "invitation", "membership", "notification", "own_invitation"] as const),
      ...(["payment_method", "permission", "pool", "project", "webhook"] as const),
    ]);
  });

  test("with its password and second factor, and what is left of its balance given up", async () => {
    const { body } = await as(stack, user)("GET", "/auth/account/deletion");
    expect(body.data).toMatchObject({ blockers: [], general_balance: "12.50" });
    const wrong = await as(stack, user)("DELETE", "/auth/account", { current_password: "no" });
    expect(wrong.body.code).toBe("WRONG_PASSWORD");
    expect((await remove(user, { forfeit_balance: "12.50" })).body.code).toBe("SECOND_FACTOR_WRONG");
    const less = await remove(user, { code, forfeit_balance: "12.49" });
    expect([less.status, less.body.code, less.body.data]).toEqual([
      ...[409, "BALANCE_LEFT"],
      { field: "body.forfeit_balance", general_balance: "12.50" },
    ] as never);
    // A refusal has used up nothing: the same code proves it again.
    const deleted = await remove(user, { code, forfeit_balance: "12.50" });
    expect([deleted.status, deleted.body.data.kept]).toEqual([200, ["invoices", "transactions", "audit"]]);
  });

  test("and nothing lets anybody in as it any more", async () => {
    expect((await as(stack, user)("GET", "/auth/me")).status).toBe(401);
    expect((await stack.call("GET", "/api/v1/auth/me", { token: apiToken })).status).toBe(401);
    expect((await remove(user)).status).toBe(401);
    const refresh_token = user.refreshToken;
    expect((await stack.call("POST", "/api/v1/auth/refresh", { body: { refresh_token } })).status).toBe(401);
    for (const name of [user.username, `deleted-${user.id}`]) {
      const body = { username: name, password: user.password };
      expect((await stack.call("POST", "/api/v1/auth/login", { body })).body.code).toBe(
        "INVALID_CREDENTIALS",
      );
    }
  });

  test("and what it left elsewhere ends, while the books stay", async () => {
    await until(() => isTidied(user));
    expect(kindsOf(await listRemains(stack.db, user.id))).toEqual([]);
    await until(async () => {
      const [row] = await stack.db<{ cents: bigint }[]>`
        SELECT general_cents AS cents FROM wallets WHERE user_id = ${user.id}`;
      return row?.cents === 0n;
    });
    const books = await stack.db<{ transaction_type: string; amount_cents: bigint }[]>`
      SELECT transaction_type, amount_cents FROM transactions WHERE user_id = ${user.id} ORDER BY created_at, id`;
    expect([...books]).toEqual([
      { transaction_type: "credit", amount_cents: 1_250n },
      { transaction_type: "forfeit", amount_cents: 1_250n },
    ]);
    const [account] =
      await stack.db`SELECT username, email, password_hash FROM accounts WHERE id = ${user.id}`;
    expect({ ...account }).toEqual({
      ...{ username: `deleted-${user.id}`, email: `${user.id}@deleted.invalid`, password_hash: "" },
    });
    const operator = as(stack, await stack.user({ role: "admin" }));
    const { data } = (await operator("GET", `/admin/users/${user.id}`)).body;
    expect([data.status, data.general_balance, data.api_tokens]).toEqual(["deleted", "0.00", 0]);
    const shown = (await operator("GET", `/admin/users/${user.id}/transactions`)).body.data.transactions;
    expect(shown.map(({ transaction_type: type }: { transaction_type: string }) => type)).toEqual([
      "forfeit",
      "credit",
    ]);
    const acts = await stack.db<{ act: string }[]>`SELECT act FROM audit_entries WHERE user_id = ${user.id}`;
    expect(acts.map(({ act }) => act)).toContain("account_deleted");
    for (const act of ["suspend", "restore", "recovery"])
      expect((await operator("POST", `/admin/users/${user.id}/${act}`, { reason: "test" })).status).toBe(404);
    const credit = { amount: "1.00", reason: "late", idempotency_key: "late" };
    expect((await operator("POST", `/admin/wallets/${user.id}/credit`, credit)).status).toBe(404);
  });

  test("and its e-mail address is free, while its name is nobody's", async () => {
    const taken = await signUp(user.username.toUpperCase(), "somebody@example.com");
    expect(taken.body.code).toBe("USERNAME_TAKEN");
    expect((await signUp(`${user.username}-2`, `${user.username}@example.com`)).status).toBe(201);
  });
});

test("a deletion is refused while the account rents, has things or pays, and says what is in the way", async () => {
  const { user, container, serverId, projectId } = await tenant(stack, await stack.serverName());
  const call = as(stack, user);
  const id = await container("web");
  const share = { project_id: projectId, server_id: serverId, name: "data", size_bytes: 2 ** 30 };
  await call("POST", "/storage-shares", share);
  await call("POST", "/proxy/aliases", { container_id: id, program: "terminal" });
  await join(stack, user, await makePool(stack, user, "team"), await stack.user(), "user");
  await stack.actors.top_up(newId()).create({
    ...{ user_id: user.id, provider: "cardpay", amount: "5.00", lifetime_ms: 600_000 },
    ...{ min_cents: 100, max_cents: 1_000 },
  });
  const { body } = await call("GET", "/auth/account/deletion");
  const kinds = body.data.blockers.map(({ kind }: { kind: string }) => kind).toSorted();
  expect(kinds).toEqual(["alias", "container", "payment", "pool", "rental", "storage_share"]);
  const refused = await remove(user);
  expect([refused.status, refused.body.code]).toEqual([409, "ACCOUNT_IN_USE"]);
  expect(refused.body.data.blockers).toEqual(body.data.blockers);
  expect((await call("GET", "/auth/me")).status).toBe(200);
});

test("of a rent and a deletion at the same moment one holds", async () => {
  for (let round = 0; round < 4; round++) {
    const user = await stack.user({ balance: "7.00" });
    const serverId = await inStock(stack, `raced-${user.id}`);
    const [rented, deleted] = await Promise.all([
      rent(stack, user, serverId, { rental_days: 7, max_charge_cents: 700 }),
      remove(user, round % 2 === 0 ? { forfeit_balance: "7.00" } : {}),
    ]);
    const rentals = await stack.db`SELECT FROM rentals WHERE user_id = ${user.id} AND status = 'active'`;
    expect([rented.status, deleted.status, rentals.length]).toEqual(
      deleted.status === 200 ? [rented.status, 200, 0] : [201, 409, 1],
    );
    if (deleted.status === 200) expect(rented.status).toBeGreaterThanOrEqual(400);
    else expect(["ACCOUNT_IN_USE", "BALANCE_LEFT"]).toContain(deleted.body.code);
  }
});

test("nobody has the name or the address of a deleted account, which would stand in the way of a deletion", async () => {
  const [user, other] = [await stack.user(), await stack.user()];
  const email = `${user.id}@Deleted.invalid`;
  for (const [{ status, body }, field] of [
    [await signUp(`Deleted-${user.id}`, "somebody-new@example.com"), "body.username"],
    [await signUp("somebody-new", email), "body.email"],
    [await as(stack, other)("PUT", "/auth/email", { current_password: other.password, email }), "body.email"],
  ] as const)
    expect([status, body.code, body.data?.field]).toEqual([400, "VALIDATION_ERROR", field]);
  expect((await remove(user)).status).toBe(200);
});

test("what is made at the moment of the deletion is refused, or ends with it", async () => {
  const user = await stack.user();
  const call = as(stack, user);
  const made = await Promise.all([
    ...Array.from({ length: 4 }, (_, n) => call("POST", "/projects", { name: `p${n}` })),
    remove(user),
    ...Array.from({ length: 4 }, (_, n) => call("POST", "/webhooks", { url: `https://example.com/${n}` })),
    ...Array.from({ length: 4 }, (_, n) => call("POST", "/pools", { name: `pool${n}` })),
  ]);
  for (const { status } of made) expect([200, 201, 401, 404]).toContain(status);
  await until(() => isTidied(user));
  expect(await listRemains(stack.db, user.id)).toHaveLength(0);
});

test("an operator deletes an account under the same rules, once under a key, and no administrator's", async () => {
  const [operator, other, user] = [
    await stack.user({ role: "admin" }),
    await stack.user({ role: "admin" }),
    await stack.user({ balance: "1.00" }),
  ];
  const call = as(stack, operator);
  const path = `/admin/users/${user.id}`;
  const preview = (await call("GET", `${path}/deletion`)).body.data;
  expect(preview).toEqual((await as(stack, user)("GET", "/auth/account/deletion")).body.data);
  expect((await call("GET", `/admin/users/${other.id}/deletion`)).body.code).toBe("INSUFFICIENT_PERMISSIONS");
  expect((await call("DELETE", path, { reason: "asked by letter" })).body.code).toBe("BALANCE_LEFT");
  const key = { "idempotency-key": crypto.randomUUID() };
  const body = { reason: "asked by letter", forfeit_balance: "1.00" };
  const [first, again] = [await call("DELETE", path, body, key), await call("DELETE", path, body, key)];
  expect([first.status, again.status, again.body.data]).toEqual([200, 200, first.body.data]);
  expect((await call("DELETE", path, body)).body.code).toBe("USER_NOT_FOUND");
  expect((await call("GET", `${path}/deletion`)).body.code).toBe("USER_NOT_FOUND");
  expect((await call("DELETE", `/admin/users/${other.id}`, body)).body.code).toBe("INSUFFICIENT_PERMISSIONS");
  const { data } = (await call("GET", `/admin/audit?act=account_deleted&user_id=${user.id}`)).body;
  expect(data.entries).toMatchObject([{ by_id: operator.id, data: body }]);
});
