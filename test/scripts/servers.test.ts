import { expect, test } from "bun:test";
import { chmodSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import postgresClient from "postgres";
import { isAlive } from "../../scripts/processes.ts";
import { freePort, nats, startOwnPostgres, temporaryFolder } from "../harness/servers.ts";
import { testWhere } from "../harness/test-where.ts";
import { until } from "../harness/until.ts";

/** The servers that Berth starts itself, on the real programs. */

const PASSWORD = "of-this-cluster";

async function query(url: string, statement: string): Promise<unknown> {
  const sql = postgresClient(url, { max: 1 });
  try {
    return await sql.unsafe(statement);
  } finally {
    await sql.end();
  }
}

test("PostgreSQL keeps its data over a clean stop and over a kill", async () => {
  const dir = join(temporaryFolder(), "postgres");
  const first = await startOwnPostgres({ dir, password: PASSWORD, durable: true });
  await query(first.url, "CREATE TABLE kept AS SELECT 1 AS one");
  await first.stop();
  expect(isAlive(first.pid)).toBe(false);

  const second = await startOwnPostgres({ dir, password: PASSWORD, durable: true });
  await query(second.url, "INSERT INTO kept VALUES (2)");
  process.kill(second.pid, "SIGKILL");
  await second.exited;

  const third = await startOwnPostgres({ dir, password: PASSWORD, durable: true });
  expect(await query(third.url, "SELECT one FROM kept ORDER BY one")).toMatchObject([{ one: 1 }, { one: 2 }]);
  await third.stop();
});

test("a PostgreSQL that was left running on the folder is ended and its data taken over", async () => {
  const dir = join(temporaryFolder(), "postgres");
  const left = await startOwnPostgres({ dir, password: PASSWORD });
  await query(left.url, "CREATE TABLE kept AS SELECT 1 AS one");
  const next = await startOwnPostgres({ dir, password: PASSWORD });
  expect(isAlive(left.pid)).toBe(false);
  expect(await query(next.url, "SELECT one FROM kept")).toMatchObject([{ one: 1 }]);
  await next.stop();
});

test("a pid file that names a stranger stops neither the stranger nor the start", async () => {
  const dir = join(temporaryFolder(), "postgres");
  const first = await startOwnPostgres({ dir, password: PASSWORD });
  const pidFile = join(dir, "postmaster.pid");
  const content = readFileSync(pidFile, "utf8");
  await first.stop();

  const stranger = Bun.spawn(["sleep", "60"]);
  writeFileSync(pidFile, content.replace(String(first.pid), String(stranger.pid)));
  const second = await startOwnPostgres({ dir, password: PASSWORD });
  expect(isAlive(stranger.pid)).toBe(true);
  stranger.kill();
  await second.stop();
});

test("a first start that was cut short is begun again", async () => {
  const dir = join(temporaryFolder(), "postgres");
  mkdirSync(`${dir}.new`);
  writeFileSync(join(`${dir}.new`, "half"), "");
  const server = await startOwnPostgres({ dir, password: PASSWORD });
  await server.stop();
});

test("another password than the cluster was made with is told in one line, and nothing stays behind", async () => {
  const dir = join(temporaryFolder(), "postgres");
  await (await startOwnPostgres({ dir, password: PASSWORD })).stop();
  await expect(startOwnPostgres({ dir, password: "another" })).rejects.toThrow(
    /has another password than secrets\.json/,
  );
  expect(() => statSync(join(dir, "postmaster.pid"))).toThrow();
});

test("PostgreSQL asks for the password and listens on the loopback interface alone", async () => {
  const server = await startOwnPostgres({ password: PASSWORD });
  const url = new URL(server.url);
  url.password = "wrong";
  await expect(query(url.href, "SELECT 1")).rejects.toThrow("password authentication failed");
  expect(await query(server.url, "SHOW listen_addresses")).toMatchObject([{ listen_addresses: "127.0.0.1" }]);
  await server.stop();
});

testWhere(process.getuid?.() === 0, "root")(
  "data that belongs in a folder which PostgreSQL's user cannot enter goes elsewhere, the same place each time",
  async () => {
    const closed = temporaryFolder();
    chmodSync(closed, 0o700);
    const dir = join(closed, "postgres");
    const first = await startOwnPostgres({ dir, password: PASSWORD });
    const [row] = (await query(first.url, "SHOW data_directory")) as { data_directory: string }[];
    expect(row?.data_directory).toMatch(/^\/var\/lib\/berth-[0-9a-f]{12}\/data$/);
    await query(first.url, "CREATE TABLE kept AS SELECT 1 AS one");
    await first.stop();
    const second = await startOwnPostgres({ dir, password: PASSWORD });
    expect(await query(second.url, "SELECT one FROM kept")).toMatchObject([{ one: 1 }]);
    await second.stop();
    rmSync(join(row?.data_directory ?? "", ".."), { recursive: true });
  },
);

test("a nats-server that was left running on the folder is ended", async () => {
  const dir = join(temporaryFolder(), "nats");
  const left = await nats({ dir });
  const next = await nats({ dir });
  expect(isAlive(left.pid)).toBe(false);
  await next.stop();
});

test("a server whose port is taken tells so with the end of its log, and does not stay behind", async () => {
  const port = await freePort();
  const taken = await nats({ port });
  const dir = join(temporaryFolder(), "postgres");
  await expect(startOwnPostgres({ dir, port })).rejects.toThrow(/could not bind|Address already in use/);
  await taken.stop();
});

test("what a test process started ends with it, even when it is killed", async () => {
  const script = `
    import { nats, startOwnPostgres, temporaryFolder } from ${JSON.stringify(join(import.meta.dir, "../harness/servers.ts"))};
    const folder = temporaryFolder();
    const [a, b] = [await startOwnPostgres(), await nats()];
    console.log(JSON.stringify({ pids: [a.pid, b.pid], folder }));
    setInterval(() => undefined, 1000);
  `;
  const child = Bun.spawn([process.execPath, "-e", script], { stdout: "pipe", stderr: "inherit" });
  const { value } = await child.stdout.getReader().read();
  const { pids, folder } = JSON.parse(new TextDecoder().decode(value)) as { pids: number[]; folder: string };
  expect(pids.every(isAlive)).toBe(true);
  child.kill("SIGKILL");
  await until(() => !pids.some(isAlive));
  await until(() => statSync(folder, { throwIfNoEntry: false }) === undefined);
});
