import { afterAll, beforeAll, expect, test } from "bun:test";
import { type SharedStack, sharedStack, type TestUser } from "../../harness/shared-stack.ts";
import { commandLine } from "./run.ts";

let stack: SharedStack;
let admin: TestUser;
let cli: ReturnType<typeof commandLine>;
beforeAll(async () => {
  stack = await sharedStack();
  admin = await stack.user({ role: "admin" });
  cli = commandLine(stack, admin);
});
afterAll(() => stack?.stop());

test("lists are in the order that is asked for, and a wrong one is refused with those that there are", async () => {
  const { ok, run } = commandLine(stack, await stack.user());
  for (const name of ["bravo", "Alpha", "charlie"]) await ok(`projects create ${name}`);
  const names = async (sort: string) =>
    (await ok(`projects list --json --sort ${sort}`)).json.map(({ name }: { name: string }) => name);
  expect(await names("name")).toEqual(["Alpha", "bravo", "charlie"]);
  expect(await names("-name")).toEqual(["charlie", "bravo", "Alpha"]);
  expect(await names("-created_at")).toEqual(["charlie", "Alpha", "bravo"]);
  const refused = await run("projects list --sort size");
  expect([refused.status, refused.err]).toEqual([
    2,
    expect.stringContaining("--sort: must be one of created_at, -created_at, name, -name"),
  ]);
});

test("the stock is kept from files", async () => {
  const name = `stock-${crypto.randomUUID().slice(0, 8)}`;
  const input = `name: ${name}\nspecs: { cpu_cores: 4, ram_gb: 8 }\nprices: { "30": 2500 }\n`;
  await cli.ok("admin servers add -f -", { input });
  expect((await cli.ok("admin servers list")).out).toContain(name);
  await cli.ok(`admin servers update ${name} -f -`, { input: "setup_fee_cents: 100" });
  await cli.ok(`admin servers delete ${name} --yes`);
  const offer = `offer-${crypto.randomUUID().slice(0, 8)}`;
  await cli.ok("admin offers add -f -", {
    input: `{"name": "${offer}", "lead_time_hours": 24, "pricing_rules": {"30": 1000}, "specs": {}}`,
  });
  await cli.ok(`admin offers update ${offer} -f -`, { input: "lead_time_hours: 48" });
  await cli.ok(`admin offers delete ${offer} --yes`);
  const wrong = `{"name": "o", "lead_time_hours": "never", "pricing_rules": {"30": 1000}, "specs": {}}`;
  const refused = await cli.run("admin offers add -f -", { input: wrong });
  expect(refused.err).toStartWith("berth: lead_time_hours: ");
});

test("prices of many servers are changed in a file, as a whole, after a look at the difference", async () => {
  const name = `stock-${crypto.randomUUID().slice(0, 8)}`;
  await cli.ok("admin servers add -f -", { input: `name: ${name}\nspecs: {}\nprices: { "30": 2500 }\n` });
  const exported = (await cli.ok("admin servers export")).out;
  const [head = "", ...lines] = exported.split("\n");
  const line = lines.find((one) => one.includes(name)) ?? "";
  const changed = [head, line.replace("25.00", "27.50")].join("\n");
  const dry = await cli.ok("admin servers import -f - --dry-run", { input: changed });
  expect([dry.err, dry.out]).toEqual([`~ ${name}: price_30 25.00 becomes 27.50\n`, "Nothing was done.\n"]);
  const wrong = await cli.run("admin servers import -f - --yes", { input: changed.replace("27.50", "dear") });
  expect([wrong.status, wrong.err]).toEqual([1, expect.stringContaining("-:2: price_30: ")]);
  expect((await cli.ok("admin servers import -f - --yes", { input: changed })).out).toBe(
    "0 servers added, 1 changed.\n",
  );
  const next = (await cli.ok("admin servers export")).out;
  expect((await cli.ok("admin servers import -f -", { input: next })).out).toBe("Nothing to change.\n");
});

test("the catalogue is kept from files", async () => {
  const alias = `img-${crypto.randomUUID().slice(0, 8)}`;
  const input = `{"alias": "${alias}", "description": "d", "image_name": "n", "architecture": "amd64", "os": "debian", "release": "13", "variant": "default", "price": "0"}`;
  await cli.ok("admin images add -f -", { input });
  expect((await cli.ok(`image list --search ${alias}`)).out).toContain("free");
  await cli.ok(`image add ${alias}`);
  expect((await cli.ok("image list --mine")).out).toContain(alias);
  await cli.ok(`image show ${alias}`);
  await cli.ok(`image rate ${alias} 5`);
  await cli.ok(`admin images update ${alias} -f -`, { input: "description: better" });
  await cli.ok(`admin images delete ${alias} --yes`);
});

