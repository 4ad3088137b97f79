import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { SHARE_BYTES } from "../../schemas/hosting/storage-share.ts";
import { type SharedStack, sharedStack, type TestUser } from "../harness/shared-stack.ts";
import { as } from "./routes/accounts/pool/team.ts";
import { tenant } from "./routes/hosting/container/hosting.ts";
import { imageFields } from "./routes/hosting/image/catalogue.ts";
import { inStock } from "./routes/market/stock.ts";

/** What docs/api.md says of keys and of things that have been deleted since. */

type Made = { readonly by: TestUser; readonly path: string; readonly body: object };

let stack: SharedStack;
let operator: TestUser;
let made: Record<string, Made>;
beforeAll(async () => {
  stack = await sharedStack();
  operator = await stack.user({ role: "admin" });
  const [ours, friend] = await Promise.all([tenant(stack, await stack.serverName()), stack.user()]);
  const { user, projectId: project_id, serverId: server_id } = ours;
  const call = as(stack, user);
  const container = await ours.container("box");
  const share = { project_id, server_id, size_bytes: SHARE_BYTES.minimum };
  const pool = (await call("POST", "/pools", { name: "team" })).body.data.id;
  const kept = (await call("POST", "/storage-shares", { ...share, name: "kept" })).body.data.id;
  const own = (path: string, body: object): Made => ({ by: user, path, body });
  const operated = (path: string, body: object): Made => ({ by: operator, path, body });
  made = {
    project: own("/projects", { name: "p" }),
    pool: own("/pools", { name: "p" }),
    token: own("/auth/tokens", { name: "t", permissions: [] }),
    webhook: own("/webhooks", { url: "https://hooks.invalid/" }),
    "payment method": own("/wallet/payment-methods", { type: "bank", name: "m" }),
    container: own("/containers", { project_id, server_id, name: "c" }),
    share: own("/storage-shares", { ...share, name: "data" }),
    snapshot: own(`/storage-shares/${kept}/snapshots`, { name: "s" }),
    alias: own("/proxy/aliases", { container_id: container, program: "http", index: 1 }),
    permission: own(`/containers/${container}/permissions`, { username: friend.username }),
    member: own(`/pools/${pool}/members`, { username: friend.username, role: "user" }),
    image: operated("/admin/images", imageFields()),
    host: operated("/admin/hosts", { name: await stack.serverName() }),
    offer: operated("/admin/offers", {
      ...{ name: "o", pricing_rules: { "7": 100 }, lead_time_hours: 1, specs: {} },
    }),
    notification: operated("/admin/notifications", { user_id: user.id, title: "t", body: "b" }),
  };
});
afterAll(() => stack.stop());

describe("under the same keys", () => {
  test.each([
    ["project", 404, 201],
    ["pool", 404, 404],
    ["token", 200, 201],
    ["webhook", 200, 201],
    ["payment method", 200, 201],
    ["container", 404, 404],
    ["share", 200, 404],
    ["snapshot", 200, 201],
    ["alias", 404, 201],
    ["permission", 200, 201],
    ["member", 200, 201],
    ["image", 200, 404],
    ["host", 404, 404],
    ["offer", 200, 201],
    ["notification", 404, 201],
  ])(
    "the deletion of a %s is %d when repeated, and its create after that %d",
    async (kind, deletion, create) => {
      const { by, path, body } = made[kind] as Made;
      const call = as(stack, by);
      const key = { "idempotency-key": crypto.randomUUID() };
      const first = await call("POST", path, body, key);
      expect(first.status).toBe(201);
      const id = kind === "member" ? first.body.data.user_id : first.body.data.id;
      const remove = () => call("DELETE", `${path}/${id}`, undefined, key);
      expect([(await remove()).status, (await remove()).status]).toEqual([200, deletion]);
      const again = await call("POST", path, body, key);
      expect(again.status).toBe(create);
      // Nothing is made a second time: what the reply shows is what was deleted.
      if (create === 201) expect(again.body.data.id).toBe(first.body.data.id);
    },
  );

  test("the deletion of a server of the stock is 200 when repeated", async () => {
    const id = await inStock(stack, await stack.serverName());
    const key = { "idempotency-key": crypto.randomUUID() };
    const remove = () => as(stack, operator)("DELETE", `/admin/servers/${id}`, undefined, key);
    expect([(await remove()).status, (await remove()).status]).toEqual([200, 200]);
  });
});

test.each([
  ["token", "token"],
  ["webhook", "secret"],
  ["host", "token"],
])("a repeated create of a %s has no %s: it is in the first reply alone", async (kind, secret) => {
  const { by, path, body } = made[kind] as Made;
  const key = { "idempotency-key": crypto.randomUUID() };
  const fields = "name" in body ? { ...body, name: await stack.serverName() } : body;
  const create = async () => (await as(stack, by)("POST", path, fields, key)).body.data;
  const [first, again] = [await create(), await create()];
  expect(first[secret]).toEqual(expect.any(String));
  expect([again.id, again[secret]]).toEqual([first.id, null]);
});
