import { afterAll, beforeAll, expect, test } from "bun:test";
import { newId } from "../../../../actors/platform/ids.ts";
import { AUDIT_ACTS, PRIVILEGED_ACTS } from "../../../../schemas/accounts/audit.ts";
import { type SharedStack, sharedStack, type TestUser } from "../../../harness/shared-stack.ts";
import { as } from "../accounts/pool/team.ts";

let stack: SharedStack;
let operator: TestUser;
beforeAll(async () => {
  stack = await sharedStack();
  operator = await stack.user({ role: "admin" });
});
afterAll(() => stack.stop());

const audit = async (query: string) =>
  (await as(stack, operator)("GET", `/admin/audit?${query}`)).body.data.entries;
const act = (method: string, path: string, body?: object, requestId: string = crypto.randomUUID()) =>
  as(stack, operator)(method, path, body, { "x-request-id": requestId });

test("each act of an administrator is in the audit log: who, what, whom, when, by which request", async () => {
  const user = await stack.user();
  const name = `audited-${user.id.slice(-12)}`;
  const prices = { prices: { "30": 900 } };
  const key = { idempotency_key: "k" };
  await act("POST", `/admin/wallets/${user.id}/credit`, { amount: "5", reason: "sorry", ...key }, "gift-1");
  // A repeated request is no second act.
  await act("POST", `/admin/wallets/${user.id}/credit`, { amount: "5", reason: "sorry", ...key }, "gift-2");
  await act("POST", "/auth/impersonate", { user_id: user.id, reason: "ticket" });
  await act("POST", `/admin/users/${user.id}/recovery`, { reason: "phoned" });
  const notice = (await act("POST", "/admin/notifications", { title: "t", body: "b", user_id: user.id })).body
    .data;
  await act("DELETE", `/admin/notifications/${notice.id}`);
  const server = (await act("POST", "/admin/servers", { name, specs: {} })).body.data.id;
  await act("PATCH", `/admin/servers/${server}`, prices);
  await act("DELETE", `/admin/servers/${server}`);
  const offered = { name: "o", lead_time_hours: 1, pricing_rules: {}, specs: {} };
  const offer = (await act("POST", "/admin/offers", offered)).body.data.id;
  await act("PATCH", `/admin/offers/${offer}`, { lead_time_hours: 2 });
  await act("DELETE", `/admin/offers/${offer}`);

  const entries = await audit(`by_id=${operator.id}`);
  expect(entries.map((entry: { act: string }) => entry.act)).toEqual([
    "offer_withdrawn",
    "offer_updated",
    "offer_added",
    "server_removed",
    "server_updated",
    "server_added",
    "notification_deleted",
    "notification_sent",
    "recovery_started",
    "impersonated",
    "wallet_credited",
  ]);
  expect(entries.at(-1)).toMatchObject({
    by: operator.username,
    by_id: operator.id,
    user_id: user.id,
    user: user.username,
    data: { amount: "5.00", reason: "sorry" },
    request_id: "gift-1",
    address: stack.address,
    created_at: expect.stringMatching(/Z$/),
  });
  const updated = await audit(`resource_id=${server}&act=server_updated`);
  expect(updated).toMatchObject([{ user_id: null, data: { name, ...prices } }]);
  expect(await audit("request_id=gift-1&act=server_added")).toEqual([]);
  expect((await audit(`user_id=${user.id}`)).length).toBe(5);
  expect(await audit(`by_id=${operator.id}&end_date=2020-01-01T00:00:00Z`)).toEqual([]);
});

test("an act that is refused leaves no entry, and a sign-in is none", async () => {
  const user = await stack.user();
  const refused = await act("POST", `/admin/users/${user.id}/restore`, { reason: "none" });
  expect(refused.status).toBe(409);
  await stack.call("POST", "/api/v1/auth/login", {
    body: { username: user.username, password: user.password },
  });
  expect(await audit(`user_id=${user.id}`)).toEqual([]);
});

test("the user reads the acts that concern the account, without the administrator's address", async () => {
  const user = await stack.user();
  await act("POST", `/admin/users/${user.id}/suspend`, { reason: "spam" });
  await act("POST", `/admin/users/${user.id}/restore`, { reason: "an error" });
  const { username, password } = user;
  const session = await stack.call("POST", "/api/v1/auth/login", { body: { username, password } });
  const { body } = await stack.call("GET", "/api/v1/auth/audit?act=suspended", {
    token: session.body.data.access_token,
  });
  expect(body.data.entries).toHaveLength(1);
  expect(body.data.entries[0]).toMatchObject({ by: operator.username, data: { reason: "spam" } });
  expect(Object.keys(body.data.entries[0])).not.toContain("address");
});

test("bad filters are refused by name, and everybody else entirely", async () => {
  for (const query of ["act=nothing", "by_id=x", "start_date=yesterday", "colour=red"]) {
    const { status, body } = await as(stack, operator)("GET", `/admin/audit?${query}`);
    expect([status, body.data.field]).toEqual([400, `query.${query.split("=")[0]}`]);
  }
  const user = await stack.user();
  expect((await as(stack, user)("GET", "/admin/audit")).body.code).toBe("INSUFFICIENT_PERMISSIONS");
});

test("a user reads every act that can be in the log of an account, and an administrator every privileged one", async () => {
  const user = await stack.user();
  const write = (act: string, privileged: boolean) => stack.db`
    INSERT INTO audit_entries (id, user_id, by_id, act, data, privileged, created_at)
    VALUES (${newId()}, ${user.id}, ${operator.id}, ${act}, '{}', ${privileged}, now())`;
  const isPrivileged = (act: string) => PRIVILEGED_ACTS.some((one) => one === act);
  for (const act of AUDIT_ACTS) await write(act, isPrivileged(act));
  const { status, body } = await as(stack, user)("GET", "/auth/audit?limit=100");
  expect(status).toBe(200);
  expect(body.data.entries.map(({ act }: { act: string }) => act)).toEqual(
    expect.arrayContaining([...AUDIT_ACTS]),
  );
  for (const act of PRIVILEGED_ACTS.filter((one) => !AUDIT_ACTS.some((own) => own === one)))
    await write(act, true);
  const read = await audit(`user_id=${user.id}&limit=100`);
  expect(read.map(({ act }: { act: string }) => act)).toEqual(expect.arrayContaining([...PRIVILEGED_ACTS]));
});
