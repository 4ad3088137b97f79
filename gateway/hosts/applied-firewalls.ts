import type { Bus } from "../../actors/runtime/ports.ts";
import { consume } from "../../actors/runtime/transport/consume.ts";
import { FirewallStatus, REPORT_LENGTH_MAX } from "../../schemas/hosting/desired.ts";
import type { FirewallApplied } from "../../schemas/hosting/firewall.ts";
import { type Reader, storableJsonOf } from "../../schemas/received.ts";
import { desiredKey, kvSubject, statusBucket } from "../../schemas/subjects.ts";
import { BoundedMap } from "../../system/bounded-map.ts";
import { ReportedRevisions } from "./reported-revisions.ts";

/** About 200 bytes each. The database has a status moments later, so only the newest are needed. */
const STATUSES_MAX = 10_000;

const readValue = storableJsonOf(FirewallStatus, REPORT_LENGTH_MAX);
/** A deleted key has no text. */
const readStatus: Reader<FirewallStatus | null> = (text) => (text === "" ? { value: null } : readValue(text));

/**
 * The revisions of firewalls that hosts have applied. A host publishes its status to NATS; the database has it a
 * little later, when the actor has committed it. Until then the status received here counts, so that a rule which one
 * reply calls applied is not called unapplied by this gateway's next reply.
 */
export interface AppliedFirewalls {
  /** The recorded status, or a newer one that the host has published. */
  newest(containerId: string, recorded: FirewallApplied): FirewallApplied;

  /**
   * Runs a change and waits a moment for the host to apply it. `applied` says whether the host has the revision of
   * that change. It is false when the host did not report in time; the host applies the revision later by itself.
   */
  awaitApplied<T extends { revision: number }>(
    container: { id: string; server_name: string; firewall: FirewallApplied },
    change: () => Promise<T>,
  ): Promise<{ result: T; firewall: FirewallApplied }>;
}

/**
 * @param readRevision reads the revision of a container's firewall from the database
 * @param waitMsMax how long a reply waits for the host: one that is down must not hold a request
 */
export function appliedFirewalls(
  bus: Bus,
  readRevision: (containerId: string) => Promise<number>,
  waitMsMax: number,
): AppliedFirewalls {
  /** The newest status of each container; the last received is at the end. */
  const newestStatus = new BoundedMap<string, FirewallStatus>(STATUSES_MAX);

  const remember = (containerId: string, status: FirewallStatus) => {
    const known = newestStatus.get(containerId);
    if (known !== undefined && known.revision > status.revision) return;
    newestStatus.set(containerId, status);
  };

  const newest = (containerId: string, recorded: FirewallApplied): FirewallApplied => {
    const status = newestStatus.get(containerId);
    if (status === undefined) return recorded;
    // Of the same revision it stays: what is given may come from here already, while the record is behind.
    if (status.revision < recorded.applied_revision) newestStatus.delete(containerId);
    if (status.revision <= recorded.applied_revision) return recorded;
    return readingOf(recorded.revision, status.revision, status);
  };

  return {
    newest,

    async awaitApplied(container, change) {
      const { revision, applied_revision } = newest(container.id, container.firewall);
      const reports = new ReportedRevisions(revision, applied_revision, () => readRevision(container.id));
      // The subscription begins before the change, since the host may apply the revision before this gateway knows it.
      const subject = kvSubject(statusBucket(container.server_name), desiredKey("firewall", container.id));
      const unsubscribe = consume(bus, subject, {
        kind: "host-report",
        read: readStatus,
        handle: (status) => (status === null ? undefined : reports.add(status)),
      });
      try {
        const result = await change();
        const before = newest(container.id, container.firewall);
        if (before.applied_revision < result.revision) await reports.waitFor(result.revision, waitMsMax);
        const last = reports.newest ?? reports.highest;
        if (last !== undefined) remember(container.id, last);
        const appliedRevision = Math.max(last?.revision ?? 0, before.applied_revision);
        // Before the first rule, `enforced` is unknown.
        const known = before.revision === 0 && result.revision > 0 ? { ...before, enforced: false } : before;
        return { result, firewall: readingOf(result.revision, appliedRevision, last ?? known) };
      } finally {
        unsubscribe();
        reports.close();
      }
    },
  };
}

/** The status of `revision` on a host that has applied `appliedRevision` and published `status`. */
function readingOf(
  revision: number,
  appliedRevision: number,
  { enforced, error }: Pick<FirewallStatus, "enforced" | "error">,
): FirewallApplied {
  const applied = appliedRevision >= revision;
  return {
    revision,
    applied_revision: Math.min(appliedRevision, revision),
    applied,
    enforced,
    // A host that has this revision may have failed at a later one, which does not concern this reply.
    error: applied ? null : error,
  };
}
