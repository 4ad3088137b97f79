import type { Logger } from "pino";
import type { TerminalOpened } from "../../../schemas/hosting/desired.ts";
import { statusBucket } from "../../../schemas/subjects.ts";
import { repeat } from "../../../system/repeat.ts";
import type { Sql } from "../../platform/db/sql.ts";
import { TokenBuckets } from "../../platform/token-buckets.ts";
import type { Bus } from "../../runtime/ports.ts";
import { consume } from "../../runtime/transport/consume.ts";
import type { ActorsFor } from "../../senders.ts";
import { reconcileAliases } from "../alias/reconcile.ts";
import {
  listEndsInReach,
  listPlacements,
  type Placement,
  readGrant,
  readPlacement,
} from "../container/queries.ts";
import type { DesiredRef, DesiredState } from "./desired.ts";
import { oldestRelevantEnd } from "./ended-sessions.ts";
import type { RefusedReports } from "./refused-reports.ts";
import { containerOf, isReportId, REPORT_KINDS, type Report, readReport, sortReports } from "./reports.ts";

/** How often records and hosts are compared as a whole: the backstop for every message that was lost. */
const SWEEP_MS = 15_000;
/** A host that misses this many probes in a row is unreachable. A single missed probe may be a pause of the host or of this process. */
const UNREACHABLE_AFTER_ROUNDS = 2;
const STATUS_PREFIX = statusBucket("");

/** Records of one host whose reports are handled at a time. Past it reports wait in the bucket for the sweep. */
const HANDLED_OF_HOST_MAX = 1_000;

/** Records with a pace of their own, about 100 bytes each. */
const PACED_MAX = 50_000;
/**
 * How often one record of a host is reported on, and all of them together, as the reports come. An agent reports what changed, and a user who
 * writes a hundred rules changes a firewall a hundred times. What is past it is read by the sweep, which reads the newest report of each.
 */
const PACE_OF_RECORD = { burst: 200, perSecond: 2 };
const PACE_OF_HOST = { burst: 2_000, perSecond: 200 };
/** Reports that a sweep reads of one host: two for each container there, and as many openings again. What is left is for the next one. */
const SWEPT_OF_HOST_MAX = 5_000;
/**
 * How many openings of terminals go to the log of events. An agent reports one a minute for each user of a container, and after a time
 * without a control plane those of a thousand at once.
 */
const OPENINGS_OF_CONTAINER = { burst: 20, perSecond: 10 / 60 };
const OPENINGS_OF_HOST = { burst: 1_000, perSecond: 100 / 60 };

export interface HostsOptions {
  readonly db: Sql;
  readonly bus: Bus;
  readonly desired: DesiredState;
  readonly actors: ActorsFor<"reconciler">;
  readonly log: Logger;
  readonly refused: RefusedReports;
  /** Whether a host's agent responds now. */
  isReachable(serverName: string): Promise<boolean>;
  /** Each actor's owner listens for it; the others leave it alone. */
  owns(kind: string, id: string): boolean;
}

/**
 * Follows the hosts: what they report goes to the actors, and what they should have is brought to them again where it is
 * missing. @returns what stops it.
 */
