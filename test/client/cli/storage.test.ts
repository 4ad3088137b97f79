import { afterAll, beforeAll, expect, test } from "bun:test";
import { type Host, startHost, tenant } from "../../gateway/routes/hosting/container/hosting.ts";
import { type SharedStack, sharedStack } from "../../harness/shared-stack.ts";
import { until } from "../../harness/until.ts";
import { commandLine } from "./run.ts";

let stack: SharedStack;
let host: Host;
let server: string;
let cli: ReturnType<typeof commandLine>;
beforeAll(async () => {
  stack = await sharedStack();
  server = await stack.serverName();
  const { user } = await tenant(stack, server);
  host = await startHost(stack, server);
  cli = commandLine(stack, user);
});
afterAll(async () => {
  await host?.close();
  await stack?.stop();
});

const share = async (name: string) => (await cli.ok(`--json share show ${name}`)).json;

test("a share is made, grows, is mounted by its name, and its snapshots come and go", async () => {
  const creating = cli.ok(`share create data --server ${server} --project web --size 16M --wait`);
  const { id } = await until(() => share("data").catch(() => undefined));
  await host.reportShare(id, {});
  expect((await creating).out).toBe(`Created data with 16.0 MiB: ${id}.\n`);
  expect((await cli.ok("share update data --size 32M")).out).toBe("data has 32.0 MiB.\n");
  expect((await cli.run("share update data --size 8M")).err).toStartWith("berth: --size: ");
  const create = `containers create --server ${server} --project web`;
  const made = await cli.ok(`--json ${create} db -v data:/srv:ro`);
  expect(made.json.volumes).toEqual([{ share_id: id, path: "/srv", read_only: true }]);
  expect((await cli.run(`${create} other -v nothing:/srv`)).err).toContain('no storage share "nothing"');
  expect((await cli.run(`${create} other -v data:/etc`)).err).toStartWith("berth: --volume: ");
  expect((await cli.run("share delete data --yes")).err).toContain("STORAGE_SHARE_IN_USE");
  expect((await cli.ok("--json containers update db --no-volumes")).json.volumes).toEqual([]);
  const taking = cli.ok("share snapshots create data --name before --wait");
  const snapshots = async () => (await cli.ok("--json share snapshots list data")).json;
  const [taken] = await until(async () => ((await snapshots()).length > 0 ? await snapshots() : undefined));
  const ready = { id: taken.id, state: "ready" as const, bytes: 1, error: null };
  await host.reportShare(id, { revision: 3, snapshots: [ready] });
  expect((await taking).out).toBe(`Took before: ${taken.id}.\n`);
  const restoring = cli.ok("share snapshots restore data before --yes --wait");
  const restore = await until(
    async () => (await stack.db`SELECT restore FROM storage_shares WHERE id = ${id}`)[0]?.restore,
  );
  await host.reportShare(id, { revision: 4, snapshots: [ready], restored: restore.id });
  expect((await restoring).out).toBe("data has the files of before back.\n");
  await cli.ok("share snapshots delete data before --yes");
  const schedule = "share snapshots schedule data";
  expect((await cli.ok(`${schedule} --every 24 --keep 3`)).out).toBe(
    "data takes a snapshot every 24 h and keeps 3.\n",
  );
  const [due] = await until(async () => ((await snapshots()).length > 0 ? await snapshots() : undefined));
  expect(due.scheduled).toBe(true);
  expect((await cli.run(`${schedule} --every 1000`)).err).toStartWith("berth: --every: ");
  expect((await cli.run(schedule)).err).toContain("give --every or --off");
  expect((await cli.ok(`${schedule} --off`)).out).toBe("data takes no more snapshots by itself.\n");
  await cli.ok("share delete data --yes");
});

test("a container is shared with a user for a time, and no longer", async () => {
  const friend = await stack.user();
  await cli.ok(`containers create shared --server ${server} --project web`);
  const granted = await cli.ok(
    `permissions grant shared ${friend.username} --expires 12h --service pipe files`,
  );
  expect(granted.out).toStartWith(`${friend.username} may enter shared until `);
  expect((await cli.ok("permissions list shared")).out).toMatch(
    new RegExp(`${friend.username} .*(files pipe|pipe files) `),
  );
  await cli.ok(`permissions revoke shared ${friend.username} --yes`);
  expect((await cli.ok("--json permissions list shared")).json).toEqual([]);
  const gone = await cli.run(`permissions revoke shared ${friend.username} --yes`);
  expect([gone.status, gone.err]).toEqual([1, expect.stringContaining("not shared with")]);
});
