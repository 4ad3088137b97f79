import type { ShareStatus, TerminalOpened } from "../../../schemas/hosting/desired.ts";
import { statusBucket } from "../../../schemas/subjects.ts";
import type { Sql } from "../../platform/db/sql.ts";
import { TokenBuckets } from "../../platform/token-buckets.ts";
import type { Bus } from "../../runtime/ports.ts";
import { consume } from "../../runtime/transport/consume.ts";
import type { ActorsFor } from "../../senders.ts";
import { readGrant, readPlacement } from "../container/queries.ts";
import { readShareHost } from "../storage-share/queries.ts";
import type { DesiredState } from "./desired.ts";
import type { RefusedReports } from "./refused-reports.ts";
import { containerOf, isReportId, REPORT_KINDS, type Report, readReport, sortReports } from "./reports.ts";

const STATUS_PREFIX = statusBucket("");

/** Records of one host whose reports are handled at a time. Further reports wait in the bucket for the reconciler. */
const HANDLED_PER_HOST_MAX = 1_000;
/** Stored reports of one host that a round handles: two for each container there, and as many opened terminals again. The rest waits for the next round. */
const STORED_PER_ROUND_MAX = 5_000;

/** Records whose rate is tracked, about 100 bytes each. */
const PACED_MAX = 50_000;
/**
 * How often one record of a host is reported on, and all of them together, as the reports arrive. An agent reports what changed, and a user who
 * writes a hundred rules changes a firewall a hundred times. Reports past the pace are left to the reconciler, which reads the newest report of each.
 */
const PACE_OF_RECORD = { burst: 200, perSecond: 2 };
const PACE_OF_HOST = { burst: 2_000, perSecond: 200 };
/**
 * How many opened terminals go to the log of events. An agent reports one a minute for each user of a container, and after a time
 * without a control plane those of a thousand at once.
 */
const TERMINALS_OF_CONTAINER = { burst: 20, perSecond: 10 / 60 };
const TERMINALS_OF_HOST = { burst: 1_000, perSecond: 100 / 60 };

/** Which actors the reports of a host concern. */
export const ACTOR_OF = {
  container: "container",
  firewall: "firewall",
  share: "storage_share",
  terminal: "container",
} as const satisfies Record<Report["kind"], string>;

export interface ReportHandlerOptions {
  readonly db: Sql;
  readonly bus: Bus;
  readonly desired: DesiredState;
  readonly actors: ActorsFor<"reconciler">;
  readonly refused: RefusedReports;
  /** Each actor's owner handles its reports; other actor hosts ignore them. */
  owns(kind: string, id: string): boolean;
}

/** Passes the reports of hosts to the actors that they are about. */
export class ReportHandler {
  /** The newest report of each record that waits: a burst of reports is one message. */
  readonly #waiting = new Map<string, { serverName: string; report: Report }>();
  /** The records whose reports are being handled, and how many there are of each host. */
  readonly #handling = new Set<string>();
  readonly #handledByHost = new Map<string, number>();
  readonly #paceOfRecord = new TokenBuckets(PACE_OF_RECORD, PACED_MAX);
  readonly #paceOfHost = new TokenBuckets(PACE_OF_HOST, PACED_MAX);
  readonly #terminalsOfContainer = new TokenBuckets(TERMINALS_OF_CONTAINER, PACED_MAX);
  readonly #terminalsOfHost = new TokenBuckets(TERMINALS_OF_HOST, PACED_MAX);
  readonly #unsubscribe: (() => void)[];
  #stopped = false;

