import { afterEach, expect, test } from "bun:test";
import { mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { connect, credsAuthenticator } from "nats";
import postgres from "postgres";
import { isAlive } from "../../scripts/processes.ts";
import { natsServerPath } from "../../scripts/provision.ts";
import { runningDatabase } from "../../scripts/running-database.ts";
import { loadSecrets, markPasswordsPrinted } from "../../scripts/secrets.ts";
import { readSettings } from "../../scripts/settings.ts";
import { Supervisor } from "../../scripts/supervisor/supervisor.ts";
import { freePort, nats as startTestNats, temporaryFolder } from "../harness/servers.ts";
import { until } from "../harness/until.ts";
import { fakeRoles } from "./fixtures/roles.ts";
import { startedData } from "./fixtures/started-data.ts";

/** The one-machine supervisor on a real PostgreSQL and a real nats-server, with stand-ins for Berth's processes. */

interface Entry {
  name: string;
  event: string;
  pid: number;
  env?: Record<string, string>;
}

const started: Supervisor[] = [];
afterEach(async () => {
  for (const supervisor of started.splice(0)) await supervisor.stop();
});

async function setup(
  options: {
    data?: string;
    port?: number;
    env?: Record<string, string>;
    how?: Parameters<typeof fakeRoles>[1];
  } = {},
) {
  const data = options.data ?? join(temporaryFolder(), "data");
  const port = options.port ?? (await freePort());
  const journal = join(temporaryFolder(), "journal");
  writeFileSync(journal, "");
  const said: string[] = [];
  const supervisor = new Supervisor({
    settings: readSettings({
      BERTH_DATA: data,
      BERTH_PORT: String(port),
      BERTH_EDGE_PORT: String(await freePort()),
      BERTH_EDGE_HTTP_PORT: String(await freePort()),
      BERTH_METRICS_PORT: String(await freePort()),
      ...options.env,
    }),
    commands: fakeRoles(journal, options.how),
    cwd: "/",
    natsServer: natsServerPath,
    say: (line) => said.push(line),
    backoff: { firstMs: 10, maxMs: 50, resetAfterMs: 30_000 },
  });
  started.push(supervisor);
  const entries = (): Entry[] => read(journal);
  const environmentOf = (name: string) => entries().find((entry) => entry.name === name)?.env ?? {};
  return { supervisor, data, port, journal, said, entries, environmentOf };
}

const read = (journal: string): Entry[] =>
  readFileSync(journal, "utf8")
    .trim()
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line));

test("SIGHUP is passed on to Berth's own processes, and ends none", async () => {
  const { supervisor, entries } = await setup();
  await supervisor.start();
  const before = new Map(supervisor.processes);
  supervisor.reload();
  await until(() => entries().filter(({ event }) => event === "SIGHUP").length === 3);
  const told = entries().filter(({ event }) => event === "SIGHUP");
  expect(told.map(({ name }) => name).sort()).toEqual(["actors", "agent", "gateway"]);
  expect(new Map(supervisor.processes)).toEqual(before);
});

