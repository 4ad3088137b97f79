import { afterEach, expect, test } from "bun:test";
import { appendFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { serverUrls } from "../../../../actors/platform/db/primary.ts";
import { isDatabaseUnavailable, openSql } from "../../../../actors/platform/db/sql.ts";
import { run } from "../../../../agents/exec/command.ts";
import { freePort, startOwnPostgres, temporaryFolder } from "../../../harness/servers.ts";
import { standStill } from "../../../harness/stand-still.ts";
import { until } from "../../../harness/until.ts";

const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

test("a URL of several servers is one for each, with their own ports", () => {
  expect(serverUrls("postgres://u:p@a,b:5433/d?target_session_attrs=primary&sslmode=require")).toEqual([
    "postgres://u:p@a/d?sslmode=require",
    "postgres://u:p@b:5433/d?sslmode=require",
  ]);
  expect(serverUrls("postgres://u:p@a:5432/d")).toHaveLength(1);
});

test("queries fail as unavailable while none of several servers takes writes, and are served once one does", async () => {
  const [first, second] = [await freePort(), await freePort()];
  const here = { port: second, password: "of-this-test", dir: join(temporaryFolder(), "postgres") };
  const earlier = await startOwnPostgres(here);
  await earlier.stop();
  const at = `127.0.0.1:${first},127.0.0.1:${second}`;
  const sql = openSql(earlier.url.replace(/@[^/]*/, `@${at}`), { max: 2, name: "test" });
  ends.push(() => sql.end({ timeout: 1 }));
  for (let i = 0; i < 3; i++) {
    const error = await sql`SELECT 1`.catch((cause) => cause);
    expect(isDatabaseUnavailable(error)).toBe(true);
  }
  const server = await startOwnPostgres(here);
  ends.push(() => server.stop());
  await until(async () => (await sql`SELECT 1`).length === 1);
});

test("connections leave a primary that hangs for the one that was promoted, and stay there when the old one is back", async () => {
  const folder = temporaryFolder();
  const ports = [await freePort(), await freePort()] as const;
  const password = "of-this-test";
  const dirs = [join(folder, "one"), join(folder, "two")] as const;
  await (await startOwnPostgres({ port: ports[0], password, dir: dirs[0] })).stop();
  await run(["cp", "-a", dirs[0], dirs[1]]);
  const one = await startOwnPostgres({ port: ports[0], password, dir: dirs[0] });
  ends.push(() => one.stop());
  const at = ports.map((port) => `127.0.0.1:${port}`).join(",");
  const sql = openSql(new URL(one.url).href.replace(/@[^/]*/, `@${at}`), { max: 2, name: "test" });
  ends.push(() => sql.end({ timeout: 1 }));
  const portOf = async () => Number((await sql`SELECT inet_server_port() AS port`)[0]?.port);
  expect(await portOf()).toBe(ports[0]);

  // As a standby that was promoted: the same data, on a timeline of its own.
  writeFileSync(join(dirs[1], "recovery.signal"), "");
  appendFileSync(join(dirs[1], "postgresql.auto.conf"), "restore_command = 'false'\n");
  await standStill(one.pid);
  ends.push(() => process.kill(one.pid, "SIGCONT"));
  const two = await startOwnPostgres({ port: ports[1], password, dir: dirs[1] });
  ends.push(() => two.stop());
  await until(async () => (await portOf().catch(() => 0)) === ports[1]);
  process.kill(one.pid, "SIGCONT");
  for (let i = 0; i < 20; i++) expect(await portOf()).toBe(ports[1]);
});

test.each(["ERR_SOCKET_CLOSED", "ERR_STREAM_DESTROYED", "ECONNRESET", "CONNECTION_CLOSED"])(
  "a query whose connection was closed under it found the database unavailable: %s",
  (code) => {
    expect(isDatabaseUnavailable(Object.assign(new Error("closed"), { code }))).toBe(true);
  },
);
