import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { chmodSync, chownSync, mkdirSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { createAccount, createUser, fmtCreds } from "@nats-io/jwt";
import { gatewaySession } from "../../actors/platform/db/gateway-sessions/name.ts";
import { openSql, type Sql } from "../../actors/platform/db/sql.ts";
import { makeAuthority } from "../../agents/edge/tls/make-certificates.ts";
import { TokenIssuer } from "../../gateway/auth/access-tokens.ts";
import { readSigningKey } from "../../gateway/auth/signing-key.ts";
import { hostCredential } from "../../gateway/hosts/nats-claims.ts";
import packageJson from "../../package.json" with { type: "json" };
import { checkCluster } from "../../scripts/doctor/cluster.ts";
import {
  checkClock,
  checkConnections,
  checkDatabaseHealth,
  checkGatewayRole,
  checkMigrations,
  checkReplica,
  checkVersion,
} from "../../scripts/doctor/database.ts";
import { examine } from "../../scripts/doctor/doctor.ts";
import type { Finding } from "../../scripts/doctor/finding.ts";
import { checkKeys, checkSigningKey } from "../../scripts/doctor/keys.ts";
import { checkLogins } from "../../scripts/doctor/logins.ts";
import {
  checkBun,
  checkCertificates,
  checkCredential,
  checkIsolation,
  checkSecrets,
  judgeDisk,
} from "../../scripts/doctor/machine.ts";
import { checkNats, judgeLag, judgeRoom } from "../../scripts/doctor/nats.ts";
import { checkGatewayPort, checkPorts } from "../../scripts/doctor/ports.ts";
import { checkVersions } from "../../scripts/doctor/versions.ts";
import { natsOperatorOf } from "../../scripts/nats-operator.ts";
import { besideRunning, supervisorLock, writeRunningSettings } from "../../scripts/running-settings.ts";
import { loadSecrets, secretsKeyIn, signingKeyIn } from "../../scripts/secrets.ts";
import { readSettings } from "../../scripts/settings.ts";
import { acquireInstanceLock } from "../../system/instance-lock.ts";
import { CLEAN_ENVIRONMENT } from "../harness/environment.ts";
import {
  freePort,
  migratedDatabase,
  nats,
  rolesOf,
  type TestDatabase,
  type TestNats,
  temporaryFolder,
} from "../harness/servers.ts";
import { until } from "../harness/until.ts";

/** Each check finds nothing where all is well, and its fault where there is one. */

const stateOf = (findings: readonly Finding[], check: string) =>
  findings.filter((one) => one.check === check).map(({ state, found }) => [state, found]);
const faultsOf = (findings: readonly Finding[]) => findings.filter(({ state }) => state !== "ok");

const NOBODY = 65_534;

describe("the doctor", () => {
  let database: TestDatabase;
  let db: Sql;
  let gatewayUrl: string;
  let server: TestNats;
  beforeAll(async () => {
    database = await migratedDatabase();
    gatewayUrl = (await rolesOf(database.url)).gateway;
    db = openSql(database.url, { max: 2, name: "test" });
    server = await nats({ servers: ["node-1"] });
    await db`UPDATE leases SET owner = 'one', expires_at = now() + interval '1 hour'`;
    await db`INSERT INTO hosts (host, expires_at, status) VALUES ('one', now() + interval '1 hour', ${db.json(STATUS)})`;
  });
  afterAll(async () => {
    await db.end();
    await server.stop();
    await database.drop();
  });

  test("finds nothing wrong with a database that is well, and each fault of one that is not", async () => {
    expect(faultsOf(await checkDatabaseHealth(db))).toEqual([]);
    await db`INSERT INTO events (id, event_type, resource_type, data, created_at) VALUES ('e', 'x', 'y', '{}', '1999-01-01')`;
    const [removed] = await db`DELETE FROM migrations WHERE name LIKE '0018%' RETURNING *`;
    const findings = await checkDatabaseHealth(db);
    await db`DELETE FROM events`;
    expect(stateOf(findings, "event log")).toEqual([
      ["fault", "there are events of a month that has no partition"],
    ]);
    expect(stateOf(findings, "migrations")).toEqual([
      ["fault", "1 are missing, the first is 0018_storage_shares.sql"],
    ]);
    await db`INSERT INTO migrations ${db({ ...removed, sha256: "edited" } as never)}`;
    expect(await checkMigrations(db)).toMatchObject({
      state: "fault",
      found: "migration 0018_storage_shares.sql was edited after it ran",
    });
    await db`UPDATE migrations SET sha256 = ${removed?.sha256} WHERE name = ${removed?.name}`;
    expect(faultsOf(await checkDatabaseHealth(db))).toEqual([]);
  });

  test("compares the clocks, but for the time that the question took", () => {
    expect([checkClock(1.9, 0), checkClock(-5, 4), checkClock(-2.1, 0)].map(({ state }) => state)).toEqual([
      "ok",
      "ok",
      "fault",
    ]);
  });

  test("knows an old server, one without connections, and a replica that is behind", () => {
    expect(checkVersion(140_012)).toMatchObject({ state: "fault", found: "PostgreSQL 14.12" });
    expect([checkConnections(180, 200), checkConnections(181, 200)].map(({ state }) => state)).toEqual([
      "ok",
      "warning",
    ]);
    const behind = (replicaLagSeconds: number | null) =>
      checkReplica({ replicas: 1, areReplicasHidden: false, replicaLagSeconds }).state;
    expect([behind(null), behind(1), behind(31)]).toEqual(["ok", "ok", "warning"]);
    const hidden = { replicas: 1, areReplicasHidden: true, replicaLagSeconds: null };
    expect(checkReplica(hidden)).toMatchObject({
      state: "warning",
      remedy: expect.stringContaining("roles.sql"),
    });
  });

  test("warns of a gateway whose role may write", async () => {
    expect(await checkGatewayRole(db)).toMatchObject({ state: "warning" });
    const gateway = openSql(gatewayUrl, { max: 1, name: "test" });
    expect(await checkGatewayRole(gateway)).toMatchObject({ state: "ok" });
    await gateway.end();
  });

  test("names quarantined actors, partitions without an owner, failing tasks and what is not delivered", async () => {
    expect(faultsOf(await checkCluster(db))).toEqual([]);
    const bad = { ...STATUS, quarantined: ["wallet/1", "wallet/2"], tasks_failing: 3 };
    await db`UPDATE hosts SET status = ${db.json(bad)}`;
    await db`UPDATE leases SET owner = NULL WHERE partition < 5`;
    await db`INSERT INTO outbox (partition, seq, topic, body, created_at) VALUES (7, 1001, 'event', '{}', now())`;
    const findings = await checkCluster(db);
    expect(faultsOf(findings).map(({ check, state, found }) => [check, state, found])).toEqual([
      ["partitions", "fault", "5 have no owner"],
      ["quarantined actors", "fault", "wallet/1, wallet/2"],
      ["timers and sends", "warning", "3 fail and are tried again"],
      ["outbox", "fault", "1001 effects wait"],
    ]);
    await db`DELETE FROM hosts`;
    expect(stateOf(await checkCluster(db), "actor hosts")).toEqual([
      ["fault", "none is alive: nothing can be changed"],
    ]);
    await db`INSERT INTO hosts (host, expires_at, status) VALUES ('one', now() + interval '1 hour', ${db.json(STATUS)})`;
    await db`UPDATE leases SET owner = 'one'`;
    await db`DELETE FROM outbox`;
  });

  test("names the processes of another version than the rest, and says how an upgrade is finished", async () => {
    const withVersion = (version: string) => db.json({ ...STATUS, version });
    await db`UPDATE hosts SET status = ${withVersion("2")}`;
    const gateways = ["2", "1"].map((version) =>
      openSql(gatewayUrl, { max: 1, name: gatewaySession(`gw-${version}`, version) }),
    );
    const earlier = openSql(gatewayUrl, { max: 1, name: "berth-gateway" });
    await Promise.all([...gateways, earlier].map((sql) => sql`SELECT 1`));
    await db`
      INSERT INTO host_machines (id, version, name, draining, ended_accounts, facts, last_seen_at, created_at, updated_at)
      VALUES ('n', 1, 'node-1', false, '[]', ${db.json({ agent_version: "1" })}, now(), now(), now())`;
    expect(await checkVersions(db, "2")).toEqual([
      {
        ...{ check: "versions", state: "warning" },
        found: "2 runs, and not everywhere: gateway (an earlier one), gateway gw-1 (1), agent node-1 (1)",
        remedy:
          "finish the upgrade: restart actor hosts, then gateways, then agents, one at a time (docs/operations/upgrades.md)",
      },
    ]);
    await Promise.all([...gateways, earlier].map((sql) => sql.end()));
    await db`DELETE FROM host_machines`;
    const alone = async (own: string) => stateOf(await checkVersions(db, own), "versions");
    await until(async () => (await alone("2"))[0]?.[0] === "ok");
    expect(await alone("2")).toEqual([["ok", "all processes are of 2"]]);
    expect(await alone("3")).toEqual([["warning", "all processes are of 2, and this command of 3"]]);
    await db`UPDATE hosts SET status = ${db.json(STATUS)}`;
  });

  test("names hosts that are silent, have not joined, or are full", async () => {
    const facts = { agent_version: "1", disk_bytes: 1_000, disk_free_bytes: 500 };
    const add = (id: string, seconds: number | null, changed: object = {}) => db`
      INSERT INTO host_machines (id, version, name, draining, ended_accounts, facts, last_seen_at, created_at, updated_at)
      VALUES (${id}, 1, ${id}, false, '[]', ${db.json({ ...facts, ...changed })},
        now() - ${seconds}::float8 * interval '1 s', now(), now())`;
    await add("well", 1);
    expect(stateOf(await checkCluster(db), "hosts")).toEqual([["ok", "1, all seen"]]);
    await add("silent", 90);
    await add("hung", 1);
    await db`UPDATE host_machines SET silent_since = now() WHERE id = 'hung'`;
    await add("new", null);
    await add("full", 1, { disk_free_bytes: 49 });
    expect(stateOf(await checkCluster(db), "hosts")).toEqual([
      ["fault", "do not answer: hung, silent"],
      ["warning", "have not joined yet: new"],
      ["warning", "nearly full disk: full"],
    ]);
    await db`DELETE FROM host_machines`;
  });

  test("says that NATS is away or refuses, that its stream is missing, and that it is full", async () => {
    expect(stateOf(await checkNats(server.url), "event stream")).toEqual([
      ["warning", "there is no stream EVENTS"],
    ]);
    const port = await freePort();
    expect(await checkNats(`nats://127.0.0.1:${port}`)).toMatchObject([{ check: "NATS", state: "fault" }]);
    expect(stateOf(await checkNats(`${server.url},127.0.0.1:${port}`), "NATS servers")).toEqual([
      ["warning", `1 of 2 cannot be reached: 127.0.0.1:${port}`],
    ]);
    const wrong = new URL(server.url);
    wrong.password = "wrong";
    expect(await checkNats(wrong.href)).toMatchObject([
      { check: "NATS", state: "fault", found: expect.stringContaining("name control.creds") },
    ]);
    expect([judgeLag("a", 10_000), judgeLag("a", 10_001)]).toMatchObject([
      { state: "ok" },
      { state: "warning", found: "a is 10001 events behind" },
    ]);
    expect([judgeRoom(89, 100), judgeRoom(90, 100), judgeRoom(90, -1)].map(({ state }) => state)).toEqual([
      "ok",
      "fault",
      "ok",
    ]);
  });

  test("tries a host's own credential at NATS, by the settings that it joined with", async () => {
    const data = temporaryFolder();
    const joined = (url: string) =>
      writeFileSync(join(data, "agent.env"), `NATS_URL=${url}\nBERTH_DATA=${data}\n`);
    const { keys } = await natsOperatorOf(join(temporaryFolder(), "keys"));
    const user = createUser();
    const host = { name: "node-1", account: createAccount().getPublicKey() };
    writeFileSync(
      join(data, "agent.creds"),
      fmtCreds(await hostCredential(keys, host, user.getPublicKey()), user),
    );
    const found = async () => (await examine({ BERTH_DATA: data })).filter(({ check }) => check === "NATS");
    const { host: at } = new URL(server.url);
    joined(server.agentUrl("node-1"));
    expect(await found()).toMatchObject([{ state: "ok", found: `${at} takes the credential of this host` }]);
    joined(server.agentUrl("node-1").replace(/:[^:@]*@/, ":wrong@"));
    expect(await found()).toMatchObject([
      { state: "fault", remedy: expect.stringContaining("berth admin hosts token") },
    ]);
    joined(`nats://agent-node-1:x@127.0.0.1:${await freePort()}`);
    expect(await found()).toMatchObject([
      { state: "fault", found: expect.stringContaining("cannot be reached from here") },
    ]);
  });

  test("looks at this machine: disk, Bun, open secrets, certificates, what isolates containers", async () => {
    const gigabytes = (free: number) => judgeDisk("/", free * 2 ** 30, 100 * 2 ** 30).state;
    expect([gigabytes(10), gigabytes(9), gigabytes(2)]).toEqual(["ok", "warning", "fault"]);
    expect([checkBun(packageJson.devDependencies.bun), checkBun("1.0.0")].map(({ state }) => state)).toEqual([
      "ok",
      "warning",
    ]);
    const data = temporaryFolder();
    loadSecrets(data);
    expect(checkSecrets(data).state).toBe("ok");
    chmodSync(join(data, "secrets.json"), 0o640);
    expect(checkSecrets(data)).toMatchObject({
      state: "fault",
      remedy: `chmod 600 ${join(data, "secrets.json")}`,
    });
    expect((await checkIsolation(data, "/nowhere")).filter(({ state }) => state === "fault")).toContainEqual(
      expect.objectContaining({ check: "host: programs", remedy: expect.stringContaining("crun") }),
    );
    const runc = join(data, "runc");
    writeFileSync(runc, "#!/bin/sh\nprintf '%s\\n' 'runc version 1.1.5' 'libseccomp: 2.5.4'\n");
    chmodSync(runc, 0o755);
    const underRunc = await checkIsolation(data, undefined, runc);
    expect(stateOf(underRunc, "host: runtime")).toEqual([["ok", "runc 1.1.5"]]);
    expect(stateOf(underRunc, "host: counters by user")).toMatchObject([["warning", expect.any(String)]]);
  });

  test("tries the login of each role, and names the one that the database refuses", async () => {
    const urls = await rolesOf(database.url);
    const wrong = new URL(urls.actors);
    wrong.password = "hunter2";
    const given = { BERTH_GATEWAY_DATABASE_URL: urls.gateway, DATABASE_URL: wrong.href };
    const one = await checkLogins(readSettings(given));
    expect(one).toMatchObject({
      url: urls.gateway,
      findings: [
        {
          ...{ check: "database", state: "fault" },
          found: `DATABASE_URL: PostgreSQL at ${wrong.host} refuses: password authentication failed for user "berth_actors"`,
          remedy: "correct the user, the password or the rest of DATABASE_URL",
        },
        { check: "database logins", state: "ok", found: "BERTH_GATEWAY_DATABASE_URL" },
      ],
    });
    const other = await checkLogins(
      readSettings({ BERTH_GATEWAY_DATABASE_URL: wrong.href, DATABASE_URL: urls.actors }),
    );
    expect([other.url, other.isGateways]).toEqual([urls.actors, false]);
    const all = { ...given, DATABASE_URL: urls.actors, BERTH_OWNER_DATABASE_URL: urls.owner };
    expect((await checkLogins(readSettings(all))).findings).toMatchObject([
      { state: "ok", found: "BERTH_GATEWAY_DATABASE_URL, DATABASE_URL, BERTH_OWNER_DATABASE_URL" },
    ]);
  });

  test("finds key files that are missing, are none, or that others may read, wherever settings name them", async () => {
    const folder = join(temporaryFolder(), "keys");
    const { keysFile, controlCreds } = await natsOperatorOf(folder);
    const env = {
      BERTH_SIGNING_KEY_FILE: signingKeyIn(folder),
      BERTH_SECRETS_KEY_FILE: secretsKeyIn(folder),
      BERTH_NATS_KEYS_FILE: keysFile,
      NATS_URL: `nats://127.0.0.1:4222?creds=${controlCreds}`,
      BERTH_CONFIG: join(folder, "berth.conf"),
    };
    writeFileSync(env.BERTH_CONFIG, "", { mode: 0o640 });
    expect(faultsOf(await checkKeys(env))).toEqual([]);
    expect(await checkKeys(env)).toHaveLength(5);
    for (const file of [env.BERTH_CONFIG, controlCreds]) {
      chmodSync(file, 0o644);
      expect(faultsOf(await checkKeys(env))).toMatchObject([
        { check: "modes of key files", found: `others may read or change ${file}` },
      ]);
      chmodSync(file, 0o640);
    }
    for (const setting of Object.keys(env).filter((name) => !["BERTH_CONFIG", "NATS_URL"].includes(name))) {
      const bad = join(folder, "none");
      writeFileSync(bad, "no key", { mode: 0o600 });
      expect(faultsOf(await checkKeys({ ...env, [setting]: bad }))).toMatchObject([
        { check: "key file", state: "fault", found: expect.stringContaining(`${setting}: ${bad} cannot`) },
      ]);
      expect(faultsOf(await checkKeys({ ...env, [setting]: join(folder, "away") }))).toMatchObject([
        { found: expect.stringContaining("ENOENT") },
      ]);
    }
  });

  test.skipIf(process.getuid?.() !== 0)(
    "finds key files that root reads and the group of the settings does not, as they come out of a backup",
    async () => {
      const folder = join(temporaryFolder(), "keys");
      const env = {
        BERTH_SECRETS_KEY_FILE: secretsKeyIn(folder),
        BERTH_CONFIG: join(temporaryFolder(), "berth.conf"),
      };
      writeFileSync(env.BERTH_CONFIG, "", { mode: 0o640 });
      expect(faultsOf(await checkKeys(env))).toEqual([]);
      chownSync(env.BERTH_CONFIG, 0, NOBODY);
      expect(faultsOf(await checkKeys(env))).toMatchObject([
        { check: "readers of key files", found: expect.stringContaining(env.BERTH_SECRETS_KEY_FILE) },
      ]);
      chownSync(env.BERTH_SECRETS_KEY_FILE, NOBODY, NOBODY);
      expect(faultsOf(await checkKeys(env))).toHaveLength(1);
      chownSync(folder, NOBODY, NOBODY);
      expect(faultsOf(await checkKeys(env))).toEqual([]);
    },
  );

  test("misses the signing key of a gateway's settings, and that of npm start", () => {
    const data = temporaryFolder();
    const url = "postgres://a:b@c/d";
    expect(checkSigningKey({ DATABASE_URL: url }, data, false)).toMatchObject([{ state: "warning" }]);
    expect(checkSigningKey({ DATABASE_URL: url, BERTH_SIGNING_KEY_FILE: "x" }, data, false)).toEqual([]);
    expect(checkSigningKey({}, data, false)).toEqual([]);
    loadSecrets(data);
    expect(checkSigningKey({}, data, true)).toMatchObject([{ check: "signing key", state: "fault" }]);
    signingKeyIn(join(data, "keys"));
    expect(checkSigningKey({}, data, true)).toEqual([]);
  });

  test("names the cause before what follows from it: NATS, then the actor hosts that need it", async () => {
    await db`DELETE FROM hosts`;
    const port = await freePort();
    const findings = await examine({
      ...{ BERTH_DATA: join(temporaryFolder(), "none"), DATABASE_URL: gatewayUrl },
      NATS_URL: `nats://127.0.0.1:${port}`,
    });
    await db`INSERT INTO hosts (host, expires_at, status) VALUES ('one', now() + interval '1 hour', ${db.json(STATUS)})`;
    expect(findings.filter(({ state }) => state === "fault")).toMatchObject([
      { check: "NATS", found: expect.stringContaining(`127.0.0.1:${port} cannot be used`) },
      { check: "actor hosts", remedy: expect.stringContaining("mend NATS first") },
    ]);
  });

  test("finds certificates that end soon, have ended, or are none", async () => {
    const data = temporaryFolder();
    const folder = join(data, "edge/tls");
    mkdirSync(folder, { recursive: true });
    await makeAuthority({ key: join(folder, "ca.key"), cert: join(folder, "ca.pem") }, "berth.localhost");
    // It is good for ten years.
    const left = (days: number) =>
      checkCertificates(data, {}, new Date(Date.now() + (3650 - days) * 86_400_000)).map(
        ({ state }) => state,
      );
    expect([left(30), left(20), left(2), left(-1)]).toEqual([["ok"], ["warning"], ["fault"], ["fault"]]);
    const bad = join(data, "bad.pem");
    writeFileSync(bad, "no certificate");
    expect(checkCertificates(data, { edge: bad })).toMatchObject([{ state: "fault" }]);
    const gateway = join(folder, "ca.pem");
    expect(checkCertificates(temporaryFolder(), { gateway })).toMatchObject([{ state: "ok" }]);
  });

  test("finds a credential of the agent that has nearly expired", async () => {
    const data = temporaryFolder();
    expect(await checkCredential(data)).toEqual([]);
    const { keys } = await natsOperatorOf(join(data, "keys"));
    const user = createUser();
    const host = { name: "node-1", account: createAccount().getPublicKey() };
    const jwt = await hostCredential(keys, host, user.getPublicKey());
    writeFileSync(join(data, "agent.creds"), fmtCreds(jwt, user));
    const at = async (days: number) =>
      (await checkCredential(data, new Date(Date.now() + days * 86_400_000)))[0]?.state;
    expect([await at(0), await at(20), await at(31)]).toEqual(["ok", "warning", "fault"]);
  });

  test("finds a port that another program has, and a gateway that does not answer", async () => {
    const [taken, edge, http] = [await freePort(), await freePort(), await freePort()];
    const settings = readSettings({
      BERTH_PORT: `${taken}`,
      BERTH_EDGE_PORT: `${edge}`,
      BERTH_EDGE_HTTP_PORT: `${http}`,
    });
    expect(faultsOf(await checkPorts(settings, false))).toEqual([]);
    expect(faultsOf(await checkPorts(settings, true)).map(({ check }) => check)).toEqual([
      "BERTH_PORT",
      "BERTH_EDGE_PORT",
      "BERTH_EDGE_HTTP_PORT",
      "gateway",
    ]);
    const other = createServer().listen(taken, "127.0.0.1");
    await new Promise((resolve) => other.once("listening", resolve));
    expect(faultsOf(await checkPorts(settings, false))).toMatchObject([
      { check: "BERTH_PORT", found: `port ${taken} cannot be used (EADDRINUSE)` },
    ]);
    other.close();
  });

  test("says whether the port of a gateway's settings is free, its installation's, or another program's", async () => {
    const port = await freePort();
    const env = {
      BERTH_LISTEN: "127.0.0.1",
      BERTH_SIGNING_KEY_FILE: signingKeyIn(join(temporaryFolder(), "keys")),
    };
    const found = async () => (await checkGatewayPort({ port }, env)).map((one) => [one.state, one.found]);
    expect(await found()).toEqual([["ok", `port ${port} is free`]]);
    const keys = (await TokenIssuer.create(await readSigningKey(env.BERTH_SIGNING_KEY_FILE))).jwks();
    let says: object = keys;
    const server = Bun.serve({ port, hostname: "127.0.0.1", fetch: () => Response.json(says) });
    expect(await found()).toEqual([["ok", `a gateway of this installation is on port ${port}`]]);
    says = { keys: [{ ...keys.keys[0], kid: "another" }] };
    expect(await found()).toMatchObject([["fault", expect.stringContaining("of another installation")]]);
    says = {};
    expect(await found()).toMatchObject([
      ["fault", expect.stringContaining("another program listens there")],
    ]);
    await server.stop(true);
    expect(await checkGatewayPort({ port }, { BERTH_SIGNING_KEY_FILE: "/nowhere" })).toEqual([]);
  });

  test("knows the settings of the Berth that runs in the folder, below its own", async () => {
    const data = temporaryFolder();
    await writeRunningSettings(data, {
      BERTH_PORT: "1234",
      BERTH_LISTEN: "::1",
      BERTH_ADMIN_PASSWORD: "hidden",
    });
    expect(besideRunning({ BERTH_DATA: data }).BERTH_PORT).toBeUndefined();
    const unlock = acquireInstanceLock(supervisorLock(data), () => "taken");
    expect(besideRunning({ BERTH_DATA: data, BERTH_LISTEN: "127.0.0.1" })).toEqual({
      BERTH_DATA: data,
      BERTH_PORT: "1234",
      BERTH_LISTEN: "127.0.0.1",
    });
    unlock();
  });

  test("is a command: for people, as JSON, with a status of 1 where there is a fault and 2 for a wrong setting", async () => {
    const run = (words: string[], env: Record<string, string>) => {
      const { exitCode, stdout, stderr } = Bun.spawnSync(
        [process.execPath, "scripts/berth.ts", "doctor", ...words],
        {
          cwd: join(import.meta.dir, "../.."),
          env: { ...CLEAN_ENVIRONMENT, BERTH_DATA: join(temporaryFolder(), "none"), ...env },
        },
      );
      return { exitCode, said: stdout.toString(), failed: stderr.toString() };
    };
    const well = run(["--json"], { DATABASE_URL: gatewayUrl });
    expect(JSON.parse(well.said)).toMatchObject({
      ok: true,
      findings: expect.arrayContaining([expect.objectContaining({ check: "clock", state: "ok" })]),
    });
    expect(well.exitCode).toBe(0);
    const away = run([], { DATABASE_URL: `postgres://a:hunter2@127.0.0.1:${await freePort()}/b` });
    expect(away.exitCode).toBe(1);
    expect(away.said).toMatch(/^FAULT {3}database: .*ECONNREFUSED.*\n {8}start it, or correct DATABASE_URL/m);
    expect(away.said).not.toContain("hunter2");
    const config = join(temporaryFolder(), "berth.conf");
    // It has a password in it.
    writeFileSync(config, `DATABASE_URL=${gatewayUrl}\n`, { mode: 0o600 });
    expect(JSON.parse(run(["--json"], { BERTH_CONFIG: config }).said).ok).toBe(true);
    expect(run([], { BERTH_PORT: "x" })).toMatchObject({
      exitCode: 2,
      failed: expect.stringContaining("BERTH_PORT"),
    });
  });
});

const STATUS = {
  ...{
    started_at: new Date(0).toISOString(),
    partitions: 64,
    queued: 0,
    actors: 0,
    quarantined: [] as string[],
  },
  ...{ tasks: 0, tasks_failing: 0, undelivered: 0, commit_ms: { p50: 1, p95: 1, commits: 1 } },
};
