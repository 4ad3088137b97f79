import { afterAll, beforeAll, expect, test } from "bun:test";
import { recordCall } from "../../../harness/record-examples.ts";
import { type SharedStack, sharedStack, type TestUser } from "../../../harness/shared-stack.ts";
import { inStock, rent } from "../market/stock.ts";

let stack: SharedStack;
let admin: TestUser;
beforeAll(async () => {
  stack = await sharedStack();
  admin = await stack.user({ role: "admin" });
});
afterAll(() => stack.stop());

const unique = () => `csv-${crypto.randomUUID().slice(0, 8)}`;
const url = (query = "") => `${stack.url}/api/v1/admin/stock${query}`;
const authorization = (token = admin.token) => ({ authorization: `Bearer ${token}` });

async function post(text: string, query = "", headers: Record<string, string> = {}) {
  const response = await fetch(url(query), {
    method: "POST",
    body: text,
    headers: { ...authorization(), "content-type": "text/csv", ...headers },
  });
  const [status, body] = [response.status, JSON.parse(await response.text())];
  // The file itself is no JSON, so the example has the reply alone.
  recordCall({ method: "POST", path: `/api/v1/admin/stock${query}`, body: undefined, status, reply: body });
  return { status, body };
}
const read = (id: string) =>
  stack
    .call("GET", "/api/v1/admin/servers?limit=500", { token: admin.token })
    .then(({ body }) => body.data.servers.find((server: { id: string }) => server.id === id));

/** The export's lines of these servers, with its header. */
async function exported(ids: readonly string[]): Promise<{ header: string[]; rows: string[][] }> {
  const text = await (await fetch(url(), { headers: authorization() })).text();
  const [header = [], ...rows] = text
    .replace("\uFEFF", "")
    .trim()
    .split("\r\n")
    .map((line) => line.split(","));
  return { header, rows: ids.map((id) => rows.find(([first]) => first === id) ?? []) };
}

/** A file that gives each of these servers another price for 30 days. */
async function priced(ids: readonly string[], price: string): Promise<string> {
  const { rows } = await exported(ids);
  return ["id,revision,price_30", ...rows.map(([id, revision]) => `${id},${revision},${price}`)].join("\n");
}
const stockOf = (count: number) => Promise.all(Array.from({ length: count }, () => inStock(stack, unique())));

test("prices are exported, changed for all servers and audited; a dry run changes nothing", async () => {
  const ids = await stockOf(3);
  const [first = ""] = ids;
  const response = await fetch(url(), { headers: authorization() });
  expect(response.headers.get("content-type")).toBe("text/csv; charset=utf-8");
  const file = await priced(ids, "31.5");
  const dry = await post(file, "?dry_run=true");
  expect(dry.body.data).toMatchObject({ dry_run: true, added: 0, changed: 3, unchanged: 0 });
  expect(dry.body.data.changes[0]).toEqual({
    line: 2,
    id: first,
    name: expect.any(String),
    action: "change",
    cells: [{ column: "price_30", before: "25.00", after: "31.50" }],
  });
  expect((await read(first)).prices["30"]).toBe(2_500);

  const key = { "idempotency-key": crypto.randomUUID() };
  const done = await post(file, "", key);
  expect([done.status, done.body.data.changed]).toEqual([200, 3]);
  for (const id of ids) expect((await read(id)).prices).toEqual({ "7": 700, "30": 3_150 });
  const again = await post(file, "", key);
  expect(again.body.data).toMatchObject({ replayed: true, changed: 0 });
  expect((await post(`${file}\n`, "", key)).body.code).toBe("IDEMPOTENCY_KEY_REUSED");

  const audit = await stack.call("GET", `/api/v1/admin/audit?resource_id=${first}`, { token: admin.token });
  expect(audit.body.data.entries[0]).toMatchObject({ act: "server_updated", by_id: admin.id });
});

