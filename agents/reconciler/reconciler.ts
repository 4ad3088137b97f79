import { join } from "node:path";
import { Value } from "@sinclair/typebox/value";
import type { Logger } from "pino";
import type { HostLogsReply, HostLogsRequest } from "../../schemas/hosting/container-log.ts";
import {
  type ContainerStatus,
  DesiredContainer,
  DesiredFirewall,
  type FirewallStatus,
  type ShareStatus,
} from "../../schemas/hosting/desired.ts";
import type { FirewallCounts } from "../../schemas/hosting/firewall.ts";
import type { PreparedImage } from "../../schemas/hosting/host.ts";
import { Id } from "../../schemas/primitives.ts";
import { BoundedMap } from "../../system/bounded-map.ts";
import type { Registry } from "../../system/prometheus.ts";
import { type Reconciler, ReconcilerRunner } from "../../system/reconciler.ts";
import { Semaphore } from "../../system/semaphore.ts";
import type { Tracing } from "../../system/tracing/tracing.ts";
import type { GroupUsage } from "../containers/cgroup-usage.ts";
import { type ContainerCommand, NotRunning } from "../containers/command.ts";
import type { ContainerDriver } from "../containers/driver.ts";
import type { Images } from "../containers/images/images.ts";
import { ImagesKeptReady } from "../containers/images/images-kept-ready.ts";
import { IMAGE_STORE } from "../containers/images/store.ts";
import { DEFAULT_LIMITS, type Limits } from "../containers/limits.ts";
import { readLogWhenMade } from "../containers/logs/read-log.ts";
import type { UsageCounters } from "../containers/usage.ts";
import type { ProgramResult } from "../exec/program.ts";
import type { ExecTarget } from "../exec/target.ts";
import { NameServer } from "../network/names/name-server.ts";
import type { PacketFilter } from "../network/nft/apply.ts";
import type { CommitMonitor } from "../network/nft/commit-monitor.ts";
import { ComparedRules } from "../network/nft/compared-rules.ts";
import { Container, type PresentContainer } from "./container.ts";
import type { Context, Reported } from "./context.ts";
import { PartDisks } from "./part-disks.ts";
import { Shares } from "./shares.ts";
import { type ContainerRecord, stateStore } from "./store.ts";

/** Starting a container takes dozens of short processes: a few starts at a time keep a host's cores busy. */
const START_CONCURRENCY_MAX = 4;
/** Interval for detecting that a container of an earlier agent has ended. The end of its own children an agent learns at once. */
const INIT_CHECK_MS = 1_000;
/** Interval for detecting changes of the kernel's rules by other programs: they are read when the kernel has announced one. */
const FIREWALL_CHECK_MS = 5_000;
/** The largest share of the time for reading the rules, however many a host has. */
const FIREWALL_CHECK_SHARE_MAX = 0.1;
const PRUNE_MS = 30_000;
/** A container that writes more than 4 MiB in this time may lose lines of its log, which readers are told. */
const LOGS_CHECK_MS = 1_000;
/** Interval for removing unused images: an image goes an hour after its last use. */
const IMAGES_CHECK_MS = 5 * 60_000;
/** Interval for measuring storage shares that containers write to: a look at each one's file system. */
const SHARES_CHECK_MS = 15_000;
/** Interval for measuring containers' disk usage: each measurement reads all of a container's folders. */
const DISK_CHECK_MS = 10_000;
/** Deleted containers that are remembered, so that a late message does not restore one. */
const DELETED_MAX = 10_000;

/** Measurements at a time, so that a slow one does not delay the others. */
const DISK_CHECKS_MAX = 2;

/** Receives the state of this host's containers. Keys are those of the desired state. */
export interface Reports {
  container(id: string, status: Reported<ContainerStatus>): void;
  firewall(id: string, status: Reported<FirewallStatus>): void;
  share?(id: string, status: Reported<ShareStatus>): void;
}

/**
 * Reconciles this host with the desired state. The whole desired state is delivered again and again; a repeated entry changes
 * nothing. A missing entry changes nothing either: a lost bucket deletes no container.
 */
export class HostReconciler {
  readonly #containers = new Map<string, Container>();
  readonly #partDisks = new PartDisks();
  readonly #deletedRevisions = new BoundedMap<string, number>(DELETED_MAX);
  readonly #context: Context;
  readonly #reconcilers: ReconcilerRunner;
  readonly #log: Logger;
  #nextFirewallCheckMs = 0;
  readonly #comparedFirewalls = new ComparedRules();
  readonly #commits: CommitMonitor | undefined;