test("money is given, and what waits for a decision is listed", async () => {
  const user = await stack.user();
  const given = await cli.ok(`admin credit ${user.username} 25.50 --reason "for the outage" --yes`);
  expect(given.out).toContain("$25.50");
  expect((await commandLine(stack, user).ok("wallet show")).out).toContain("25.50");
  await cli.ok("admin reviews list --all");
  await cli.ok("admin reservations list");
  expect((await cli.ok("admin cluster")).out).toContain("PARTITIONS");
  expect((await cli.ok("--json admin overview")).json.holdings.users).toBeGreaterThan(0);
  const refused = await commandLine(stack, user).run("admin cluster");
  expect([refused.status, refused.err]).toEqual([1, expect.stringContaining("INSUFFICIENT_PERMISSIONS")]);
});

test("a user is found, suspended and restored, and the audit log says who did it", async () => {
  const user = await stack.user();
  expect((await cli.ok(`admin users list --search ${user.username}`)).out).toContain(user.id);
  await cli.ok(`admin users suspend ${user.username} --reason spam --yes`);
  expect((await commandLine(stack, user).run("whoami")).status).toBe(3);
  const shownUser = (await cli.ok(`admin users show ${user.username}`)).out;
  expect(shownUser).toMatch(/suspension.reason +spam/);
  expect(shownUser).toMatch(/^rentals +-$/m);
  expect(shownUser).not.toContain("{");
  await cli.ok(`admin users restore ${user.username} --reason appeal`);
  const acts = (await cli.ok(`--json admin audit --user ${user.username}`)).json;
  expect(acts.map(({ act, by }: { act: string; by: string }) => [act, by])).toEqual([
    ["restored", admin.username],
    ["suspended", admin.username],
  ]);
  expect((await cli.run("admin users show nobody-at-all")).err).toContain("there is no user");
});

test("a machine is added with the command by which it joins, drained and removed", async () => {
  const name = `host-${crypto.randomUUID().slice(0, 8)}`;
  await cli.ok("admin servers add -f -", { input: `name: ${name}\nspecs: {}\nprices: {}\n` });
  const added = await cli.ok(`admin hosts add ${name}`);
  expect(added.err).toContain("It works once.");
  expect(added.out).toContain("agent join");
  expect((await cli.ok(`admin hosts token ${name}`)).out).not.toBe(added.out);
  await cli.ok(`admin hosts drain ${name}`);
  expect((await cli.ok("admin hosts list")).out).toMatch(new RegExp(`${name} +pending, draining`));
  await cli.ok(`admin hosts undrain ${name}`);
  expect((await cli.ok(`--json admin hosts show ${name}`)).json).toMatchObject({
    draining: false,
    containers: 0,
  });
  await cli.ok(`admin hosts remove ${name} --yes`);
  expect((await cli.run(`admin hosts show ${name}`)).status).toBe(1);
});

test("a charge is refunded in part and then whole, and no further", async () => {
  const user = await stack.user({ balance: "100" });
  const alias = `img-${crypto.randomUUID().slice(0, 8)}`;
  const input = `{"alias": "${alias}", "description": "d", "image_name": "n", "architecture": "amd64", "os": "debian", "release": "13", "variant": "default", "price": "10"}`;
  await cli.ok("admin images add -f -", { input });
  await commandLine(stack, user).ok(`image add ${alias} --yes`);
  const charges = (await cli.ok(`--json admin transactions list ${user.username}`)).json;
  const { id } = charges.find(({ refundable }: { refundable: number }) => refundable > 0);
  const part = await cli.ok(`admin refund ${id} 2.50 --reason "it was slow" --yes`);
  expect(part.out).toBe("Refunded $2.50. $7.50 of the charge can still be refunded.\n");
  expect((await cli.ok(`admin refund ${id} --reason "it was slow" --yes`)).out).toContain(
    "Refunded $7.50. $0.00",
  );
  const again = await cli.run(`admin refund ${id} 1 --reason again --yes`);
  expect([again.status, again.err]).toEqual([1, expect.stringContaining("REFUND_EXCEEDS_CHARGE")]);
});
