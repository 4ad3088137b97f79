import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import postgres from "postgres";
import { commandOf, endProcess } from "../processes.ts";
import { SetupError } from "../setup-error.ts";
import { type PostgresBinaries, postgresBinaries } from "./postgres-binaries.ts";
import { giveTo, isOrphan, linkTo, putAside, reachableFolder } from "./postgres-folder.ts";
import { launch, logSize, type RunningServer, type ServerOptions, saidSince } from "./server.ts";
import { postgresUser, type SystemUser } from "./system-user.ts";

export interface PostgresOptions extends ServerOptions {
  /** Password of the superuser `berth`; a cluster keeps the one from its creation. */
  readonly password: string;
  /** False for tests only: commits are then lost with the machine (not with the process). */
  readonly durable?: boolean;
  /** A higher limit for several Berths that share a server. */
  readonly connectionsMax?: number;
}

const USER = "berth";
const DATABASE = "berth";

/** Recovery after a crash replays at most max_wal_size, which takes seconds; a slow disk gets a minute. */
const READY_LIMIT_MS = 60_000;
const READY_POLL_MS = 20;
/** A fast shutdown writes a checkpoint of shared_buffers. */
const STOP_LIMIT_MS = 20_000;
/** Backends of a killed postmaster hold its shared memory until they notice, within about a second. */
const RETRY_LIMIT_MS = 10_000;
const RETRY_POLL_MS = 200;

/** For a small shared machine; everything else has PostgreSQL's default. */
const SETTINGS = {
  listen_addresses: "127.0.0.1",
  // No socket file: its path would have to be short, writable and unreachable for other users.
  unix_socket_directories: "",
  // Gateways and actor hosts keep pools of about ten each; the rest is for operators and backup agents.
  max_connections: "200",
  shared_buffers: "128MB",
  max_wal_size: "1GB",
  wal_compression: "on",
  // A holder that is idle in a transaction blocks the takeover of its leases.
  idle_in_transaction_session_timeout: "10s",
  tcp_keepalives_idle: "10",
  tcp_keepalives_interval: "5",
  tcp_keepalives_count: "3",
  timezone: "UTC",
  log_timezone: "UTC",
  // The statements are short: compiling them would cost more than running them.
  jit: "off",
  // Commits write the log themselves. Both processes wake once a second instead of five times, and write as much each second.
  wal_writer_delay: "1s",
  bgwriter_delay: "1s",
  bgwriter_lru_maxpages: "500",
  // Large reads are rare, and nobody replicates: each process less is memory less.
  io_method: "sync",
  max_logical_replication_workers: "0",
};

const DURABLE = { fsync: "on", synchronous_commit: "on", full_page_writes: "on" };
const VOLATILE = {
  fsync: "off",
  synchronous_commit: "off",
  full_page_writes: "off",
  wal_compression: "off",
  // The data may be in memory.
  max_wal_size: "256MB",
  // Its workers would look into each of a hundred short-lived databases.
  autovacuum: "off",
};
/** Tests open thousands of connections, and a password is to be hashed once for each. */
const VOLATILE_INITDB = ["--no-sync", "--no-data-checksums", "--set=scram_iterations=1"];

/**
 * Starts PostgreSQL on the loopback interface with the data in `dir`, created at first use, and a database `berth`. First it ends
 * a server that a killed owner left on the same folder. Root runs it as a system user of its own.
 *
 * @throws SetupError when it cannot start; the message quotes the log
 */
export async function startPostgres(options: PostgresOptions): Promise<RunningServer> {
  const user = postgresUser();
  const dir = reachableFolder(options.dir, user);
  if (dir !== options.dir)
    options.say?.(`the database is kept in ${dir}: its user cannot enter ${options.dir}`);
  const binaries = postgresBinaries(user);

  await endLeftover(dir);
  const start = () => startIn(dir, binaries, options, user);
  const server = await start().catch((error) => {
    if (!(error instanceof OtherPasswordError && isOrphan(dir, options.dir))) throw error;
    const aside = putAside(dir);
    options.say?.(
      `${options.dir} was deleted, and the password of its database with it: its data are in ${aside} ` +
        "(delete it, or put secrets.json back and rename it), and an empty database is created",
    );
    return start();
  });
  if (dir !== options.dir) linkTo(dir, options.dir);
  return server;
}

/** The database was created with another password. */
class OtherPasswordError extends SetupError {}

async function startIn(
  dir: string,
  binaries: PostgresBinaries,
  options: PostgresOptions,
  user: SystemUser | undefined,
): Promise<RunningServer> {
  if (!existsSync(join(dir, "PG_VERSION"))) await initialise(dir, binaries, options, user);
  checkVersion(dir, binaries);
  if (user) giveTo(user, dir);

  const limit = performance.now() + RETRY_LIMIT_MS;
  for (;;) {
    const since = logSize(options.log);
    const server = run(dir, binaries, options, user);
    const failure = await ready(dir, server.pid, server.exited);
    if (failure === undefined) {
      try {
        await createDatabase(dir, options);
      } catch (error) {
        await server.stop();
        throw error;
      }
      return server;
    }
    await server.stop();
    const text = saidSince(options.log, since);
    const busy = failure === "ended" && text.includes("shared memory block");
    if (!busy || performance.now() > limit) {
      throw new SetupError(`PostgreSQL did not start (${failure}); ${text}`);
    }
    await Bun.sleep(RETRY_POLL_MS);
  }
}

