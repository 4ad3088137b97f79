import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { archiveEvents } from "../../../../actors/activity/event/archive/archive.ts";
import { requireArchive } from "../../../../actors/activity/event/archive/queries.ts";
import { ALL_LOGS, createPartition, deleteExpiredEvents } from "../../../../actors/activity/event/queries.ts";
import { eventLogReconcilers } from "../../../../actors/activity/event/reconcile.ts";
import { openSql, type Sql } from "../../../../actors/platform/db/sql.ts";
import { checkArchive } from "../../../../scripts/doctor/database.ts";
import { verifyArchive } from "../../../../scripts/verify-archive.ts";
import { migratedDatabase, temporaryFolder } from "../../../harness/servers.ts";
import { until } from "../../../harness/until.ts";

/** Events are in the archive before they are deleted for their age. */

const USER = "a".repeat(24);
const MONTH = "events_2020_01";
const START = Date.parse("2020-01-30T00:00:00Z");
const HOUR_MS = 60 * 60 * 1000;
/** After the last event, which is of the first hours of February. */
const END = new Date("2020-02-02T00:00:00Z");
const DAYS = ["2020-01-30", "2020-01-31", "2020-02-01"];
const FILES = DAYS.flatMap((day) => [`events-${day}.jsonl.gz`, `events-${day}.jsonl.gz.sha256`]);
const never = new AbortController().signal;

let database: Awaited<ReturnType<typeof migratedDatabase>>;
let db: Sql;
/** With the rights of an actor host, which owns no table. */
let asHost: Sql;
let folder: string;
beforeEach(async () => {
  database = await migratedDatabase();
  db = openSql(database.url, { max: 3, name: "test" });
  asHost = openSql(database.urls.actors, { max: 2, name: "test-host" });
  folder = temporaryFolder();
  for (const month of ["2020-01-01", "2020-02-01"]) await createPartition(db, new Date(`${month}T00:00:00Z`));
  // One an hour: 24, 24 and 2 on the three days.
  await db`
    INSERT INTO events (id, event_type, resource_type, user_id, data, created_at)
    SELECT lpad(i::text, 24, '0'), 'user.logged_in', 'user', ${USER}, jsonb_build_object('text', E'a\u2028b\nc', 'i', i),
      ${new Date(START)}::timestamptz + i * interval '1 hour'
    FROM generate_series(0, 49) i`;
  await db`INSERT INTO event_audiences VALUES ('everybody', ${"0".repeat(24)}, ${new Date(START)})`;
  await db`INSERT INTO event_logs VALUES (${ALL_LOGS}, 1, ${END}, now()), (${USER}, 1, NULL, now())`;
});
afterEach(async () => {
  await Promise.all([db, asHost].map((sql) => sql.end({ timeout: 5 })));
  await database.drop();
});

const archive = (into = folder) =>
  archiveEvents({ databaseUrl: database.urls.actors, folder: into }, END, never);
const filesIn = (of = folder) => readdirSync(of).sort();
const eventsIn = (file: string) =>
  gunzipSync(readFileSync(join(folder, file)))
    .toString()
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
const countRows = async () => (await db`SELECT count(*)::int AS n FROM events WHERE user_id = ${USER}`)[0]?.n;
const hasMonth = async () => (await db`SELECT to_regclass(${MONTH}) IS NOT NULL AS is`)[0]?.is;
const verify = async () => {
  const said: string[] = [];
  return { isWhole: await verifyArchive((line) => said.push(line), [folder]), said: said.join("\n") };
};
/** A round of an actor host with an archive in a folder, or without one. */
async function reconcile(name: string, into: string | undefined): Promise<void> {
  const one = eventLogReconcilers({
    db: asHost,
    keepDays: 0,
    archive: into === undefined ? undefined : { databaseUrl: database.urls.actors, folder: into },
    ...({} as Pick<Parameters<typeof eventLogReconcilers>[0], "actors">),
  }).find((reconciler) => reconciler.name === name);
  await one?.reconcile(never);
}

