import { afterAll, beforeAll, expect, test } from "bun:test";
import { type SharedStack, sharedStack, type TestUser } from "../../harness/shared-stack.ts";
import { as } from "../routes/accounts/pool/team.ts";
import { tenant } from "../routes/hosting/container/hosting.ts";
import { inCatalogue } from "../routes/hosting/image/catalogue.ts";

/** Lists of things that have names are searched by them. */

let stack: SharedStack;
let user: TestUser;
let operator: TestUser;
let server: string;
let shareId: string;
beforeAll(async () => {
  stack = await sharedStack();
  server = await stack.serverName();
  const ours = await tenant(stack, server);
  ({ user } = ours);
  operator = await stack.user({ role: "admin" });
  const { call, projectId, serverId } = { ...ours, call: as(stack, user) };
  const container = await ours.container("web");
  for (const name of ["Shop-one", "other"]) {
    await call("POST", "/projects", { name });
    await call("POST", "/pools", { name });
    await call("POST", "/auth/tokens", { name, permissions: ["resources.read"] });
    await call("POST", "/webhooks", { url: `https://example.com/${name}` });
    const share = {
      project_id: projectId,
      server_id: serverId,
      name: name.toLowerCase(),
      size_bytes: 2 ** 26,
    };
    const made = await call("POST", "/storage-shares", share);
    shareId = made.body.data.id;
    for (const snapshot of ["Shop-one", "other"])
      await call("POST", `/storage-shares/${shareId}/snapshots`, { name: snapshot });
    await call("POST", "/wallet/payment-methods", { type: "bank", name });
    const image = await inCatalogue(stack, { alias: `${user.id}-${name.toLowerCase()}` });
    await call("POST", `/images/import/${image}`);
    const alias = `${user.id.slice(-8)}-${name.toLowerCase()}`;
    await call("POST", "/proxy/aliases", { container_id: container, program: "terminal", alias });
  }
});
afterAll(() => stack.stop());

const found = async (path: string, search: string, who = user): Promise<number> => {
  const { body } = await as(stack, who)("GET", `${path}?search=${encodeURIComponent(search)}`);
  const rows = Array.isArray(body.data) ? body.data : Object.values(body.data).find(Array.isArray);
  expect(
    body.pagination?.total ??
      body.data.pagination?.total ??
      body.data.count ??
      body.data.total ??
      rows.length,
  ).toBe(rows.length);
  return rows.length;
};

test.each([
  "/projects",
  "/pools",
  "/auth/tokens",
  "/webhooks",
  "/storage-shares",
  "/proxy/aliases",
  "/wallet/payment-methods",
  "/images/user",
])("%s finds a part of a name, in any case of letters, and nothing by what is no part", async (path) => {
  expect([await found(path, "shop-ONE"), await found(path, "shop_one"), await found(path, "%")]).toEqual([
    1, 0, 0,
  ]);
});

test("snapshots are found by their names, and an operator finds an image by its alias", async () => {
  const snapshots = `/storage-shares/${shareId}/snapshots`;
  expect([await found(snapshots, "OP-one"), await found(snapshots, "none")]).toEqual([1, 0]);
  const alias = `${user.id.toUpperCase()}-SHOP`;
  expect([
    await found("/admin/images", alias, operator),
    await found("/admin/images", "%", operator),
  ]).toEqual([1, 0]);
});

test("rentals, the stock and hosts are found by the server's name, and a cursor is for its search", async () => {
  expect([await found("/rentals", server.toUpperCase()), await found("/rentals", "no-such")]).toEqual([1, 0]);
  expect(await found("/admin/servers", `${server}x`, operator)).toBe(0);
  expect(await found("/admin/hosts", "no-such-host", operator)).toBe(0);
  const call = as(stack, user);
  const { body } = await call("GET", "/projects?search=o&limit=1");
  const cursor = body.data.pagination.next_cursor;
  expect((await call("GET", `/projects?search=o&limit=1&cursor=${cursor}`)).status).toBe(200);
  expect((await call("GET", `/projects?search=e&limit=1&cursor=${cursor}`)).body.data.field).toBe(
    "query.cursor",
  );
});