/** Ends the server that the data folder's pid file names, and removes a pid file that names another program. */
async function endLeftover(dir: string): Promise<void> {
  const file = join(dir, "postmaster.pid");
  const pid = Number.parseInt(pidFile(dir)[0] ?? "", 10);
  if (!Number.isInteger(pid)) return;
  const command = commandOf(pid);
  // The id may belong to another program by now, even to one of the same user, for example after a reboot.
  if (command.includes("postgres") && command.includes(dir)) await endProcess(pid, "SIGINT", STOP_LIMIT_MS);
  rmSync(file, { force: true });
}

async function initialise(
  dir: string,
  binaries: PostgresBinaries,
  options: PostgresOptions,
  user: SystemUser | undefined,
): Promise<void> {
  // In a separate folder until it is complete, so that an interrupted first start leaves no partial cluster.
  const half = `${dir}.new`;
  const passwordFile = `${dir}.password`;
  const since = logSize(options.log);
  rmSync(half, { recursive: true, force: true });
  mkdirSync(half, { mode: 0o700 });
  writeFileSync(passwordFile, options.password, { mode: 0o600 });
  if (user) for (const path of [half, passwordFile]) chownSync(path, user.uid, user.gid);
  try {
    const argv = [
      binaries.initdb,
      `--pgdata=${half}`,
      `--username=${USER}`,
      `--pwfile=${passwordFile}`,
      "--auth=scram-sha-256",
      "--encoding=UTF8",
      // The same sort order on every platform and with every version of its C library.
      "--locale=C",
      "--locale-provider=builtin",
      "--builtin-locale=C.UTF-8",
      "--no-instructions",
      ...(options.durable === false ? VOLATILE_INITDB : []),
    ];
    const initdb = launch(argv, {
      log: options.log,
      cwd: "/",
      // Else it compares hundreds of time zones with the machine's, and the server has its own setting.
      env: { ...environment(), TZ: SETTINGS.timezone },
      ...(user && { owner: user }),
    });
    if ((await initdb.exited) !== 0) {
      throw new SetupError(`initdb failed; ${saidSince(options.log, since)}`);
    }
    renameSync(half, dir);
  } finally {
    rmSync(passwordFile, { force: true });
  }
}

function checkVersion(dir: string, binaries: PostgresBinaries): void {
  const made = readFileSync(join(dir, "PG_VERSION"), "utf8").trim();
  const major = binaries.version.split(".")[0];
  if (made === major) return;
  throw new SetupError(
    `${dir} was made by PostgreSQL ${made} and this is ${major}: move it with pg_dump, or set BERTH_DATA elsewhere`,
  );
}

function run(
  dir: string,
  binaries: PostgresBinaries,
  options: PostgresOptions,
  user: SystemUser | undefined,
): RunningServer {
  const settings = {
    ...SETTINGS,
    ...(options.durable === false ? VOLATILE : DURABLE),
    ...(options.connectionsMax && { max_connections: String(options.connectionsMax) }),
  };
  const flags = Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
  chmodSync(dir, 0o700);
  const child = launch([binaries.postgres, "-D", dir, "-p", String(options.port), ...flags], {
    log: options.log,
    cwd: dir,
    env: environment(),
    ...(user && { owner: user }),
  });
  options.watchdog.watch(child.pid, "INT");
  const exited = child.exited.then((code) => {
    options.watchdog.forget(child.pid);
    return code;
  });
  return {
    url: url(options, DATABASE),
    pid: child.pid,
    exited,
    stop: async () => {
      // SIGINT: disconnect the clients and write a checkpoint. SIGTERM would wait for the clients.
      if (child.exitCode === null) await endProcess(child.pid, "SIGINT", STOP_LIMIT_MS);
      await exited;
    },
  };
}

/** Waits until the pid file says that connections are accepted, as pg_ctl does; else returns the reason. */
async function ready(dir: string, pid: number, exited: Promise<number>): Promise<string | undefined> {
  let ended = false;
  void exited.then(() => {
    ended = true;
  });
  const limit = performance.now() + READY_LIMIT_MS;
  while (performance.now() < limit) {
    const lines = pidFile(dir);
    // Line 8 is the state, padded with spaces.
    if (lines[0] === String(pid) && lines[7]?.trim() === "ready") return undefined;
    if (ended) return "ended";
    await Bun.sleep(READY_POLL_MS);
  }
  return `not ready after ${READY_LIMIT_MS / 1000} s`;
}

async function createDatabase(dir: string, options: PostgresOptions): Promise<void> {
  const sql = postgres(url(options, "postgres"), { max: 1, onnotice: () => undefined });
  try {
    const [known] = await sql`SELECT 1 FROM pg_database WHERE datname = ${DATABASE}`;
    if (!known) await sql`CREATE DATABASE ${sql(DATABASE)}`;
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "28P01")) throw error;
    throw new OtherPasswordError(
      `the database in ${dir} has another password than secrets.json: put that file back, ` +
        "or move this folder away to start with an empty database",
      { cause: error },
    );
  } finally {
    await sql.end({ timeout: 5 });
  }
}

const url = (options: PostgresOptions, database: string) =>
  `postgres://${USER}:${encodeURIComponent(options.password)}@127.0.0.1:${options.port}/${database}`;

/** Nothing of the user's environment: a PGDATA or PGPORT must not reach it. */
const environment = () => ({ PATH: process.env.PATH ?? "", LC_ALL: "C" });

function pidFile(dir: string): string[] {
  try {
    return readFileSync(join(dir, "postmaster.pid"), "utf8").split("\n");
  } catch {
    return [];
  }
}