describe("the archive of events", () => {
  test("has a file for each day with all its events, and a month is dropped after that", async () => {
    await reconcile("event-retention", folder);
    expect([await hasMonth(), await countRows()]).toEqual([true, 50]);
    await reconcile("event-archive", folder);
    expect(filesIn()).toEqual(FILES);
    expect(FILES.filter((file) => file.endsWith(".gz")).map((file) => eventsIn(file).length)).toEqual([
      24, 24, 2,
    ]);
    expect(eventsIn(FILES[0] ?? "")[0]).toEqual({
      id: "0".repeat(24),
      event_type: "user.logged_in",
      resource_type: "user",
      resource_id: null,
      user_id: USER,
      project_id: null,
      container_id: null,
      realm_id: null,
      data: { text: "a\u2028b\nc", i: 0 },
      audience: "everybody",
      created_at: "2020-01-30T00:00:00.000Z",
    });
    expect(await verify()).toEqual({ isWhole: true, said: "3 files, 50 events, all whole" });
    await reconcile("event-retention", folder);
    expect([await hasMonth(), await countRows()]).toEqual([false, 0]);
    expect((await db`SELECT FROM event_audiences`).length).toBe(0);
  });

  test("is off by default: events are deleted and nothing is written", async () => {
    await reconcile("event-archive", undefined);
    await reconcile("event-retention", undefined);
    expect([await hasMonth(), await countRows(), filesIn()]).toEqual([false, 0, []]);
  });

  test("also holds back a host that has no archive, while another has one", async () => {
    await requireArchive(asHost);
    await reconcile("event-retention", undefined);
    expect([await hasMonth(), await countRows()]).toEqual([true, 50]);
  });

  test("that was given up holds nothing back a day later", async () => {
    await requireArchive(asHost);
    await db`UPDATE event_archive SET required_until = now() - interval '1 second'`;
    await reconcile("event-retention", undefined);
    expect(await countRows()).toBe(0);
  });

  test("leaves out what its user has deleted, though the rows are still there", async () => {
    await db`
      INSERT INTO event_erasures (id, user_id, before, created_at)
      VALUES ('e', ${USER}, ${new Date(START + 10 * HOUR_MS)}, now())`;
    await archive();
    expect(eventsIn(FILES[0] ?? "").map(({ data }) => data.i)).toEqual(
      Array.from({ length: 14 }, (_, i) => i + 10),
    );
  });
});

describe("an archive that cannot be written", () => {
  test.each([
    ["is not there", () => rmSync(folder, { recursive: true })],
    ["has a folder in the place of a file", () => writeInTheWay()],
  ])(
    "because it %s keeps the events, fails its reconciler, and is found by the doctor",
    async (_why, spoil) => {
      spoil();
      await expect(reconcile("event-archive", folder)).rejects.toThrow();
      await reconcile("event-retention", folder);
      expect([await hasMonth(), await countRows()]).toEqual([true, 50]);
      const finding = await checkArchive(db);
      expect([finding.state, finding.found]).toEqual([
        "warning",
        "events since 2020-01-30 could not be archived, and are therefore not deleted",
      ]);
    },
  );

  test("is written when the fault is gone, and the doctor is content", async () => {
    const moved = `${folder}.moved`;
    renameSync(folder, moved);
    await expect(reconcile("event-archive", folder)).rejects.toThrow();
    renameSync(moved, folder);
    await reconcile("event-archive", folder);
    await reconcile("event-retention", folder);
    expect([await countRows(), (await checkArchive(db)).state]).toEqual([0, "ok"]);
  });

  /** A rename onto a folder fails, for every user. */
  const writeInTheWay = () => {
    rmSync(folder, { recursive: true });
    folder = temporaryFolder();
    Bun.spawnSync(["mkdir", "-p", join(folder, FILES[0] ?? "", "inside")]);
  };
});

