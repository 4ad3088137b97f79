import { afterAll, beforeAll, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { newId } from "../../../actors/platform/ids.ts";
import { inStock } from "../../gateway/routes/market/stock.ts";
import { type SharedStack, sharedStack, type TestUser } from "../../harness/shared-stack.ts";
import { until } from "../../harness/until.ts";
import { commandLine } from "./run.ts";

let stack: SharedStack;
let user: TestUser;
let server: string;
beforeAll(async () => {
  stack = await sharedStack();
  user = await stack.user({ balance: "100" });
  server = await stack.serverName();
  await inStock(stack, server);
});
afterAll(() => stack?.stop());

test("a server is rented by its name for the price that was shown, and extended; a lower ceiling refuses", async () => {
  const { ok, run } = commandLine(stack, user);
  expect((await ok("servers available --limit 1000")).out).toContain(server);
  const dear = await run(`servers rent ${server} --days 7 --yes --max-charge 6.99`);
  expect([dear.status, dear.err]).toEqual([1, expect.stringContaining("more than --max-charge $6.99")]);
  expect((await run(`servers rent ${server} --days 8 --yes`)).err).toContain("7, 30 days");
  expect((await run(`servers rent ${server} --days 7`)).status).toBe(2);
  const rented = await ok(`servers rent ${server} --days 7 --yes --max-charge 7`);
  expect(rented.err).toContain("$7.00");
  const before = (await ok(`--json servers show ${server}`)).json;
  expect(before).toMatchObject({ server_name: server, status: "active" });
  const extended = (await ok(`--json servers extend ${server} --days 30 --yes`)).json;
  expect(Date.parse(extended.rental_end) - Date.parse(before.rental_end)).toBe(30 * 86_400_000);
  expect((await ok("servers list")).out).toContain(server);
  expect((await ok("--quiet servers list")).out).toBe(`${before.id}\n`);
});

test("a server that an operator still sets up says so until its machine has joined", async () => {
  const { ok } = commandLine(stack, await stack.user({ balance: "10" }));
  const name = await stack.serverName();
  const id = newId();
  await stack.actors.server(id).create({ name, specs: {}, prices: { "1": 100 }, delivered_by_hand: true });
  const rented = await ok(`servers rent ${name} --days 1 --yes`);
  expect([rented.err, rented.out]).toEqual([
    expect.stringContaining("for 1 day, "),
    expect.stringContaining("It is being set up"),
  ]);
  expect((await ok("servers list")).out).toMatch(new RegExp(`${name} +being set up`));
  expect((await ok(`servers show ${name}`)).out).toMatch(/status +being set up/);
  await stack.actors.server(id).join({});
  await until(async () => (await ok(`--json servers show ${name}`)).json.host_joined);
  expect((await ok("servers list")).out).toMatch(new RegExp(`${name} +active`));
});

test("a server of somebody else's pool is among the servers, with the name of the pool", async () => {
  const friend = await stack.user();
  const [mine, theirs] = [commandLine(stack, user), commandLine(stack, friend)];
  const [pool] = (await mine.ok("--json pool list")).json;
  await mine.ok(`pool invite ${pool.id} ${friend.username}`);
  expect((await theirs.ok("--json servers list")).json).toEqual([]);
  await theirs.ok(`pool accept "${pool.name}"`);
  const listed = (await theirs.ok("--json servers list")).json;
  expect(listed).toMatchObject([{ server_name: server, pool: pool.name, status: "active" }]);
});

test("an offer is reserved and paid at once", async () => {
  const { ok } = commandLine(stack, user);
  const name = `offer-${crypto.randomUUID()}`;
  await stack.actors
    .offer(newId())
    .create({ name, lead_time_hours: 24, pricing_rules: { "30": 1_000 }, setup_fee_cents: 500, specs: {} });
  expect((await ok("offers list")).out).toContain(name);
  const { id, total_cents } = (await ok(`--json offers reserve ${name} --days 30 --yes`)).json;
  expect(total_cents).toBe(1_500);
  expect((await ok("reservations list")).out).toContain(id);
  expect((await ok(`reservations show ${id}`)).out).toContain("confirmed");
});

test("money is moved to AI credit with its fee shown", async () => {
  const { ok } = commandLine(stack, user);
  expect((await ok("wallet transfer 10 --yes")).err).toContain("$10.00:");
  expect((await ok("wallet show")).out).toMatch(/AI credit +\$\d/);
});

test("an invoice is issued for a transaction and saved as PDF", async () => {
  const { ok, folder } = commandLine(stack, user);
  const transactions = (await ok("--json transactions list")).json;
  const rent = transactions.find((one: { transaction_type: string }) => one.transaction_type === "rental");
  expect((await ok(`transactions show ${rent.id}`)).out).toContain("rental");
  const { id, invoice_number } = (await ok(`--json invoices create ${rent.id}`)).json;
  const file = join(folder, "invoice.pdf");
  await ok(`invoices pdf ${invoice_number} -o ${file}`);
  expect(readFileSync(file).subarray(0, 5).toString()).toBe("%PDF-");
  expect((await ok("invoices list")).out).toContain("INV-");
  expect((await ok(`invoices show ${id}`)).out).toContain("invoice_number");
});
