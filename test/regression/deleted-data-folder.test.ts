import { expect } from "bun:test";
import { chmodSync, lstatSync, mkdirSync, readdirSync, readlinkSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import postgresClient from "postgres";
import { startPostgres } from "../../scripts/servers/postgres.ts";
import { freePort, sharedWatchdog, temporaryFolder } from "../harness/servers.ts";
import { testWhere } from "../harness/test-where.ts";

/**
 * With a data folder that PostgreSQL's user cannot enter the database lives under /var/lib. Who deleted the data folder
 * left it there, with a password that nobody had, and the next start failed and named a folder that was not there.
 */

const isRoot = process.getuid?.() === 0;

/** A data folder that only root may enter, and PostgreSQL started for it as `npm start` does. */
function closedData() {
  const home = temporaryFolder();
  chmodSync(home, 0o700);
  const dir = join(home, "data", "postgres");
  const said: string[] = [];
  const start = async (password: string) => {
    mkdirSync(dirname(dir), { recursive: true });
    return startPostgres({
      dir,
      port: await freePort(),
      password,
      log: join(home, "postgres.log"),
      watchdog: sharedWatchdog(),
      durable: false,
      say: (line) => said.push(line),
    });
  };
  return { dir, said, start };
}

async function query(url: string, statement: string): Promise<Record<string, unknown>[]> {
  const sql = postgresClient(url, { max: 1 });
  try {
    return [...(await sql.unsafe(statement))];
  } finally {
    await sql.end();
  }
}

testWhere(isRoot, "root")(
  "after the data folder was deleted a start makes a new database and says where the old one was put",
  async () => {
    const { dir, said, start } = closedData();
    const first = await start("of-the-first");
    const kept = readlinkSync(dir);
    expect(said).toEqual([expect.stringContaining(kept)]);
    await query(first.url, "CREATE TABLE kept AS SELECT 1 AS one");
    await first.stop();

    rmSync(dirname(dir), { recursive: true });
    said.length = 0;
    const second = await start("of-the-second");
    expect(await query(second.url, "SELECT 1 FROM pg_tables WHERE tablename = 'kept'")).toEqual([]);
    expect(readlinkSync(dir)).toBe(kept);
    await second.stop();
    const aside = readdirSync(dirname(kept)).filter((name) => name.startsWith("data.left-"));
    expect(aside).toHaveLength(1);
    expect(said.join("\n")).toContain(join(dirname(kept), aside[0] ?? ""));
    rmSync(dirname(kept), { recursive: true });
  },
);

testWhere(isRoot, "root")(
  "while the data folder is there another password is refused, and the folder that holds the database is named",
  async () => {
    const { dir, start } = closedData();
    await (await start("of-the-first")).stop();
    const kept = readlinkSync(dir);
    const refused = await start("another").catch((error: Error) => error.message);
    expect(refused).toContain(`the database in ${kept} has another password than secrets.json`);
    await (await start("of-the-first")).stop();
    rmSync(dirname(kept), { recursive: true });
  },
);

testWhere(isRoot, "root")(
  "a database is found where it was put when its user may enter the data folder later",
  async () => {
    const { dir, start } = closedData();
    const first = await start("of-the-first");
    await query(first.url, "CREATE TABLE kept AS SELECT 1 AS one");
    await first.stop();
    const kept = readlinkSync(dir);
    chmodSync(join(dirname(dir), ".."), 0o711);
    chmodSync(dirname(dir), 0o711);
    const second = await start("of-the-first");
    expect(await query(second.url, "SELECT one FROM kept")).toEqual([{ one: 1 }]);
    await second.stop();
    expect(lstatSync(dir).isSymbolicLink()).toBe(true);
    rmSync(dirname(kept), { recursive: true });
  },
);