describe("an archive whose host was killed", () => {
  test("has one whole file of the day, after the next host went on", async () => {
    const program = `
      const { archiveEvents } = await import(${JSON.stringify(import.meta.resolve("../../../../actors/activity/event/archive/archive.ts"))});
      const [databaseUrl, folder, end] = process.argv.slice(-3);
      await archiveEvents({ databaseUrl, folder }, new Date(end), new AbortController().signal);`;
    // The first day's file is written, and the host waits to note it: there it dies.
    await db.begin(async (tx) => {
      await tx`SELECT FROM event_archive FOR UPDATE`;
      const host = Bun.spawn(
        [process.execPath, "-e", program, database.urls.actors, folder, END.toISOString()],
        {
          stdout: "ignore",
          stderr: "inherit",
        },
      );
      await until(async () => filesIn().includes(FILES[1] ?? ""));
      host.kill("SIGKILL");
      await host.exited;
    });
    expect(filesIn()).toEqual(FILES.slice(0, 2));
    await requireArchive(asHost);
    expect(await deleteExpiredEvents(db, END, 1_000)).toBe(false);
    expect(await countRows()).toBe(50);
    // The database may take a moment to notice that the killed host is gone.
    await until(async () => {
      await archive();
      return filesIn().length === FILES.length;
    });
    expect(filesIn()).toEqual(FILES);
    expect((await verify()).said).toBe("3 files, 50 events, all whole");
  });

  test.each([
    ["an unfinished file", `events-${DAYS[0]}.unfinished-1`],
    ["a file without its checksum", FILES[0] ?? ""],
  ])("while it wrote, and left %s, is completed", async (_what, name) => {
    writeFileSync(join(folder, name), "half");
    expect((await verify()).isWhole).toBe(name.includes("unfinished"));
    expect(await archive()).toBe(50);
    expect(filesIn()).toEqual(FILES);
    expect((await verify()).isWhole).toBe(true);
  });

  test("never replaces a whole file by another content: that gets a name of its own", async () => {
    await archive();
    const first = readFileSync(join(folder, FILES[0] ?? ""));
    await db`UPDATE event_archive SET archived_before = NULL`;
    await db`DELETE FROM events WHERE created_at = ${new Date(START)}`;
    await archive();
    expect(filesIn()).toEqual(
      [...FILES, `events-${DAYS[0]}.2.jsonl.gz`, `events-${DAYS[0]}.2.jsonl.gz.sha256`].sort(),
    );
    expect(readFileSync(join(folder, FILES[0] ?? ""))).toEqual(first);
    expect((await verify()).said).toBe("4 files, 73 events, all whole");
  });
});

describe("berth archive verify", () => {
  beforeEach(() => archive());
  const [file = "", checksum = ""] = FILES;

  test.each([
    ["a changed file", () => writeFileSync(join(folder, file), "x"), `${file} is damaged`],
    ["a missing file", () => rmSync(join(folder, file)), `${file} is missing`],
    ["a missing checksum", () => rmSync(join(folder, checksum)), `${file} has no checksum`],
    [
      "another number of events",
      () => {
        const path = join(folder, checksum);
        writeFileSync(path, readFileSync(path, "utf8").replace("# 24 ", "# 25 "));
      },
      `${file} has 24 events and not 25`,
    ],
    [
      "a file of another day",
      () => {
        const other = FILES[2] ?? "";
        const text = readFileSync(join(folder, `${other}.sha256`), "utf8").replaceAll(other, file);
        writeFileSync(join(folder, checksum), text);
        writeFileSync(join(folder, file), readFileSync(join(folder, other)));
      },
      `${file} has an event of 2020-01-31T00:00:00.000Z in line 1`,
    ],
  ])("names %s", async (_what, spoil, said) => {
    spoil();
    const found = await verify();
    expect(found.isWhole).toBe(false);
    expect(found.said).toContain(said);
  });

  test("is what sha256sum reads too", () => {
    const { exitCode } = Bun.spawnSync(["sh", "-c", "sha256sum --strict -c *.sha256"], { cwd: folder });
    expect(exitCode).toBe(0);
  });
});
