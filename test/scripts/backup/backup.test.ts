import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { cpSync, existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openSql } from "../../../actors/platform/db/sql.ts";
import { run } from "../../../agents/exec/command.ts";
import { backup } from "../../../scripts/backup/backup.ts";
import { restore } from "../../../scripts/backup/restore.ts";
import { makeDataFolder, markUnfinished } from "../../../scripts/data-folder.ts";
import { ledgerCheck } from "../../../scripts/ledger-check.ts";
import { migrateDatabase } from "../../../scripts/migrate-database.ts";
import { loadSecrets, secretsKeyFile, signingKeyFile } from "../../../scripts/secrets.ts";
import { tenant } from "../../gateway/routes/hosting/container/hosting.ts";
import { type EmbeddedStack, startEmbeddedStack } from "../../harness/embedded-stack.ts";
import { CLEAN_ENVIRONMENT } from "../../harness/environment.ts";
import {
  freshDatabase,
  migratedDatabase,
  startOwnPostgres,
  type TestDatabase,
  temporaryFolder,
} from "../../harness/servers.ts";
import { until } from "../../harness/until.ts";
import { rowsOf } from "./rows.ts";

const ROOT = join(import.meta.dir, "../../..");
const MIB = 2 ** 20;

describe("a backup", () => {
  let database: TestDatabase;
  let stack: EmbeddedStack;
  const data = temporaryFolder();
  const folder = temporaryFolder();
  const whole = join(folder, "whole");
  let rows: Record<string, string[]>;
  let user: Awaited<ReturnType<typeof tenant>>["user"];
  const said: string[] = [];
  const say = (line: string) => void said.push(line);
  const env = () => ({ BERTH_DATA: data, DATABASE_URL: database.url });

  beforeAll(async () => {
    database = await migratedDatabase();
    stack = await startEmbeddedStack({ databaseUrl: database.url });
    const ours = await tenant(stack, "node-1");
    user = ours.user;
    await stack.actors.wallet(user.id).credit({ amount: "500", reason: 'Odd \u2028 "text"\n\\' });
    await stack.actors.wallet(user.id).transfer({ amount: "25.50" });
    await ours.container("web");
    const made = await stack.call("POST", "/api/v1/storage-shares", {
      token: ours.token,
      body: { project_id: ours.projectId, server_id: ours.serverId, name: "data", size_bytes: 16 * MIB },
    });
    expect(made.status).toBe(201);

    makeDataFolder(data);
    loadSecrets(data);
    signingKeyFile(data);
    secretsKeyFile(data);
  });
  afterAll(() => database.drop());

  test("that is made while money moves is of one moment: the ledger of what is restored is proved", async () => {
    const moving = new AbortController();
    const wallet = stack.actors.wallet(user.id);
    const load = (async () => {
      while (!moving.signal.aborted) await wallet.transfer({ amount: "0.01" });
    })();
    const target = join(folder, "under-load.tar");
    expect(await backup(env(), say, [target])).toBe(true);
    moving.abort();
    await load;
    await stack.stop();
    expect(statSync(target).mode & 0o777).toBe(0o600);

    const restored = await freshDatabase();
    const to = { BERTH_DATA: join(folder, "from-tar"), DATABASE_URL: restored.url };
    said.length = 0;
    expect(await restore(to, say, [target])).toBe(true);
    expect(said.at(-1)).toBe("ledger: proved");
    // The database that it is in now is no empty place.
    const again = restore({ ...to, BERTH_DATA: join(folder, "again") }, say, [target]);
    await expect(again).rejects.toThrow("the database is not empty (it has accounts");
    expect(existsSync(join(folder, "again"))).toBe(false);
    await restored.drop();
  });

  test("is restored beside: every row, every key, and a Berth that works with them", async () => {
    rows = await rowsOf(database.url);
    said.length = 0;
    const named = join(folder, "token.txt");
    writeFileSync(named, "a file of the operator");
    expect(await backup(env(), say, [whole, named])).toBe(true);
    // Whoever wants to check it alone can.
    await run(["env", "-C", whole, "sha256sum", "--quiet", "-c", "SHA256SUMS"]);

    const place = join(temporaryFolder(), "restored");
    expect(await restore({ BERTH_DATA: place }, say, [whole])).toBe(true);
    for (const path of ["secrets.json", "keys/access-token.pem", "keys/secrets.key"]) {
      expect(readFileSync(join(place, path))).toEqual(readFileSync(join(data, path)));
      expect(statSync(join(place, path)).mode & 0o777).toBe(0o600);
    }
    expect(readFileSync(join(place, "named/token.txt"), "utf8")).toBe("a file of the operator");

    const server = await startOwnPostgres({
      dir: join(place, "postgres"),
      password: loadSecrets(place).postgres,
    });
    expect(await rowsOf(server.url)).toEqual(rows);
    const running = await startEmbeddedStack({ databaseUrl: server.url });
    const balance = async () =>
      (await running.db`SELECT general_cents::int AS cents FROM wallets WHERE user_id = ${user.id}`)[0]
        ?.cents;
    const before = await balance();
    await running.actors.wallet(user.id).transfer({ amount: "1" });
    expect(await balance()).toBe(before - 100);
    await running.stop();
    await server.stop();
  });

  test("is made, restored and refused by the commands, with the exit status and the JSON of all commands", async () => {
    const restored = await freshDatabase();
    const place = join(temporaryFolder(), "by-command");
    const berth = async (given: object, ...argv: string[]) => {
      const child = Bun.spawn([process.execPath, "scripts/berth.ts", ...argv], {
        cwd: ROOT,
        env: { ...CLEAN_ENVIRONMENT, ...given },
        stdio: ["ignore", "pipe", "pipe"],
      });
      const [out, err] = await Promise.all([child.stdout.text(), child.stderr.text()]);
      return { status: await child.exited, out, err };
    };
    const target = join(folder, "by-command.tar");
    const made = await berth(env(), "--json", "backup", target);
    expect([made.status, JSON.parse(made.out).ok]).toEqual([0, true]);
    const to = { BERTH_DATA: place, DATABASE_URL: restored.url };
    const back = await berth(to, "--json", "restore", target);
    expect([back.status, JSON.parse(back.out)]).toEqual([
      0,
      { ok: true, lines: expect.arrayContaining(["ledger: proved"]) },
    ]);
    expect(await rowsOf(restored.url)).toEqual(await rowsOf(database.url));
    const again = await berth(to, "restore", target);
    // A setting that names no empty folder is wrong usage, as a missing argument is.
    expect([again.status, again.out]).toEqual([2, ""]);
    expect(again.err).toContain(`berth: BERTH_DATA=${place} is not empty`);
    const none = await berth(to, "restore");
    expect([none.status, none.err]).toEqual([2, expect.stringContaining("source")]);
    await restored.drop();
  });

  test("with a damaged, a missing or a strange file is refused, the file is named, and the place stays empty", async () => {
    const place = join(folder, "not-made");
    const damages: [string, (copy: string) => void, string][] = [
      [
        "changed",
        (copy) => flipByte(join(copy, "database/wallets.jsonl.gz")),
        "database/wallets.jsonl.gz is damaged",
      ],
      ["manifest", (copy) => flipByte(join(copy, "manifest.json")), "manifest.json is damaged"],
      [
        "gone",
        (copy) => Bun.spawnSync(["rm", join(copy, "files/secrets.json")]),
        "files/secrets.json is missing",
      ],
      ["more", (copy) => writeFileSync(join(copy, "files/more"), ""), "files/more is not in SHA256SUMS"],
    ];
    for (const [name, damage, reason] of damages) {
      const copy = join(folder, name);
      cpSync(whole, copy, { recursive: true });
      damage(copy);
      await expect(restore({ BERTH_DATA: place }, say, [copy])).rejects.toThrow(join(copy, "").slice(0, -1));
      await expect(restore({ BERTH_DATA: place }, say, [copy])).rejects.toThrow(reason);
      expect(existsSync(place)).toBe(false);
    }
  });

  test("takes no name that is taken, and is restored into no folder that has anything", async () => {
    await expect(backup(env(), say, [whole])).rejects.toThrow(`${whole} exists: give a new name`);
    await expect(restore({ BERTH_DATA: data }, say, [whole])).rejects.toThrow(
      `BERTH_DATA=${data} is not empty`,
    );
    await expect(backup(env(), say, [join(folder, "x"), "/nowhere/key"])).rejects.toThrow(
      "/nowhere/key is not there",
    );
    expect(readdirSync(folder).filter((name) => name.startsWith("x"))).toEqual([]);
  });

  test("of a database without the keys of secrets and signing is refused, unless they are said to be elsewhere", async () => {
    const alone = { BERTH_DATA: temporaryFolder(), DATABASE_URL: database.url };
    const target = join(folder, "no-keys");
    await expect(backup(alone, say, [target])).rejects.toThrow(
      "BERTH_SECRETS_KEY_FILE and BERTH_SIGNING_KEY_FILE: no such key was found",
    );
    expect(existsSync(target)).toBe(false);
    expect(await backup(alone, say, [target], undefined, { areKeysElsewhere: true })).toBe(true);
  });

  test("says when it was whole in a file for Prometheus, and nothing there when it was not", async () => {
    const alone = { BERTH_DATA: temporaryFolder(), DATABASE_URL: database.url };
    const metricsFile = join(folder, "berth.prom");
    const options = { areKeysElsewhere: true, metricsFile };
    await expect(backup(alone, say, [whole], undefined, options)).rejects.toThrow("exists");
    expect(existsSync(metricsFile)).toBe(false);
    const before = Math.floor(Date.now() / 1_000);
    expect(await backup(alone, say, [join(folder, "told")], undefined, options)).toBe(true);
    const [, seconds] =
      /^berth_backup_last_success_timestamp_seconds (\d+)$/m.exec(readFileSync(metricsFile, "utf8")) ?? [];
    expect(Number(seconds)).toBeGreaterThanOrEqual(before);
    for (const [file, reason] of [
      [join(folder, "nowhere/berth.prom"), "is not there"],
      [join(folder, "berth.txt"), "ends in .prom"],
    ]) {
      const refused = backup(alone, say, [join(folder, "late")], undefined, {
        ...options,
        metricsFile: file,
      });
      await expect(refused).rejects.toThrow(reason);
    }
    expect(existsSync(join(folder, "late"))).toBe(false);
  });

  test("finds the database and the keys in the settings file of BERTH_CONFIG", async () => {
    const file = join(folder, "berth.conf");
    const [secrets, signing] = [secretsKeyFile(data), signingKeyFile(data)];
    writeFileSync(
      file,
      `DATABASE_URL=${database.url}\nBERTH_SECRETS_KEY_FILE=${secrets}\nBERTH_SIGNING_KEY_FILE=${signing}\nBERTH_NATS_REPLICAS=3\n`,
    );
    const target = join(folder, "by-file");
    expect(await backup({ BERTH_DATA: temporaryFolder(), BERTH_CONFIG: file }, say, [target])).toBe(true);
    expect(readFileSync(join(target, "files/named/secrets.key"))).toEqual(readFileSync(secrets));
    expect(readFileSync(join(target, "files/named/access-token.pem"))).toEqual(readFileSync(signing));
    const said: string[] = [];
    expect(await ledgerCheck({ BERTH_CONFIG: file }, (line) => said.push(line))).toBe(true);
    expect(await migrateDatabase({ BERTH_CONFIG: file }, (line) => said.push(line))).toBe(true);
    expect(said.slice(-2)).toEqual(["ledger: proved", "the database is up to date"]);
    await expect(
      restore({ BERTH_DATA: join(folder, "x"), BERTH_CONFIG: file }, say, [target]),
    ).rejects.toThrow("the database is not empty");
  });

  test("that is killed half-way leaves nothing that looks like one, and the next one cleans up", async () => {
    const target = join(folder, "nightly");
    const leftovers = () => readdirSync(folder).filter((name) => name.startsWith("nightly"));
    const blocked = Promise.withResolvers<void>();
    const sql = openSql(database.url, {
      max: 1,
      name: "blocks",
      session: { idle_in_transaction_session_timeout: "0" },
    });
    const lock = sql.begin(async (tx) => {
      await tx`LOCK TABLE wallets IN ACCESS EXCLUSIVE MODE`;
      await blocked.promise;
    });
    const child = Bun.spawn([process.execPath, "scripts/berth.ts", "backup", target], {
      cwd: ROOT,
      env: { ...CLEAN_ENVIRONMENT, ...env() },
      stdio: ["ignore", "ignore", "ignore"],
    });
    const isWriting = () =>
      leftovers().some((name) => existsSync(join(folder, name, "database/accounts.jsonl.gz")));
    await until(isWriting);
    child.kill("SIGKILL");
    await child.exited;
    blocked.resolve();
    await lock;
    await sql.end();
    const [left = ""] = leftovers();
    expect(left).toStartWith("nightly.unfinished-");
    const refused = restore({ BERTH_DATA: join(folder, "half") }, say, [join(folder, left)]);
    await expect(refused).rejects.toThrow("is no whole backup");
    expect(await backup(env(), say, [target])).toBe(true);
    expect(leftovers()).toEqual(["nightly"]);
  });

  test("whose restore was killed is no Berth: nothing starts in its folder", () => {
    const place = temporaryFolder();
    makeDataFolder(place);
    const finish = markUnfinished(place);
    expect(() => makeDataFolder(place)).toThrow(`a restore into BERTH_DATA=${place} did not finish`);
    finish();
    makeDataFolder(place);
  });
});

function flipByte(path: string): void {
  const bytes = readFileSync(path);
  const middle = Math.floor(bytes.length / 2);
  bytes[middle] = (bytes[middle] ?? 0) ^ 1;
  writeFileSync(path, bytes);
}
