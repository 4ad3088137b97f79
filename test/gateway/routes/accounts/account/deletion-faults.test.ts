import { afterAll, beforeAll, expect, test } from "bun:test";
import { listRemains } from "../../../../../actors/accounts/account/deletion/queries.ts";
import { type MortalHost, mortalHost } from "../../../../harness/killable-host.ts";
import { type Stack, startStack, type TestUser } from "../../../../harness/stack.ts";
import { until } from "../../../../harness/until.ts";
import { as, makePool } from "../pool/team.ts";

let stack: Stack;
let host: MortalHost;
beforeAll(async () => {
  stack = await startStack();
  host = mortalHost(stack);
});
afterAll(() => stack.stop());

const remove = (user: TestUser, fields: object = {}) =>
  as(stack, user)("DELETE", "/auth/account", { current_password: user.password, ...fields });
const isTidied = async ({ id }: TestUser) =>
  (await stack.db`SELECT FROM accounts WHERE id = ${id} AND (deletion ->> 'tidied')::boolean`).length === 1;

test("a deletion is completed by the next actor host, whichever step the host dies before", async () => {
  for (const table of ["transactions", "pools", "payment_methods"]) {
    const user = await stack.user({ balance: "3.00" });
    await makePool(stack, user, "own");
    await as(stack, user)("POST", "/wallet/payment-methods", {
      ...{ type: "card", name: "mine", details: { last4: "4242" } },
    });
    let status = 0;
    await host.dieBefore(table, async () => {
      ({ status } = await remove(user, { forfeit_balance: "3.00" }));
    });
    expect(status).toBe(200);
    await until(() => isTidied(user));
    expect(await listRemains(stack.db, user.id)).toHaveLength(0);
    const given = () => stack.db<{ amount_cents: bigint }[]>`
      SELECT amount_cents FROM transactions WHERE user_id = ${user.id} AND transaction_type = 'forfeit'`;
    await until(async () => (await given()).length > 0);
    expect([...(await given())]).toEqual([{ amount_cents: 300n }]);
  }
});

test("of two administrators who delete themselves at once one remains, who cannot", async () => {
  const [one, two] = [await stack.user({ role: "admin" }), await stack.user({ role: "admin" })];
  const answers = await Promise.all([remove(one), remove(two)]);
  expect(answers.map(({ body }) => body.code ?? "deleted").toSorted()).toEqual([
    "LAST_ADMINISTRATOR",
    "deleted",
  ]);
  const left = answers[0]?.status === 200 ? two : one;
  const refused = await remove(left);
  expect([refused.body.code, refused.body.message]).toEqual([
    "LAST_ADMINISTRATOR",
    expect.stringContaining("berth admin promote"),
  ]);
  const { body } = await as(stack, left)("GET", "/auth/account/deletion");
  expect(body.data.blockers).toEqual([{ kind: "last_administrator", id: null, name: null, until: null }]);
  expect((await as(stack, left)("GET", "/admin/users")).status).toBe(200);

  // Whoever restores an old database has no other way: the next actor host reads it.
  const { id, username, password } = await stack.user();
  await stack.db`UPDATE accounts SET role = 'admin' WHERE id = ${id}`;
  await host.replace();
  const login = () => stack.call("POST", "/api/v1/auth/login", { body: { username, password } });
  await until(async () => (await login()).status === 200);
  const token = (await login()).body.data.access_token;
  expect((await stack.call("GET", "/api/v1/admin/users", { token })).status).toBe(200);
  expect((await remove(left)).status).toBe(200);
  expect((await stack.call("GET", "/api/v1/admin/users", { token })).status).toBe(200);
});