  #firewallRepairs = 0;
  readonly #server: string;
  /** Null where containers use the host's own network. */
  readonly #names: NameServer | null;
  /** Null where containers are made of the host's programs alone. */
  readonly #imagesKeptReady: ImagesKeptReady | null;

  constructor(options: {
    /** This host's name. Desired state for another host is refused. */
    server: string;
    driver: ContainerDriver;
    /** Null where packets cannot be filtered. */
    filter: PacketFilter | null;
    /** Of all changes of the kernel's rules; without, the rules are read each time. */
    commits?: CommitMonitor | undefined;
    /** Null where containers are made of the host's programs alone. */
    images?: Images | null;
    /** What projects have for registries; without, images are pulled by what the host has. */
    registryCredentials?: Context["registryCredentials"];
    limits?: Limits;
    /** The agent's folder. */
    data: string;
    reports: Reports;
    log: Logger;
    /** Name servers that the operator chose for containers; none: the host's. */
    dns?: readonly string[];
    /** Receives the metrics of the periodic checks. */
    registry?: Registry;
    tracing?: Tracing | undefined;
  }) {
    const { driver, filter, images = null, limits = DEFAULT_LIMITS, data, reports, log } = options;
    this.#log = log;
    this.#reconcilers = new ReconcilerRunner({ log, registry: options.registry });
    this.#server = options.server;
    this.#commits = options.commits;
    const gateway = driver.kind === "process" ? undefined : driver.addresses?.gateway;
    this.#names = gateway === undefined ? null : this.#nameServer(gateway, options.dns ?? []);
    this.#imagesKeptReady = images && new ImagesKeptReady(images, join(data, IMAGE_STORE));
    this.#context = {
      driver,
      filter,
      images,
      registryCredentials: options.registryCredentials,
      shares: new Shares({
        ...{ server: options.server, data, log, canMountShares: driver.kind !== "process" },
        report: (id, status) => reports.share?.(id, status),
      }),
      limits,
      store: stateStore(data),
      startConcurrency: new Semaphore(START_CONCURRENCY_MAX),
      log,
      tracing: options.tracing,
      countFirewallRepair: () => {
        this.#firewallRepairs++;
      },
      reportContainer: (id, status) => {
        if (status.state === "deleted") {
          this.#dropDeleted(id, status.revision);
          this.#emptyTrash();
        }
        reports.container(id, status);
      },
      reportFirewall: (id, status) => reports.firewall(id, status),
    };
  }

  /** Loads the containers on record and reconciles them, also without a control plane. */
  async start(): Promise<void> {
    await this.#context.driver.prepare();
    await this.#listenForNames();
    await this.#context.images?.prepare();
    await this.#imagesKeptReady?.load();
    await this.#context.shares.load();
    for (const record of await this.#context.store.load(this.#log)) {
      const container = new Container(record.id, this.#assignAddress(record), this.#context);
      this.#containers.set(record.id, container);
      container.seedFirewallCache();
      container.holdShares();
    }
    this.#context.shares.start();
    this.#emptyTrash();
    for (const container of this.#containers.values()) container.enqueue();
    this.#reconcilers.start(...this.#periodicChecks());
  }

  #periodicChecks(): Reconciler[] {
    const containers = this.#containers;
    const check = (name: string, intervalMs: number, reconcile: Reconciler["reconcile"]) => ({
      name,
      intervalMs,
      startsLater: true,
      reconcile,
    });
    return [
      check("container-inits", INIT_CHECK_MS, () => {
        for (const container of containers.values()) container.checkInit();
      }),
      check("firewalls", FIREWALL_CHECK_MS, () => this.#checkFirewalls()),
      check("host-rules", FIREWALL_CHECK_MS, async () => {
        const changed = await this.#context.driver.repair(this.#commits);
        if (changed.length > 0)
          this.#log.warn({ changed }, "another program changed the host's rules; they are restored");
      }),
      check("names", FIREWALL_CHECK_MS, () => this.#listenForNames()),
      check("disk-usage", DISK_CHECK_MS, async () => {
        const measurements = new Semaphore(DISK_CHECKS_MAX);
        await Promise.all(
          [...containers.values()].map((one) => measurements.run(() => this.#checkDisk(one))),
        );
        this.#checkPartDisks();
      }),
      check("storage-shares", SHARES_CHECK_MS, () => this.#context.shares.measure()),
      check("images", IMAGES_CHECK_MS, () => this.#collectImages()),
      check("logs", LOGS_CHECK_MS, () => {
        for (const container of containers.values()) container.maintainLog();
      }),
      check("counters", PRUNE_MS, async () => {
        await this.#context.filter?.pruneCounters();
      }),
    ];
  }

  /**
   * Applies one entry of the desired state. Its content is unchecked: an invalid one is logged and reported.
   *
   * @param key `container.<id>`, `firewall.<id>` or `share.<id>`; others are ignored, for a control plane newer than this agent
   */
  desire(key: string, value: unknown): void {
    const [kind, id = "", ...rest] = key.split(".");
    if ((kind !== "container" && kind !== "firewall" && kind !== "share") || rest.length > 0) return;
    if (!Value.Check(Id, id)) {
      this.#log.error({ key }, "desired state under a key that is no container's or share's");
      return;
    }
    if (kind === "share") this.#context.shares.desire(id, value);
    else if (kind === "container") this.#setDesiredContainer(id, value);
    else this.#setDesiredFirewall(id, value);
  }

  /** Settles when no step is in progress. A container that waits for a retry does not count. */
  async settled(): Promise<void> {
    await this.#context.shares.settled();
    await Promise.all([...this.#containers.values()].map((container) => container.settled()));
  }

  /** Completes the steps in progress, and leaves the containers as they are. */
  async close(): Promise<void> {
    this.#reconcilers.stop();
    this.#names?.close();
    await this.#context.images?.close();
    await Promise.all([...this.#containers.values()].map((container) => container.close()));
    await this.#context.shares.close();
  }

  /** After `close`: stops the containers and removes their rules. Their desired state remains, so the next agent starts them again. */
  async shutdown(): Promise<void> {
    await Promise.all([...this.#containers.values()].map((container) => container.shutdown()));
    await this.#context.driver.release();
  }

  get ids(): string[] {
    return [...this.#containers.keys()];
  }

  /** A container of this host; null if there is none with this id, or it is being deleted. */
  present(id: string): PresentContainer | null {
    return this.#containers.get(id)?.present ?? null;
  }

  /** Runs a command in a container of this host. @throws InvalidCommand, ContainerError */
  async runCommand(id: string, command: ContainerCommand): Promise<ProgramResult> {
    const container = this.#containers.get(id);
    if (container === undefined) throw new NotRunning();
    return container.runCommand(command);
  }

  /** What the containers that run have used since their start. */
  async usage(): Promise<Map<string, UsageCounters>> {
    const each = await Promise.all(
      [...this.#containers.values()].map(async (one) => [one.id, await one.usage()] as const),
    );
    return new Map(each.flatMap(([id, counters]) => (counters === null ? [] : [[id, counters] as const])));
  }

  /** The same of every container: one that does not run has used nothing that is known. */
  async groupUsage(): Promise<ReadonlyMap<string, GroupUsage>> {
    const used = await this.usage();
    return new Map(this.ids.map((id) => [id, used.get(id) ?? { cpuMicros: null, memoryBytes: null }]));
  }

  /** A page of a container's log; an empty one for a container that is not here, after the time that the request may wait. */
  logs(request: HostLogsRequest): Promise<HostLogsReply> {
    return readLogWhenMade(() => this.#containers.get(request.container_id)?.folder ?? null, request);
  }

  /** Pulls these images ahead and keeps them; says how far each is. None where containers are made of the host's programs alone. */
  async prepareImages(references: readonly string[]): Promise<PreparedImage[]> {
    return (await this.#imagesKeptReady?.prepare(references)) ?? [];
  }

  /** The counters of a container's rules, by rule; empty for a container that is not here. */
  async firewallCounts(id: string): Promise<FirewallCounts> {
    return (this.#containers.has(id) && (await this.#context.filter?.counts(id))) || {};
  }

  /** Runs programs in a container, for the services; null if it is not on this host. */
  execTarget(id: string): ExecTarget | null {
    return this.#containers.get(id)?.execTarget ?? null;
  }

  /** How often rules were restored that another program had changed. */
  get firewallRepairs(): number {
    return this.#firewallRepairs;
  }

  get count(): number {
    return this.#containers.size;
  }

  #isFor(key: string, id: string, { server_name }: { server_name: string }): boolean {
    return id === key && server_name === this.#server;
  }

  #setDesiredContainer(id: string, value: unknown): void {
    const problem = describeMismatch(DesiredContainer, value);
    if (problem === null && Value.Check(DesiredContainer, value) && this.#isFor(id, value.id, value)) {
      const gone = this.#deletedRevisions.get(id);
      if (gone === undefined || value.revision > gone) this.#container(id).setDesired(value);
      return;
    }
    const reason = `its desired state cannot be read: ${problem ?? "it is another container's or another host's"}`;
    this.#log.error({ container: id, reason }, "bad desired state");
    const known = this.#containers.get(id);
    if (known && !known.isAbsent) known.reportInvalidSpec(reason);
    else {
      this.#context.reportContainer(id, {
        revision: 0,
        state: "error",
        driver: this.#context.driver.kind,
        address: null,
        error: reason,
      });
    }
  }

  #setDesiredFirewall(id: string, value: unknown): void {
    const problem = describeMismatch(DesiredFirewall, value);
    if (
      problem === null &&
      Value.Check(DesiredFirewall, value) &&
      this.#isFor(id, value.container_id, value)
    ) {
      if (!this.#deletedRevisions.has(id)) this.#container(id).setDesiredFirewall(value);
      return;
    }
    const reason = `its rules cannot be read: ${problem ?? "they are another container's or another host's"}`;
    this.#log.error({ container: id, reason }, "bad desired state");
    this.#container(id).reportInvalidFirewall(reason);
  }

  #container(id: string): Container {
    const known = this.#containers.get(id);
    if (known) return known;
    const made = new Container(id, null, this.#context);
    this.#containers.set(id, made);
    return made;
  }

  #dropDeleted(id: string, revision: number): void {
    this.#containers.delete(id);
    this.#deletedRevisions.set(id, revision);
  }

  /** Claims a container's address. An address that is outside of a changed subnet is replaced. */
  #assignAddress(record: ContainerRecord): ContainerRecord {
    const pool = this.#context.driver.addresses;
    if (pool === null || pool.reserve(record.address)) return record;
    const address = pool.allocate();
    this.#log.warn(
      { container: record.id, from: record.address, to: address },
      "container gets a new address",
    );
    // No generation is -1: the container is restarted. Its rules contain the old address, so the table is rebuilt as well.
    return { ...record, address, generation: -1 };
  }

  #nameServer(gateway: string, dns: readonly string[]): NameServer {
    return new NameServer(gateway, dns, (address) => {
      const all = [...this.#containers.values()].flatMap((one) => one.named ?? []);
      const asking = all.find((one) => one.address === address);
      return asking === undefined ? null : all.filter(({ projectId }) => projectId === asking.projectId);
    });
  }

  /** Without, containers find all names but those of each other: the host's rules lead their questions past this agent. */
  async #listenForNames(): Promise<void> {
    try {
      await this.#names?.listen();
    } catch (error) {
      this.#log.error({ error: String(error) }, "containers do not find each other by name");
    }
  }

  /** Detects changes of the kernel's rules by other programs. */
  async #checkFirewalls(): Promise<void> {
    const { filter } = this.#context;
    if (!filter || performance.now() < this.#nextFirewallCheckMs) return;
    await this.#comparedFirewalls.isInSync(this.#commits, "", () => this.#compareFirewalls(filter));
  }

  /** Whether each container has its rules in the kernel. */
  async #compareFirewalls(filter: PacketFilter): Promise<boolean> {
    const fromMs = performance.now();
    const present = await filter.inspectAll();
    const ms = performance.now() - fromMs;
    this.#nextFirewallCheckMs = fromMs + ms / FIREWALL_CHECK_SHARE_MAX;
    const found = await Promise.all(
      [...this.#containers.values()].map((container) =>
        container.checkFirewall(present.get(container.id) ?? null),
      ),
    );
    return found.every((isInSync) => isInSync);
  }

  async #checkDisk(container: Container): Promise<void> {
    try {
      await container.checkDisk();
    } catch (error) {
      this.#log.error({ container: container.id, error: String(error) }, "its disk cannot be looked at");
    }
  }

  #checkPartDisks(): void {
    const containers = [...this.#containers.values()];
    const members = containers.flatMap(({ partMember }) => partMember ?? []);
    const partsOfUsers = new Map(containers.flatMap(({ partsOfShares }) => partsOfShares));
    const reasons = this.#partDisks.excess(members, this.#context.shares.bytesOfParts(partsOfUsers));
    for (const [id, reason] of reasons) this.#containers.get(id)?.stopForDisk(reason);
  }

  async #collectImages(): Promise<void> {
    const digests = [...this.#containers.values()].map((container) => container.imageDigest);
    const inUse = [...digests.filter((digest) => digest !== null), ...(this.#imagesKeptReady?.digests ?? [])];
    await this.#context.images?.collect(new Set(inUse));
  }

  /** Runs in the background and outside of the concurrency limit: the files of one container may take hours. */
  #emptyTrash(): void {
    void this.#context.store.emptyTrash(this.#log);
  }
}

/** Where a value breaks its schema, without the value itself, which is unchecked. Null when it matches. */
function describeMismatch(
  schema: typeof DesiredContainer | typeof DesiredFirewall,
  value: unknown,
): string | null {
  const first = Value.Errors(schema, value).First();
  return first ? `${first.path || "it"}: ${first.message}` : null;
}
