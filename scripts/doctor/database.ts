import { readWaitingForArchive } from "../../actors/activity/event/archive/queries.ts";
import { type DatabaseHealth, readDatabaseHealth } from "../../actors/platform/db/health/queries.ts";
import { readMissing } from "../../actors/platform/db/migrate.ts";
import { mayWrite } from "../../actors/platform/db/roles.ts";
import type { Sql } from "../../actors/platform/db/sql.ts";
import { type Finding, fault, ok, warning } from "./finding.ts";

/** Tokens, leases and rentals are compared with the clock of another machine. */
const CLOCK_SECONDS_MAX = 2;
/** `server_version_num` of PostgreSQL 15. */
const VERSION_MIN = 150_000;
/** The rest is needed by an actor host that starts. */
const CONNECTIONS_PART_MAX = 0.9;
/** What a failover to the replica would lose. */
const LAG_SECONDS_MAX = 30;

export async function checkDatabaseHealth(db: Sql): Promise<Finding[]> {
  const before = Date.now();
  const health = await readDatabaseHealth(db);
  const roundTripMs = Date.now() - before;
  const migrations = await checkMigrations(db);
  return [
    checkClock((health.now.getTime() - before - roundTripMs / 2) / 1_000, roundTripMs / 2_000),
    checkVersion(health.version),
    checkConnections(health.connections, health.connectionsMax),
    checkReplica(health),
    migrations,
    health.hasStrayEvents
      ? fault(
          "event log",
          "there are events of a month that has no partition",
          "look for errors of the event log in the logs of the actor hosts",
        )
      : ok("event log", "every event is in its month"),
    ...(migrations.state === "ok" ? [await checkArchive(db)] : []),
  ];
}

export async function checkArchive(db: Sql): Promise<Finding> {
  const since = await readWaitingForArchive(db);
  if (since === undefined) return ok("archive", "no event waits for it");
  return warning(
    "archive",
    `events since ${since.toISOString().slice(0, 10)} could not be archived, and are therefore not deleted`,
    "look for the reconciler event-archive in the logs of the actor hosts: BERTH_ARCHIVE_FOLDER has to exist, to be writable and to have space",
  );
}

/** @param offset of the database's clock to this machine's, in seconds @param doubt how wrong that may be */
export function checkClock(offset: number, doubt: number): Finding {
  const found = `${Math.abs(offset).toFixed(1)} s from the database's`;
  if (Math.abs(offset) - doubt <= CLOCK_SECONDS_MAX) return ok("clock", found);
  return fault("clock", found, "set both clocks by the network: timedatectl set-ntp true, or install chrony");
}

export function checkVersion(version: number): Finding {
  const found = `PostgreSQL ${Math.floor(version / 10_000)}.${version % 10_000}`;
  if (version >= VERSION_MIN) return ok("database version", found);
  return fault("database version", found, "upgrade it to PostgreSQL 15 or newer");
}

export function checkConnections(used: number, max: number): Finding {
  const found = `${used} of ${max} connections`;
  if (used <= max * CONNECTIONS_PART_MAX) return ok("database connections", found);
  return warning("database connections", found, "raise max_connections, or end clients that need none");
}

type Replication = Pick<DatabaseHealth, "replicas" | "areReplicasHidden" | "replicaLagSeconds">;

export function checkReplica({ replicas, areReplicasHidden, replicaLagSeconds }: Replication): Finding {
  if (replicas === 0) return ok("replica", "none is connected");
  if (areReplicasHidden)
    return warning(
      "replica",
      "one is connected, and this role may not see how far it is",
      "name the role berth_gateway in BERTH_GATEWAY_DATABASE_URL, and run roles.sql again as a superuser (docs/operations.md, Database roles)",
    );
  const found = `${(replicaLagSeconds ?? 0).toFixed(1)} s behind`;
  if ((replicaLagSeconds ?? 0) <= LAG_SECONDS_MAX) return ok("replica", found);
  return warning(
    "replica",
    found,
    "look at the replica's log, disk and network: a failover would lose this time",
  );
}

export async function checkMigrations(db: Sql): Promise<Finding> {
  try {
    const missing = await readMissing(db);
    if (missing.length === 0) return ok("migrations", "the database is up to date");
    const found = `${missing.length} are missing, the first is ${missing[0]?.name}`;
    return fault("migrations", found, "run `berth migrate` with the owner's URL in BERTH_OWNER_DATABASE_URL");
  } catch (error) {
    return fault("migrations", (error as Error).message, "use the version of Berth that made the database");
  }
}

/** @param gateway the connection of a gateway */
export async function checkGatewayRole(gateway: Sql): Promise<Finding> {
  if (!(await mayWrite(gateway))) return ok("database roles", "gateways only read");
  return warning(
    "database roles",
    "the role of gateways may write",
    "give gateways a role that only reads, in BERTH_GATEWAY_DATABASE_URL (docs/operations.md, Database roles)",
  );
}