export function followHosts(options: HostsOptions): () => void {
  const { db, bus, desired, actors, log, refused, owns, isReachable } = options;
  /** The newest report of each record that is waiting, and those being handled: a burst of reports is one message. */
  const waiting = new Map<string, { serverName: string; report: Report }>();
  const handling = new Set<string>();
  /** How many records of each host are being handled. */
  const handled = new Map<string, number>();
  /** Probes in a row that each host has missed. */
  const missedProbes = new Map<string, number>();
  const paceOfRecord = new TokenBuckets(PACE_OF_RECORD, PACED_MAX);
  const paceOfHost = new TokenBuckets(PACE_OF_HOST, PACED_MAX);
  const openingsOfContainer = new TokenBuckets(OPENINGS_OF_CONTAINER, PACED_MAX);
  const openingsOfHost = new TokenBuckets(OPENINGS_OF_HOST, PACED_MAX);
  let stopped = false;

  /** A report as it comes. One that comes too often is left for the sweep. */
  function hear(serverName: string, kind: Report["kind"], id: string, text: string): void {
    if (stopped || !isOwned(kind, id)) return;
    if (paceOfHost.take(serverName) && paceOfRecord.take(`${serverName} ${kind}.${id}`))
      void receive(serverName, kind, id, text);
    else refused.add(serverName, "over_limit", `${kind}.${id}; the sweep takes it up`);
  }

  const isOwned = (kind: Report["kind"], id: string) =>
    owns(kind === "terminal" ? "container" : kind, containerOf({ id }));

  /** A host's text under a key of its bucket. Whatever is no report is counted and left alone. @returns when it has been handled */
  function receive(serverName: string, kind: Report["kind"], id: string, text: string): Promise<void> | void {
    if (!isReportId(kind, id)) {
      bus.dropped("host-report", `${serverName} reports on what is no id`);
      return;
    }
    if (stopped || !isOwned(kind, id)) return;
    const received = readReport(kind, id, text, new Date());
    if ("reason" in received) {
      bus.dropped("host-report", `${serverName} reports what is ${received.reason}`);
      // Of openings there is one after the other, and nobody overwrites them.
      if (kind === "terminal") void desired.deleteReport(serverName, `terminal.${id}`).catch(() => {});
      return;
    }
    const key = `${serverName} ${kind}.${id}`;
    const count = handled.get(serverName) ?? 0;
    if (!handling.has(key) && count >= HANDLED_OF_HOST_MAX) {
      refused.add(serverName, "over_limit", "too much at once; the sweep takes it up");
      return;
    }
    waiting.set(key, { serverName, report: received.value });
    if (handling.has(key)) return;
    handling.add(key);
    handled.set(serverName, count + 1);
    return handle(serverName, key);
  }

  async function handle(serverName: string, key: string): Promise<void> {
    for (let next = waiting.get(key); next !== undefined && !stopped; next = waiting.get(key)) {
      waiting.delete(key);
      await ingest(next.serverName, next.report).catch((error) =>
        refused.add(
          serverName,
          "failed",
          `${key}: ${error instanceof Error ? error.message : String(error)}`,
        ),
      );
    }
    handling.delete(key);
    const count = (handled.get(serverName) ?? 1) - 1;
    if (count === 0) handled.delete(serverName);
    else handled.set(serverName, count);
  }

  async function ingest(serverName: string, { kind, id, report }: Report): Promise<void> {
    if (kind === "terminal") {
      await ingestTerminalOpened(serverName, id, report);
      return;
    }
    // A host speaks for what is on it and for nothing else.
    const placement = await readPlacement(db, id);
    if (placement?.server_name !== serverName) {
      refused.add(serverName, "not_allowed", `${kind}.${id}`);
      // Nobody reads it, and a host could fill its bucket with such reports.
      await desired.deleteReport(serverName, `${kind}.${id}`);
      return;
    }
    if (kind === "firewall") {
      const { user_id, project_id } = placement;
      await actors.firewall(id).report({ user_id, project_id, status: report });
      return;
    }
    const { value } = await actors.container(id).report(report);
    if (value.gone) await discardContainer(serverName, id);
  }

  /** It stays in the bucket until it is in the log, where it comes once: it may be read again before it has gone. */
  async function ingestTerminalOpened(serverName: string, id: string, report: TerminalOpened): Promise<void> {
    const containerId = containerOf({ id });
    const { user_id } = report;
    const grant = await readGrant(db, containerId, user_id);
    const isItsContainer = report.container_id === containerId && grant?.server_name === serverName;
    // The log is the user's: a host writes there what may be true, and no more of it than people do.
    if (!isItsContainer || !grant.may_enter)
      refused.add(serverName, "not_allowed", `terminal of ${containerId} by ${user_id}`);
    else if (!openingsOfHost.take(serverName) || !openingsOfContainer.take(containerId))
      refused.add(serverName, "over_limit", `terminals of ${containerId}`);
    else await actors.container(containerId).terminal_opened(report, { key: id, hasClientKey: true });
    await desired.deleteReport(serverName, `terminal.${id}`);
  }

  async function discardContainer(serverName: string, containerId: string): Promise<void> {
    await actors.firewall(containerId).discard({});
    await desired.withdraw(serverName, { kind: "firewall", id: containerId });
    await desired.withdraw(serverName, { kind: "container", id: containerId });
  }

  const unsubscribe = REPORT_KINDS.map((kind) =>
    consume(bus, `$KV.*.${kind}.*`, {
      kind: "host-report",
      // Desired states come this way as well: what is none of a host's is not read.
      read: (text) => ({ value: text }),
      handle(text, { subject }) {
        const [, bucket = "", , id = ""] = subject.split(".");
        if (text === "" || !bucket.startsWith(STATUS_PREFIX)) return;
        hear(bucket.slice(STATUS_PREFIX.length), kind, id, text);
      },
    }),
  );

  async function sweep(): Promise<void> {
    const placements = Map.groupBy(await listPlacements(db), (placement) => placement.serverName);
    await Promise.all([...placements.keys()].map(probeHost));
    const ends = await listEndsInReach(db, oldestRelevantEnd());
    for (const [serverName, containers] of placements) {
      await desired
        .syncEndedSessions(serverName, ends.get(serverName) ?? new Map())
        .catch((error) =>
          log.warn(
            { err: error, serverName },
            "a host was not told of ended sessions; the next sweep tries again",
          ),
        );
      await reconcileServer(serverName, containers).catch((error) =>
        log.warn({ err: error, serverName }, "the sweep of a host failed; the next one tries again"),
      );
    }
    await reconcileAliases(options);
  }

  async function probeHost(serverName: string): Promise<void> {
    if (await isReachable(serverName)) missedProbes.delete(serverName);
    // While NATS is away nobody can be heard, and it says nothing of any host.
    else if (bus.connected()) missedProbes.set(serverName, (missedProbes.get(serverName) ?? 0) + 1);
  }

  async function reconcileServer(serverName: string, containers: readonly Placement[]): Promise<void> {
    const given = await desired.readPublishedRevisions(serverName);
    const missing: DesiredRef[] = [];
    const want = (kind: "container" | "firewall", id: string, revision: number) => {
      if (revision > (given.get(`${kind}.${id}`) ?? 0) && owns(kind, id)) missing.push({ kind, id });
    };
    for (const { id, containerRevision, firewallRevision } of containers) {
      want("container", id, containerRevision);
      want("firewall", id, firewallRevision);
    }
    if (missing.length > 0) await desired.publish(missing);

    const there = new Set(containers.map(({ id }) => id));
    for (const key of given.keys()) {
      const [kind, id = ""] = key.split(".");
      if (kind !== "container" || there.has(id) || !owns("container", id)) continue;
      // One that was made since the list was read is no leftover.
      if ((await readPlacement(db, id)) === undefined) await discardContainer(serverName, id);
    }
    if ((missedProbes.get(serverName) ?? 0) >= UNREACHABLE_AFTER_ROUNDS) {
      // What it reported last stands in the record, with a word that it is old.
      const owned = containers.filter(({ id }) => owns("container", id));
      await Promise.all(owned.map(({ id }) => actors.container(id).mark_unreachable({})));
      return;
    }
    const { reports, junk } = sortReports(await desired.readReports(serverName), there);
    for (const key of junk.slice(0, SWEPT_OF_HOST_MAX)) await desired.deleteReport(serverName, key);
    for (const { kind, id, text } of reports.slice(0, SWEPT_OF_HOST_MAX)) {
      const handling = receive(serverName, kind, id, text);
      // Half of the room is for what the host says meanwhile.
      if ((handled.get(serverName) ?? 0) >= HANDLED_OF_HOST_MAX / 2) await handling;
    }
  }

  const endSweeps = repeat(SWEEP_MS, sweep, log, "the sweep of hosts failed; trying again");

  return () => {
    stopped = true;
    endSweeps();
    for (const end of unsubscribe) end();
  };
}
