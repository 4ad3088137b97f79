import type { Logger } from "pino";
import {
  ContainerStatus,
  FirewallStatus,
  REPORT_LENGTH_MAX,
  TerminalOpened,
} from "../../../schemas/hosting/desired.ts";
import { ID_PATTERN } from "../../../schemas/primitives.ts";
import { storableJsonOf } from "../../../schemas/received.ts";
import { statusBucket } from "../../../schemas/subjects.ts";
import { repeat } from "../../../system/repeat.ts";
import type { Sql } from "../../platform/db/sql.ts";
import type { Definitions } from "../../registry.ts";
import type { ActorsOf } from "../../runtime/client.ts";
import type { Bus } from "../../runtime/ports.ts";
import { consume } from "../../runtime/transport/consume.ts";
import { reconcileAliases } from "../alias/reconcile.ts";
import { listEndsInReach, listPlacements, type Placement, readPlacement } from "../container/queries.ts";
import type { DesiredRef, DesiredState } from "./desired.ts";
import { oldestRelevantEnd } from "./ended-sessions.ts";

/** How often records and hosts are compared as a whole: the backstop for every message that was lost. */
const SWEEP_MS = 15_000;
/** A host that misses this many probes in a row is unreachable. A single missed probe may be a pause of the host or of this process. */
const UNREACHABLE_AFTER_ROUNDS = 2;
const STATUS_PREFIX = statusBucket("");

/** What a host reports, by the first part of its key. */
const READERS = {
  container: storableJsonOf(ContainerStatus, REPORT_LENGTH_MAX),
  firewall: storableJsonOf(FirewallStatus, REPORT_LENGTH_MAX),
  terminal: storableJsonOf(TerminalOpened, REPORT_LENGTH_MAX),
};
const REPORTED = ["container", "firewall", "terminal"] as const;
const TERMINAL_REPORT_ID = /^[0-9a-f]{24}-[0-9a-f]{24}$/;
/** The second part of a key. */
const REPORT_IDS = { container: ID_PATTERN, firewall: ID_PATTERN, terminal: TERMINAL_REPORT_ID };
/** Records of one host whose reports are handled at a time. Past it reports wait in the bucket for the sweep. */
const HANDLED_OF_HOST_MAX = 1_000;

type Report =
  | { readonly kind: "container"; readonly id: string; readonly report: ContainerStatus }
  | { readonly kind: "firewall"; readonly id: string; readonly report: FirewallStatus }
  | { readonly kind: "terminal"; readonly id: string; readonly report: TerminalOpened };
const containerOf = (id: string): string => id.split("-", 1)[0] ?? "";

export interface HostsOptions {
  readonly db: Sql;
  readonly bus: Bus;
  readonly desired: DesiredState;
  readonly actors: ActorsOf<Definitions>;
  readonly log: Logger;
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
  const { db, bus, desired, actors, log, owns, isReachable } = options;
  /** The newest report of each record that is waiting, and those being handled: a burst of reports is one message. */
  const waiting = new Map<string, { serverName: string; report: Report }>();
  const handling = new Set<string>();
  /** How many records of each host are being handled. */
  const handled = new Map<string, number>();
  /** Probes in a row that each host has missed. */
  const missedProbes = new Map<string, number>();
  let stopped = false;

  /** A host's text under a key of its bucket. Whatever is no report is counted and left alone. @returns when it has been handled */
  function receive(serverName: string, kind: Report["kind"], id: string, text: string): Promise<void> | void {
    if (!REPORT_IDS[kind].test(id)) {
      bus.dropped("host-report", `${serverName} reports on what is no id`);
      return;
    }
    if (stopped || !owns(kind === "terminal" ? "container" : kind, containerOf(id))) return;
    const received = READERS[kind](text);
    if ("reason" in received) {
      bus.dropped("host-report", `${serverName} reports what is ${received.reason}`);
      // Of openings there is one after the other, and nobody overwrites them.
      if (kind === "terminal") void desired.deleteReport(serverName, `terminal.${id}`).catch(() => {});
      return;
    }
    const key = `${serverName} ${kind}.${id}`;
    const count = handled.get(serverName) ?? 0;
    if (!handling.has(key) && count >= HANDLED_OF_HOST_MAX) {
      bus.dropped("host-report", `${serverName} reports on too much at once; the sweep takes it up`);
      return;
    }
    waiting.set(key, { serverName, report: { kind, id, report: received.value } as Report });
    if (handling.has(key)) return;
    handling.add(key);
    handled.set(serverName, count + 1);
    return handle(serverName, key);
  }

  async function handle(serverName: string, key: string): Promise<void> {
    for (let next = waiting.get(key); next !== undefined && !stopped; next = waiting.get(key)) {
      waiting.delete(key);
      await ingest(next.serverName, next.report).catch((error) =>
        log.warn({ err: error, record: key }, "a host's report was not taken; the sweep will bring it again"),
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
    const containerId = containerOf(id);
    if (report.container_id === containerId) {
      const placement = await readPlacement(db, containerId);
      if (placement?.server_name === serverName) {
        await actors.container(containerId).terminal_opened(report, { key: id, hasClientKey: true });
      }
    }
    await desired.deleteReport(serverName, `terminal.${id}`);
  }

  async function discardContainer(serverName: string, containerId: string): Promise<void> {
    await actors.firewall(containerId).discard({});
    await desired.withdraw(serverName, { kind: "firewall", id: containerId });
    await desired.withdraw(serverName, { kind: "container", id: containerId });
  }

  const unsubscribe = REPORTED.map((kind) =>
    consume(bus, `$KV.*.${kind}.*`, {
      kind: "host-report",
      // Desired states come this way as well: what is none of a host's is not read.
      read: (text) => ({ value: text }),
      handle(text, { subject }) {
        const [, bucket = "", , id = ""] = subject.split(".");
        if (text === "" || !bucket.startsWith(STATUS_PREFIX)) return;
        void receive(bucket.slice(STATUS_PREFIX.length), kind, id, text);
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
    for (const [key, text] of await desired.readReports(serverName)) {
      const [name, id = ""] = key.split(".");
      const kind = REPORTED.find((one) => one === name);
      if (kind === undefined) continue;
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