test("everything starts, each process with what it needs to know and no more, and stops in order", async () => {
  const { supervisor, data, port, entries, environmentOf } = await setup({
    env: { BERTH_ACTOR_HOSTS: "2", BERTH_ADMIN_PASSWORD: "chosen-by-admin" },
  });
  const { url, users } = await supervisor.start();
  expect(url).toBe(`http://127.0.0.1:${port}`);
  expect(users).toEqual([
    { name: "admin", password: "chosen-by-admin", generated: false },
    { name: "demo", password: expect.stringMatching(/^.{20}$/), generated: true },
  ]);
  expect([...supervisor.processes.keys()].sort()).toEqual(
    ["actors-1", "actors-2", "agent", "gateway", "nats", "postgres"].sort(),
  );

  const actors = environmentOf("actors");
  const gateway = environmentOf("gateway");
  const agent = environmentOf("agent");
  const seed = environmentOf("seed");
  const hosts = entries().filter(({ name }) => name === "actors");
  // They start at the same time.
  expect(hosts.map(({ env }) => env?.BERTH_HOST_ID).sort()).toEqual(["actors-1", "actors-2"]);
  expect(gateway.BERTH_PORT).toBe(String(port));
  expect([gateway.BERTH_LISTEN, agent.BERTH_EDGE_LISTEN]).toEqual(["127.0.0.1", "127.0.0.1"]);
  const metricsPorts = entries().flatMap(({ name, env }) =>
    name === "seed" || name === "join" ? [] : (env?.BERTH_METRICS_PORT ?? []),
  );
  expect(new Set(metricsPorts).size).toBe(4);
  expect(agent.BERTH_SERVER_NAME).toBe("node-1");
  expect(agent.BERTH_DATA).toBe(join(data, "agent"));
  expect(agent.DATABASE_URL).toBeUndefined();
  expect(new URL(gateway.DATABASE_URL ?? "").username).toBe("berth_gateway");
  // A credential of its own, which the join of this machine writes.
  const credential = join(data, "agent", "agent.creds");
  expect(new URL(agent.NATS_URL ?? "").searchParams.get("creds")).toBe(credential);
  expect(environmentOf("join").BERTH_DATA).toBe(join(data, "agent"));
  expect(seed.BERTH_ADMIN_PASSWORD).toBe("chosen-by-admin");
  expect(gateway.BERTH_ADMIN_PASSWORD).toBeUndefined();

  const sql = postgres(actors.DATABASE_URL ?? "");
  expect(await sql`SHOW fsync`).toMatchObject([{ fsync: "on" }]);
  expect(await sql`SHOW listen_addresses`).toMatchObject([{ listen_addresses: "127.0.0.1" }]);
  expect(await sql`SELECT current_user AS role`).toMatchObject([{ role: "berth_actors" }]);
  await sql.end();
  const natsUrl = new URL(actors.NATS_URL ?? "");
  const authenticator = credsAuthenticator(readFileSync(natsUrl.searchParams.get("creds") ?? ""));
  const nats = await connect({ servers: natsUrl.host, authenticator });
  await nats.jetstreamManager();
  await nats.close();

  const key = gateway.BERTH_SIGNING_KEY_FILE ?? "";
  expect(readFileSync(key, "utf8")).toStartWith("-----BEGIN PRIVATE KEY-----");
  for (const file of [key, join(data, "secrets.json"), join(data, "nats", "nats.conf")]) {
    expect(statSync(file).mode & 0o777).toBe(0o600);
  }

  const pids = [...supervisor.processes.values()];
  await supervisor.stop();
  expect(pids.filter(isAlive)).toEqual([]);
  const stops = entries().filter(({ event }) => event === "stop");
  expect(stops.map(({ name }) => name)).toEqual(["gateway", "agent", "actors", "actors"]);
});

test("a process loads before the servers are ready, and is told then where they are", async () => {
  const { supervisor, entries, data } = await setup({
    data: await startedData(),
    how: { gateway: "loads" },
    env: { BERTH_SEED: "none" },
  });
  await supervisor.start();
  const of = (event: string) => entries().find((entry) => entry.name === "gateway" && entry.event === event);
  expect(of("load")?.pid).toBe(of("start")?.pid);
  const [before, after] = [of("load")?.env ?? {}, of("start")?.env ?? {}];
  expect([before.DATABASE_URL, before.NATS_URL]).toEqual([undefined, undefined]);
  expect(before.BERTH_SIGNING_KEY_FILE).toStartWith(data);
  expect(new URL(after.DATABASE_URL ?? "").username).toBe("berth_gateway");
  expect(after.NATS_URL).toStartWith("nats://127.0.0.1:");
});

test("a database that does not start is told, and the processes that waited for it are ended", async () => {
  const data = join(temporaryFolder(), "data");
  mkdirSync(join(data, "postgres"), { recursive: true, mode: 0o711 });
  writeFileSync(join(data, "postgres", "PG_VERSION"), "9\n");
  const { supervisor, entries } = await setup({
    data,
    how: { gateway: "loads", actors: "loads", agent: "loads", seed: "loads", join: "loads" },
  });
  await expect(supervisor.start()).rejects.toThrow(/was made by PostgreSQL 9 and this is \d+/);
  expect(supervisor.processes.size).toBe(0);
  expect(
    entries()
      .filter(({ event }) => event === "start")
      .map(({ name }) => name),
  ).toEqual([]);
  await until(() => !entries().some(({ pid }) => isAlive(pid)));
});

test("a process that ends before the servers are ready ends the start, with the end of its log", async () => {
  const { supervisor } = await setup({ how: { gateway: "fails-loading" } });
  await expect(supervisor.start()).rejects.toThrow(
    /gateway did not start: it ended with code 4.*the reason it cannot load/s,
  );
  expect(supervisor.processes.size).toBe(0);
});

test("a process that dies is started again, the servers too", async () => {
  const { supervisor, said } = await setup({ data: await startedData() });
  await supervisor.start();
  for (const name of ["gateway", "nats", "postgres"]) {
    const before = await until(() => supervisor.processes.get(name));
    process.kill(before, "SIGKILL");
    const after = await until(() => {
      const pid = supervisor.processes.get(name);
      return pid !== undefined && pid !== before ? pid : undefined;
    });
    expect(isAlive(after)).toBe(true);
    expect(said.some((line) => line.startsWith(`${name} ended`))).toBe(true);
  }
});