  constructor(private readonly options: ReportHandlerOptions) {
    this.#unsubscribe = REPORT_KINDS.map((kind) =>
      consume(options.bus, `$KV.*.${kind}.*`, {
        kind: "host-report",
        // Desired states match these subjects too: they are ignored by their bucket, without parsing.
        read: (text) => ({ value: text }),
        handle: (text, { subject }) => {
          const [, bucket = "", , id = ""] = subject.split(".");
          if (text === "" || !bucket.startsWith(STATUS_PREFIX)) return;
          this.#onReport(bucket.slice(STATUS_PREFIX.length), kind, id, text);
        },
      }),
    );
  }

  /**
   * Handles a host's stored reports: those that were missed, or that had no room.
   *
   * @param recorded the ids of the host's containers and storage shares, whose reports come first
   */
  async handleStored(serverName: string, recorded: ReadonlySet<string>): Promise<void> {
    const { desired } = this.options;
    const { reports, junk } = sortReports(await desired.readReports(serverName), recorded);
    for (const key of junk.slice(0, STORED_PER_ROUND_MAX)) await desired.deleteReport(serverName, key);
    for (const { kind, id, text } of reports.slice(0, STORED_PER_ROUND_MAX)) {
      const handling = this.#receive(serverName, kind, id, text);
      // Half of the room is kept for new reports of the host.
      if ((this.#handledByHost.get(serverName) ?? 0) >= HANDLED_PER_HOST_MAX / 2) await handling;
    }
  }

  /** Removes a deleted container's firewall and its desired state. */
  async discardContainer(serverName: string, containerId: string): Promise<void> {
    const { actors, desired } = this.options;
    await actors.firewall(containerId).discard({});
    await desired.withdraw(serverName, { kind: "firewall", id: containerId });
    await desired.withdraw(serverName, { kind: "container", id: containerId });
  }

  /** Removes a deleted storage share's desired state. */
  discardShare(serverName: string, id: string): Promise<void> {
    return this.options.desired.withdraw(serverName, { kind: "share", id });
  }

  stop(): void {
    this.#stopped = true;
    for (const unsubscribe of this.#unsubscribe) unsubscribe();
  }

  #isOwned(kind: Report["kind"], id: string): boolean {
    return this.options.owns(ACTOR_OF[kind], containerOf({ id }));
  }

  /** A new report. A host that reports too often is left to the reconciler. */
  #onReport(serverName: string, kind: Report["kind"], id: string, text: string): void {
    if (this.#stopped || !this.#isOwned(kind, id)) return;
    if (this.#paceOfHost.take(serverName) && this.#paceOfRecord.take(`${serverName} ${kind}.${id}`))
      void this.#receive(serverName, kind, id, text);
    else this.options.refused.add(serverName, "over_limit", `${kind}.${id}; the reconciler handles it later`);
  }

  /**
   * Receives a text of a host's bucket. A text that is not a report is counted as dropped. @returns when the report
   * has been handled
   */
  #receive(serverName: string, kind: Report["kind"], id: string, text: string): Promise<void> | void {
    const { bus, desired, refused } = this.options;
    if (!isReportId(kind, id)) {
      bus.dropped("host-report", `a report of ${serverName} has an invalid id`);
      return;
    }
    if (this.#stopped || !this.#isOwned(kind, id)) return;
    const received = readReport(kind, id, text, new Date());
    if ("reason" in received) {
      bus.dropped("host-report", `a report of ${serverName} is ${received.reason}`);
      // Each report of a terminal has a key of its own: no later report would overwrite it.
      if (kind === "terminal") void desired.deleteReport(serverName, `terminal.${id}`).catch(() => {});
      return;
    }
    const key = `${serverName} ${kind}.${id}`;
    const count = this.#handledByHost.get(serverName) ?? 0;
    if (!this.#handling.has(key) && count >= HANDLED_PER_HOST_MAX) {
      refused.add(serverName, "over_limit", "too many at once; the reconciler handles them later");
      return;
    }
    this.#waiting.set(key, { serverName, report: received.value });
    if (this.#handling.has(key)) return;
    this.#handling.add(key);
    this.#handledByHost.set(serverName, count + 1);
    return this.#handle(serverName, key);
  }

  async #handle(serverName: string, key: string): Promise<void> {
    const waiting = this.#waiting;
    for (let next = waiting.get(key); next !== undefined && !this.#stopped; next = waiting.get(key)) {
      waiting.delete(key);
      await this.#ingest(next.serverName, next.report).catch((error) =>
        this.options.refused.add(
          serverName,
          "failed",
          `${key}: ${error instanceof Error ? error.message : String(error)}`,
        ),
      );
    }
    this.#handling.delete(key);
    const count = (this.#handledByHost.get(serverName) ?? 1) - 1;
    if (count === 0) this.#handledByHost.delete(serverName);
    else this.#handledByHost.set(serverName, count);
  }

  async #ingest(serverName: string, { kind, id, report }: Report): Promise<void> {
    const { db, actors } = this.options;
    if (kind === "terminal") {
      await this.#ingestTerminalOpened(serverName, id, report);
      return;
    }
    if (kind === "share") {
      await this.#ingestShare(serverName, id, report);
      return;
    }
    // A host may report on its own containers only.
    const placement = await readPlacement(db, id);
    if (placement?.server_name !== serverName) {
      await this.#refuse(serverName, `${kind}.${id}`);
      return;
    }
    if (kind === "firewall") {
      const { user_id, project_id, server_id } = placement;
      await actors.firewall(id).report({ user_id, project_id, server_id, status: report });
      return;
    }
    const { value } = await actors.container(id).report(report);
    if (value.gone) await this.discardContainer(serverName, id);
  }

  async #ingestShare(serverName: string, id: string, report: ShareStatus): Promise<void> {
    if ((await readShareHost(this.options.db, id)) !== serverName) {
      await this.#refuse(serverName, `share.${id}`);
      return;
    }
    const { value } = await this.options.actors.storage_share(id).report(report);
    if (value.gone) await this.discardShare(serverName, id);
  }

  /** Such a report is never read, and a host could fill its bucket with them. */
  async #refuse(serverName: string, key: string): Promise<void> {
    this.options.refused.add(serverName, "not_allowed", key);
    await this.options.desired.deleteReport(serverName, key);
  }

  /** The report stays in the bucket until the event is in the log. Its id is the event's key, so that reading it twice logs it once. */
  async #ingestTerminalOpened(serverName: string, id: string, report: TerminalOpened): Promise<void> {
    const { db, desired, actors, refused } = this.options;
    const containerId = containerOf({ id });
    const { user_id } = report;
    const grant = await readGrant(db, containerId, user_id);
    const isItsContainer = report.container_id === containerId && grant?.server_name === serverName;
    // The log is the user's: a host writes only plausible events there, and no more than people cause.
    if (!isItsContainer || !grant.may_enter)
      refused.add(serverName, "not_allowed", `terminal of ${containerId} by ${user_id}`);
    else if (!this.#terminalsOfHost.take(serverName) || !this.#terminalsOfContainer.take(containerId))
      refused.add(serverName, "over_limit", `terminals of ${containerId}`);
    else await actors.container(containerId).record_terminal_opened(report, { key: id, hasClientKey: true });
    await desired.deleteReport(serverName, `terminal.${id}`);
  }
}
