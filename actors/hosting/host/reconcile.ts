import type { Logger } from "pino";
import { desiredKey } from "../../../schemas/subjects.ts";
import type { Reconciler } from "../../../system/reconciler.ts";
import { reconcileAliases } from "../alias/reconcile.ts";
import { listEndsInReach, listPlacements, readPlacement } from "../container/queries.ts";
import { listSharePlacements, readShareHost } from "../storage-share/queries.ts";
import { oldestRelevantEnd } from "./ended-sessions.ts";
import { ACTOR_OF, type ReportHandler, type ReportHandlerOptions } from "./report-handler.ts";

/** A record with a desired state, its host, and the revision that the host should have. */
interface Placement {
  readonly kind: "container" | "firewall" | "share";
  readonly id: string;
  readonly serverName: string;
  readonly revision: number;
}

/** Interval for comparing all records with their hosts: the backstop for lost messages. */
const INTERVAL_MS = 15_000;
/** A host that misses this many probes in a row is unreachable. A single missed probe may be a pause of the host or of this process. */
const UNREACHABLE_AFTER_PROBES = 2;

export interface HostsOptions extends Omit<ReportHandlerOptions, "refused"> {
  readonly reports: ReportHandler;
  readonly log: Logger;
  /** Whether a host's agent responds now. */
  isReachable(serverName: string): Promise<boolean>;
}

/**
 * Compares the records of containers, firewalls, storage shares, aliases and ended sessions with what was published to their hosts, publishes
 * what is missing, and marks the containers of unreachable hosts.
 */
export function hostReconciler(options: HostsOptions): Reconciler {
  const { db, bus, desired, reports, actors, log, owns, isReachable } = options;
  /** Probes in a row that each host has missed. */
  const missedProbes = new Map<string, number>();

  async function reconcile(): Promise<void> {
    const placements = Map.groupBy(await listAllPlacements(), (placement) => placement.serverName);
    await Promise.all([...placements.keys()].map(probeHost));
    const ends = await listEndsInReach(db, oldestRelevantEnd());
    for (const [serverName, records] of placements) {
      await desired
        .syncEndedSessions(serverName, ends.get(serverName) ?? new Map())
        .catch((error) =>
          log.warn(
            { err: error, serverName },
            "ended sessions could not be published; the next round tries again",
          ),
        );
      await reconcileServer(serverName, records).catch((error) =>
        log.warn({ err: error, serverName }, "a host could not be reconciled; the next round tries again"),
      );
    }
    await reconcileAliases(options);
  }

  async function listAllPlacements(): Promise<Placement[]> {
    const [containers, shares] = await Promise.all([listPlacements(db), listSharePlacements(db)]);
    return [
      ...containers.flatMap(({ id, serverName, containerRevision, firewallRevision }): Placement[] => [
        { kind: "container", id, serverName, revision: containerRevision },
        { kind: "firewall", id, serverName, revision: firewallRevision },
      ]),
      ...shares.map((share): Placement => ({ kind: "share", ...share })),
    ];
  }

  async function probeHost(serverName: string): Promise<void> {
    if (await isReachable(serverName)) missedProbes.delete(serverName);
    // Without NATS no host can be reached, which says nothing about the hosts.
    else if (bus.connected()) missedProbes.set(serverName, (missedProbes.get(serverName) ?? 0) + 1);
  }

  async function reconcileServer(serverName: string, records: readonly Placement[]): Promise<void> {
    const published = await desired.readPublishedRevisions(serverName);
    const missing = records.filter(
      ({ kind, id, revision }) =>
        revision > (published.get(desiredKey(kind, id)) ?? 0) && owns(ACTOR_OF[kind], id),
    );
    if (missing.length > 0) await desired.publish(missing);
    const recorded = new Set(records.map(({ id }) => id));
    await discardOrphans(serverName, recorded, published);

    if ((missedProbes.get(serverName) ?? 0) >= UNREACHABLE_AFTER_PROBES) {
      // The record keeps the last report, and says that it is old.
      const owned = records.filter(({ kind, id }) => kind === "container" && owns("container", id));
      await Promise.all(owned.map(({ id }) => actors.container(id).mark_unreachable({})));
      return;
    }
    await reports.handleStored(serverName, recorded);
  }

  /** Removes published containers and storage shares that have no record. */
  async function discardOrphans(
    serverName: string,
    recorded: ReadonlySet<string>,
    published: ReadonlyMap<string, number>,
  ): Promise<void> {
    for (const key of published.keys()) {
      const [kind, id = ""] = key.split(".");
      if (recorded.has(id)) continue;
      // One that was created since the list was read is no orphan.
      if (kind === "container" && owns("container", id) && (await readPlacement(db, id)) === undefined)
        await reports.discardContainer(serverName, id);
      if (kind === "share" && owns("storage_share", id) && (await readShareHost(db, id)) === undefined)
        await reports.discardShare(serverName, id);
    }
  }

  return { name: "hosts", intervalMs: INTERVAL_MS, reconcile };
}
