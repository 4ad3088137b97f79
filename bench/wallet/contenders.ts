import { join } from "node:path";
import { migrate } from "../../actors/platform/db/migrate.ts";
import { openSql, type Sql } from "../../actors/platform/db/sql.ts";
import type { Running } from "../../scripts/restart-supervisor.ts";
import { role } from "../../scripts/role.ts";
import type { RunningServer } from "../../scripts/servers/server.ts";
import { freePort, sharedWatchdog, temporaryFolder } from "../../test/harness/servers.ts";
import { type Stack, startStack } from "../../test/harness/stack.ts";
import { childrenWith } from "../cpu.ts";
import { peerProgram } from "../peers.ts";
import { createDatabase, seedWallets } from "./queries.ts";

/** One of those that are measured: an HTTP server on a database of its own. */
export interface Contender {
  readonly name: string;
  readonly port: number;
  readonly db: Sql;
  /** Its processes besides PostgreSQL, by their role. */
  readonly processes: Readonly<Record<string, number>>;
  stop(): Promise<void>;
}

/** Commits since a start: how many, for how many messages, and how long they took. */
export interface Commits {
  readonly count: number;
  readonly messages: number;
  readonly seconds: number;
}

export interface OwnContender extends Contender {
  readonly signingKeyFile: string;
  commits(): Promise<Commits>;
}

/** As in production: tests use a shorter one, which a busy machine could let run out. */
export const LEASE_TTL_MS = "5000";

/** Berth: one gateway, one actor host, a NATS of its own. */
export async function startBerth(server: RunningServer, userIds: readonly string[]): Promise<OwnContender> {
  const { url, db } = await prepareDatabase(server, "bench_berth", userIds);
  const stack = await startStack({ databaseUrl: url, actorHosts: 0, gatewayProcess: true });
  const metricsPort = await freePort();
  const host = await stack.startHost("actors-1", {
    BERTH_LEASE_TTL_MS: LEASE_TTL_MS,
    BERTH_METRICS_PORT: String(metricsPort),
  });
  const [gateway = 0] = childrenWith("gateway/main");
  return {
    name: "Berth",
    port: Number(new URL(stack.url).port),
    db,
    processes: { gateway, "actor host": host.pid, NATS: stack.nats.pid },
    signingKeyFile: stack.signingKeyFile,
    commits: () => readCommits(metricsPort),
    stop: () => stopBerth(stack, db),
  };
}

async function stopBerth(stack: Stack, db: Sql): Promise<void> {
  await stack.stop();
  await db.end({ timeout: 5 });
}

/** What an actor host says on its metrics port. */
export async function readCommits(port: number): Promise<Commits> {
  const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  const value = (name: string) => Number(new RegExp(`^${name} (\\S+)$`, "m").exec(text)?.[1] ?? 0);
  return {
    count: value("berth_commit_duration_seconds_count"),
    messages: value("berth_commit_messages_sum"),
    seconds: value("berth_commit_duration_seconds_sum"),
  };
}

/** The peers: the way's name in `peers/server.ts`, and what it is called in tables. */
const PEERS = {
  plpgsql: "Elysia + one PL/pgSQL call",
  begin: "Elysia + sql.begin, FOR UPDATE",
  read: "Elysia + the same query",
} as const;

export type PeerWay = keyof typeof PEERS;

/** The peers of a wallet's transfer. */
export const TRANSFER_PEERS: readonly PeerWay[] = ["plpgsql", "begin"];

/** A peer's database, on which it may be started with one pool or another. */
export interface Peer {
  readonly way: PeerWay;
  start(pool: number): Promise<Contender>;
  end(): Promise<void>;
}

export async function preparePeer(
  server: RunningServer,
  way: PeerWay,
  userIds: readonly string[],
  signingKeyFile: string,
): Promise<Peer> {
  const { url, db } = await prepareDatabase(server, `bench_${way}`, userIds);
  const folder = temporaryFolder();
  return {
    way,
    async start(pool) {
      const port = await freePort();
      const running: Running = await role({
        name: way,
        command: [process.execPath, peerProgram("server.ts"), way],
        cwd: folder,
        env: {
          PATH: process.env.PATH ?? "",
          DATABASE_URL: url,
          PORT: String(port),
          POOL: String(pool),
          BERTH_SIGNING_KEY_FILE: signingKeyFile,
        },
        log: join(folder, "peer.log"),
        watchdog: sharedWatchdog(),
      }).start(new AbortController().signal);
      return { name: PEERS[way], port, db, processes: { handler: running.pid }, stop: () => running.stop() };
    },
    end: () => db.end({ timeout: 5 }),
  };
}

/** A database with Berth's own schema, and the users' wallets in it. */
export async function prepareDatabase(
  server: RunningServer,
  name: string,
  userIds: readonly string[],
): Promise<{ url: string; db: Sql }> {
  const administration = openSql(server.url, { max: 1, name: "bench" });
  await createDatabase(administration, name);
  await administration.end({ timeout: 5 });
  const url = new URL(server.url);
  url.pathname = `/${name}`;
  await migrate(url.href);
  const db = openSql(url.href, { max: 1, name: "bench", session: { statement_timeout: "0" } });
  await seedWallets(db, userIds);
  return { url: url.href, db };
}
