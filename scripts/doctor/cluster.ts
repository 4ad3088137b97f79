import { listHostFacts } from "../../actors/hosting/host/queries.ts";
import { readClock } from "../../actors/platform/db/health/queries.ts";
import type { Sql } from "../../actors/platform/db/sql.ts";
import { type ClusterView, readClusterView } from "../../actors/runtime/store/cluster/queries.ts";
import { OFFLINE_AFTER_SECONDS } from "../../schemas/hosting/host.ts";
import { type Finding, fault, named, ok, warning } from "./finding.ts";

/** Effects are delivered within milliseconds. So many wait only when something holds them up. */
const UNDELIVERED_MAX = 1_000;
/** Below it a host creates no storage shares (docs/storage.md). */
const FREE_PART_MIN = 1 / 20;

/** The actor hosts, and the machines that run agents. @param isNatsWell without it no actor host lives for long */
export async function checkCluster(db: Sql, isNatsWell = true): Promise<Finding[]> {
  return [...judgeCluster(await readClusterView(db), isNatsWell), ...(await checkHosts(db))];
}

function judgeCluster({ hosts, partitions }: ClusterView, isNatsWell: boolean): Finding[] {
  const statuses = hosts.flatMap(({ status }) => status ?? []);
  const orphans = partitions.filter(({ owner, expired }) => owner === null || expired).length;
  const quarantined = statuses.flatMap((status) => status.quarantined);
  const failing = statuses.reduce((sum, { tasks_failing }) => sum + tasks_failing, 0);
  const undelivered = partitions.reduce((sum, partition) => sum + partition.undelivered, 0);
  return [
    hosts.length === 0
      ? fault(
          "actor hosts",
          "none is alive: nothing can be changed",
          isNatsWell
            ? "start one: npm run actors"
            : "mend NATS first: they need it. Then start one: npm run actors",
        )
      : ok("actor hosts", `${hosts.length} alive`),
    orphans > 0
      ? fault(
          "partitions",
          `${orphans} have no owner`,
          "wait ten seconds; then look at the logs of the actor hosts",
        )
      : ok("partitions", `all ${partitions.length} have an owner`),
    quarantined.length > 0
      ? fault(
          "quarantined actors",
          named(quarantined),
          "their records cannot be read: the logs of the actor hosts say why; an upgrade or a restore mends them",
        )
      : ok("quarantined actors", "none"),
    failing > 0
      ? warning(
          "timers and sends",
          `${failing} fail and are tried again`,
          "look at the logs of the actor hosts",
        )
      : ok("timers and sends", "none fails"),
    undelivered > UNDELIVERED_MAX
      ? fault("outbox", `${undelivered} effects wait`, "see that NATS is reachable and has room")
      : ok("outbox", `${undelivered} effects wait`),
  ];
}

async function checkHosts(db: Sql): Promise<Finding[]> {
  const hosts = await listHostFacts(db);
  // By the database's clock, as the API judges: this machine's may be wrong.
  const nowMs = (await readClock(db)).getTime();
  const silent = hosts.filter(
    ({ last_seen_at: seen, silent_since }) =>
      seen !== null && (silent_since !== null || nowMs - seen.getTime() > OFFLINE_AFTER_SECONDS * 1_000),
  );
  const pending = hosts.filter(({ last_seen_at }) => last_seen_at === null);
  const full = hosts.filter(
    ({ facts }) => facts !== null && facts.disk_free_bytes < facts.disk_bytes * FREE_PART_MIN,
  );
  const findings: Finding[] = [];
  const add = (found: readonly { name: string }[], to: (names: string) => Finding) => {
    if (found.length > 0) findings.push(to(named(found.map(({ name }) => name))));
  };
  add(silent, (names) =>
    fault(
      "hosts",
      `do not answer: ${names}`,
      "see that the agent runs there and reaches NATS: systemctl status berth-agent",
    ),
  );
  add(pending, (names) =>
    warning(
      "hosts",
      `have not joined yet: ${names}`,
      "run the command of POST /api/v1/admin/hosts there, or remove them",
    ),
  );
  add(full, (names) =>
    warning("hosts", `nearly full disk: ${names}`, "free some room there, or move containers"),
  );
  return findings.length > 0 ? findings : [ok("hosts", `${hosts.length}, all seen`)];
}