test("a supervisor that is killed leaves nothing behind, and the next one has the data", async () => {
  const first = await setup({ data: await startedData() });
  const run = (port: number) =>
    Bun.spawn(
      [
        process.execPath,
        join(import.meta.dir, "fixtures", "supervise.ts"),
        first.data,
        String(port),
        first.journal,
      ],
      { stdout: "pipe", stderr: "inherit" },
    );
  const child = run(first.port);
  const { value: line } = await child.stdout.getReader().read();
  const pids = Object.values<number>(JSON.parse(new TextDecoder().decode(line)));
  expect(pids).toHaveLength(5);
  const sql = postgres(runningDatabase(first.data).owner);
  await sql`CREATE TABLE kept AS SELECT 1 AS one`;
  await sql.end();
  child.kill("SIGKILL");
  await child.exited;

  // At once, while the watchdog may still be ending the rest.
  const second = await setup({ data: first.data, port: first.port });
  await second.supervisor.start();
  const again = postgres(second.environmentOf("actors").DATABASE_URL ?? "");
  expect(await again`SELECT one FROM kept`).toMatchObject([{ one: 1 }]);
  await again.end();
  await until(() => !pids.some(isAlive));
});

test("a second supervisor on the same data is told so and starts nothing", async () => {
  const first = await setup({ data: await startedData() });
  await first.supervisor.start();
  const second = await setup({ data: first.data });
  await expect(second.supervisor.start()).rejects.toThrow(/^Berth runs already \(process \d+/);
  expect(second.entries()).toEqual([]);
  await second.supervisor.stop();
  expect(isAlive(first.supervisor.processes.get("postgres") ?? 0)).toBe(true);
});

test("a port that is taken is told before anything is started", async () => {
  const taken = createServer().listen(0, "127.0.0.1");
  await until(() => taken.listening);
  const address = taken.address();
  const port = typeof address === "object" && address ? address.port : 0;
  const { supervisor, entries } = await setup({ port });
  await expect(supervisor.start()).rejects.toThrow(`port ${port} is in use: set BERTH_PORT to a free one`);
  expect(entries()).toEqual([]);
  expect(supervisor.processes.size).toBe(0);
  taken.close();
});

test("a server of one's own that does not answer is told in one line without its password", async () => {
  const port = await freePort();
  const database = await setup({ env: { DATABASE_URL: `postgres://u:hidden@127.0.0.1:${port}/x` } });
  await expect(database.supervisor.start()).rejects.toThrow(
    /^DATABASE_URL: no PostgreSQL at 127\.0\.0\.1:\d+ \(.*$/,
  );
  const nats = await setup({ env: { NATS_URL: `nats://u:hidden@127.0.0.1:${port}` } });
  await expect(nats.supervisor.start()).rejects.toThrow(
    /^NATS_URL: no NATS with JetStream at 127\.0\.0\.1:\d+ \(.*$/,
  );
  const server = await startTestNats({ servers: [] });
  const wrong = await setup({ env: { NATS_URL: server.url.replace(/:[^:@]*@/, ":hidden@") } });
  await expect(wrong.supervisor.start()).rejects.toThrow(
    /^NATS_URL: NATS with JetStream at 127\.0\.0\.1:\d+ refuses: 'Authorization Violation': correct the user, .*$/,
  );
  await server.stop();
});

test("a process that fails at start ends the start, with the end of its log, and what had been started is stopped", async () => {
  const { supervisor, entries } = await setup({ data: await startedData(), how: { gateway: "fail" } });
  await expect(supervisor.start()).rejects.toThrow(
    /gateway did not start: it ended with code 3.*the reason it failed/s,
  );
  expect(supervisor.processes.size).toBe(0);
  expect(entries().filter(({ pid }) => isAlive(pid))).toEqual([]);
});

test("a seed that fails ends the start with the end of its log", async () => {
  const { supervisor } = await setup({ data: await startedData(), how: { seed: "fail" } });
  await expect(supervisor.start()).rejects.toThrow(/the demo seed failed with code 3.*the reason it failed/s);
});

test("passwords are still to be printed after a start that failed, until one has succeeded", async () => {
  const failed = await setup({ how: { gateway: "fail" } });
  await expect(failed.supervisor.start()).rejects.toThrow("gateway did not start");
  const { data } = failed;
  const { admin } = loadSecrets(data);
  const first = await setup({ data });
  const { users, arePasswordsUnprinted } = await first.supervisor.start();
  expect([users[0]?.password, arePasswordsUnprinted]).toEqual([admin, true]);
  await first.supervisor.stop();
  markPasswordsPrinted(data);
  const second = await setup({ data });
  expect((await second.supervisor.start()).arePasswordsUnprinted).toBe(false);
});

test("a stop during the start ends what had been started", async () => {
  const { supervisor, entries } = await setup({
    data: await startedData(),
    how: { gateway: "silent" },
    env: { BERTH_SEED: "none" },
  });
  const start = supervisor.start();
  start.catch(() => undefined);
  await until(() => entries().some(({ name }) => name === "gateway"));
  await supervisor.stop();
  await expect(start).rejects.toThrow();
  expect(entries().filter(({ pid }) => isAlive(pid))).toEqual([]);
});
