import { connect, type Socket } from "node:net";
import { Duplex } from "node:stream";
import postgres from "postgres";
import { bounded } from "./bounded.ts";
import type { Sql } from "./sql.ts";

/** How often the servers are asked which of them is the primary. A connection to another one is useless from then on. */
const LOOK_EVERY_MS = 1_000;
/** A server that takes longer is away, or too slow to be of use. */
const REPLY_MS_MAX = 2_000;
const SECONDS = 1_000;

/** No server of the list takes writes at the moment. */
class NoPrimaryError extends Error {
  override readonly name = "NoPrimaryError";
  /** The code of a failed connection, for `isDatabaseUnavailable`. */
  readonly code = "ECONNREFUSED";
}

interface Server {
  readonly host: string;
  readonly port: number;
  readonly probe: Probe;
}

/**
 * The primary among several servers of PostgreSQL. It opens the sockets of a pool to the server that takes writes, and closes them once
 * another one does: a machine that was cut off closes none itself.
 */
export class Primary {
  readonly #servers: readonly Server[];
  readonly #sockets = new Map<Socket, Server>();
  #current: Server | undefined;
  #looking: Promise<void> | undefined;
  readonly #timer: ReturnType<typeof setInterval>;

  #users = 0;

  /** The one of this process for these servers; `release` it. @param urls of the same database at each server */
  static shared(urls: readonly string[]): Primary {
    const key = urls.join(" ");
    const primary = shared.get(key) ?? new Primary(urls);
    shared.set(key, primary);
    primary.#users += 1;
    return primary;
  }

  private constructor(urls: readonly string[]) {
    this.#servers = urls.map((url) => {
      const { hostname, port } = new URL(url);
      return { host: hostname.replace(/^\[|\]$/g, ""), port: Number(port || 5432), probe: new Probe(url) };
    });
    this.#timer = setInterval(() => void this.#look(), LOOK_EVERY_MS);
    this.#timer.unref();
  }

  /** A socket to the primary that is being connected; one that fails where there is none. */
  async open(): Promise<Duplex> {
    if (this.#current === undefined) await this.#look();
    const server = this.#current;
    if (server === undefined) return failingSocket();
    const socket = connect({ host: server.host, port: server.port });
    this.#sockets.set(socket, server);
    socket.once("close", () => this.#sockets.delete(socket));
    return socket;
  }

  async release(): Promise<void> {
    this.#users -= 1;
    if (this.#users > 0) return;
    for (const [key, primary] of shared) if (primary === this) shared.delete(key);
    clearInterval(this.#timer);
    await this.#looking;
    for (const { probe } of this.#servers) probe.end();
  }

  #look(): Promise<void> {
    this.#looking ??= this.#ask().finally(() => {
      this.#looking = undefined;
    });
    return this.#looking;
  }

  /** An old primary that was cut off may believe that it is one still: the timeline grows with each promotion. */
  async #ask(): Promise<void> {
    const timelines = await Promise.all(this.#servers.map(({ probe }) => probe.timeline()));
    const newest = Math.max(...timelines.map((timeline) => timeline ?? 0));
    const primary = newest === 0 ? undefined : this.#servers[timelines.indexOf(newest)];
    this.#current = primary;
    if (primary === undefined) return;
    for (const [socket, server] of this.#sockets) if (server !== primary) socket.destroy();
  }
}

const shared = new Map<string, Primary>();

/** Asks one server, on a connection of its own. */
class Probe {
  #sql: Sql | undefined;

  constructor(private readonly url: string) {}

  /** The timeline that a primary writes; undefined of a standby, and of a server that does not reply. */
  async timeline(): Promise<number | undefined> {
    this.#sql ??= postgres(this.url, {
      max: 1,
      connect_timeout: REPLY_MS_MAX / SECONDS,
      connection: { application_name: "berth-primary" },
      onnotice: () => {},
    }) as Sql;
    try {
      const [row] = await bounded(this.#sql, REPLY_MS_MAX)<{ timeline: number | null }[]>`
        SELECT CASE WHEN pg_is_in_recovery() THEN NULL
          ELSE ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::int END AS timeline`;
      return row?.timeline ?? undefined;
    } catch {
      this.end();
      return undefined;
    }
  }

  /** Nobody waits for it: where the server does not reply, neither does the end of its connection. */
  end(): void {
    void this.#sql?.end({ timeout: 0 }).catch(() => {});
    this.#sql = undefined;
  }
}

/**
 * The driver forgets a connection whose socket is not made, and sends what it has not written yet on the next one. So it gets a socket, which
 * fails at the first write.
 */
const failingSocket = (): Duplex =>
  new Duplex({
    read() {},
    write() {
      this.destroy(new NoPrimaryError("no server of PostgreSQL takes writes at the moment"));
    },
  });

/** The URL of each server of `postgres://user@a,b:5433/database`; one where it names one. Without `target_session_attrs`, which is for libpq. */
export function serverUrls(url: string): string[] {
  const [, scheme = "", user = "", hosts = "", rest = ""] =
    /^(\w+:\/\/)([^@/]*@)?([^/?]*)(.*)$/.exec(url) ?? [];
  return hosts.split(",").map((host) => {
    const one = new URL(`${scheme}${user}${host}${rest}`);
    one.searchParams.delete("target_session_attrs");
    return one.href;
  });
}