test("servers are added with their changes, or nothing happens", async () => {
  const [old = ""] = await stockOf(1);
  const name = unique();
  const { rows } = await exported([old]);
  const [, revision] = rows[0] ?? [];
  const file = `id,revision,name,price_7,delivered_by_hand\n${old},${revision},,8,\n,,${name},9,true`;
  const refused = await post(file.replace(",8,", ",eight,"));
  expect(refused.status).toBe(400);
  expect(refused.body).toMatchObject({
    code: "INVALID_CSV",
    data: {
      count: 2,
      errors: [
        { line: 2, column: "name" },
        { line: 2, column: "price_7" },
      ],
    },
  });
  expect((await read(old)).prices["7"]).toBe(700);

  const good = file.replace(`${revision},,`, `${revision},${(await read(old)).name},`);
  const { body } = await post(good);
  expect(body.data).toMatchObject({ added: 1, changed: 1 });
  const user = await stack.user({ balance: "50" });
  const { body: list } = await stack.call("GET", "/api/v1/admin/servers?limit=500", { token: admin.token });
  const added = list.data.servers.find((server: { name: string }) => server.name === name);
  const rental = await rent(stack, user, added.id, { rental_days: 7, max_charge_cents: 900 });
  expect(rental.status).toBe(201);
});

test("two operators who import at once do not overwrite each other: one is refused as a whole", async () => {
  const ids = await stockOf(6);
  const files = await Promise.all(["40", "50", "60"].map((price) => priced(ids, price)));
  const replies = await Promise.all(files.map((file) => post(file)));
  const won = replies.filter(({ status }) => status === 200);
  expect(won.length).toBeLessThanOrEqual(1);
  for (const { status, body } of replies.filter((reply) => !won.includes(reply))) {
    expect([status, body.code]).toEqual([409, "STOCK_CHANGED"]);
    expect(body.data.errors[0].line).toBeGreaterThan(1);
  }
  const prices = new Set((await Promise.all(ids.map(read))).map((server) => server.prices["30"]));
  expect(prices.size).toBe(1);
  // What the refused ones had prepared is dropped: the next import is not in their way.
  const { status } = await post(await priced(ids, "70"));
  expect(status).toBe(200);
});

test("a server that was changed after the export stops the whole file; one that was rented does not", async () => {
  const [changed = "", other = "", taken = ""] = await stockOf(3);
  const file = await priced([changed, other, taken], "44");
  const user = await stack.user({ balance: "50" });
  await rent(stack, user, taken, { rental_days: 7, max_charge_cents: 700 });
  const path = `/api/v1/admin/servers/${changed}`;
  await stack.call("PATCH", path, { token: admin.token, body: { prices: { "30": 1 } } });
  const { status, body } = await post(file);
  expect([status, body.code, body.data.errors[0].line]).toEqual([409, "STOCK_CHANGED", 2]);
  expect((await read(other)).prices["30"]).toBe(2_500);
  expect((await post(await priced([other, taken], "44"))).body.data.changed).toBe(2);
  expect((await read(taken)).prices["30"]).toBe(4_400);
});

test("a promise that another change meets is refused at the server, and nothing of the import is applied", async () => {
  const [held = "", free = ""] = await stockOf(2);
  const file = await priced([held, free], "45");
  const { rows } = await exported([held]);
  const import_id = "e".repeat(24);
  const promise = { import_id, revision: rows[0]?.[1] ?? "", add: null, change: { prices: { "30": 5 } } };
  await stack.actors.server(held).prepare(promise);
  const patch = await stack.call("PATCH", `/api/v1/admin/servers/${held}`, {
    token: admin.token,
    body: { prices: {} },
  });
  expect(patch.body.code).toBe("STOCK_CHANGED");
  const refused = await post(file);
  expect(refused.body).toMatchObject({ code: "STOCK_CHANGED", data: { errors: [{ line: 2 }], count: 1 } });
  expect((await read(free)).prices["30"]).toBe(2_500);
  await stack.actors.server(held).drop_prepared({ import_id });
  expect((await post(file)).status).toBe(200);
});

test("only administrators export and import, and a file has its bounds", async () => {
  const user = await stack.user();
  const get = await fetch(url(), { headers: authorization(user.token) });
  expect(get.status).toBe(403);
  expect((await post("name\nx", "", authorization(user.token))).status).toBe(403);
  const big = await post("x".repeat(1024 * 1024 + 1));
  expect(big.body.code).toBe("PAYLOAD_TOO_LARGE");
  const names = Array.from({ length: 301 }, (_, i) => `bulk-${i}`).join("\n");
  expect((await post(`name\n${names}`, "?dry_run=true")).body).toMatchObject({
    code: "INVALID_CSV",
    data: { errors: [{ line: 302 }] },
  });
  for (const [file, line] of [
    ["id,name\n,a\0b\n", 2],
    [`id,name\n${",x\n".repeat(200_000)}`, 10_001],
  ] as const)
    expect((await post(file, "?dry_run=true")).body).toMatchObject({
      code: "INVALID_CSV",
      data: { errors: [{ line }] },
    });
});
