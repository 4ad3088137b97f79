import { mkdir } from "node:fs/promises";
import { join, resolve } from "node:path";
import type { Logger } from "pino";
import { DroppedMessages } from "../schemas/received.ts";
import { accessKeysSubject, certificatesSubject, registryCredentialSubject } from "../schemas/subjects.ts";
import { acquireInstanceLock } from "../system/instance-lock.ts";
import { serveMetrics } from "../system/metrics-server.ts";
import { Registry } from "../system/prometheus.ts";
import { SettingError } from "../system/setting-error.ts";
import type { Tracing } from "../system/tracing/tracing.ts";
import { measureVersion } from "../system/version.ts";
import { Aliases } from "./aliases/aliases.ts";
import { chooseDriver } from "./containers/choose.ts";
import type { ContainerDriver } from "./containers/driver.ts";
import { Images } from "./containers/images/images.ts";
import { IMAGE_STORE } from "./containers/images/store.ts";
import { debootstrap, RootImages } from "./containers/root-image.ts";
import { Commands } from "./control-plane/commands.ts";
import { ControlPlaneConnection } from "./control-plane/connection.ts";
import { readHostFacts, unlimitedOnHost } from "./control-plane/host-facts.ts";
import { HostUsageReader, readDisk } from "./control-plane/host-usage.ts";
import { measureAgent } from "./control-plane/metrics.ts";
import { registryCredentials } from "./control-plane/registry-credentials.ts";
import { Reporter } from "./control-plane/reports.ts";
import { TerminalAuditLog } from "./control-plane/terminal-audit-log.ts";
import { hostCounters } from "./control-plane/usage-history/host-counters.ts";
import { UsageSampler } from "./control-plane/usage-history/sampler.ts";
import { HOST, UsageHistory } from "./control-plane/usage-history/usage-history.ts";
import { EndedSessionList } from "./edge/auth/ended-sessions.ts";
import { HostNetwork } from "./network/host-network.ts";
import { PacketFilter } from "./network/nft/apply.ts";
import { CommitMonitor } from "./network/nft/commit-monitor.ts";
import { firewallTableName } from "./network/nft/compile.ts";
import { NFT_FOLDER, NftSession } from "./network/nft/nft-session.ts";
import { claimSubnet, releaseSubnet } from "./network/subnet-claim.ts";
import { HostReconciler } from "./reconciler/reconciler.ts";
import { type Serving, serve } from "./services/serve.ts";
import type { Settings } from "./settings.ts";

/** A reachable control plane answers a ping within milliseconds. */
const ANSWER_MS_MAX = 500;
const DAY_SECONDS = 24 * 60 * 60;

/** The running agent of one host. */
export interface Agent {
  /** Stops the agent. Containers keep running, unless the operator has set that they stop with it. */
  stop(signal: string): Promise<void>;
}

/**
 * Starts the agent of one host, which brings the host to its desired state.
 *
 * @param stopping receives the agent as soon as there is something to stop, since starting takes as long as
 * containers do
 * @param mayConnect settles when this host has a credential for the control plane
 * @param tracing where the operator collects traces
 * @throws SettingError, ControlPlaneError or ResourceInUseError with one line for the operator
 */
export async function startAgent(
  settings: Settings,
  log: Logger,
  stopping: (agent: Agent) => void,
  mayConnect: () => Promise<void>,
  tracing?: Tracing,
): Promise<void> {
  const data = resolve(settings.data);
  const driver = await driverOf(settings, data, log);
  await mkdir(data, { recursive: true, mode: 0o700 }).catch((cause) => {
    throw new SettingError(`BERTH_DATA: ${data} cannot be made: ${cause.message}`, { cause });
  });
  const unlock = acquireInstanceLock(
    join(data, "agent.json"),
    (pid) => `process ${pid} uses ${data}: stop it, or set BERTH_DATA to another folder`,
  );
  const { addresses } = driver;
  const formerSubnet =
    driver.kind !== "process" && addresses !== null ? await claimSubnet(addresses.subnet, data) : null;
  log.info({ driver: driver.kind, runtime: driver.runtime, subnet: addresses?.subnet, data }, "starting");
  const missing = driver.kind === "process" ? [] : await unlimitedOnHost(driver.runtime);
  if (missing.length > 0) log.warn({ missing }, "this host cannot limit these of a container");

  const registry = new Registry();
  measureVersion(registry);
  const reporter = new Reporter(log);
  const table = firewallTableName(data);
  const nft =
    driver.kind === "process"
      ? undefined
      : new NftSession(join(NFT_FOLDER, table), {
          onEnded: (exitCode) =>
            log.warn({ exitCode }, "nft has ended by itself, and is started again; the rules stay in force"),
        });
  const filter = driver.kind !== "process" ? new PacketFilter(table, nft) : null;
  const commits = driver.kind !== "process" ? new CommitMonitor() : undefined;
  const reconciler = new HostReconciler({
    server: settings.server,
    driver,
    filter,
    commits,
    images: imagesOf(driver, settings, data, log),
    registryCredentials: registryCredentials(
      (text) =>
        controlPlane?.request(registryCredentialSubject(settings.server), text) ??
        Promise.reject(new Error("not connected yet")),
      log,
    ),
    limits: settings.limits,
    dns: settings.dns,
    data,
    reports: reporter,
    log,
    registry,
    tracing,
  });
  const terminalAuditLog = new TerminalAuditLog(log);
  const dropped = new DroppedMessages(({ kind, count, reason, error }) =>
    log.warn({ kind, count, reason, err: error }, "messages from NATS were dropped"),
  );
  const usage = new HostUsageReader(data, () => reconciler.groupUsage());
  const usageHistory = new UsageHistory(data, log, settings.keepMetricsDays * DAY_SECONDS);
  const usageSampler = new UsageSampler(
    usageHistory,
    async () => (await reconciler.usage()).set(HOST, await hostCounters(data)),
    log,
  );
  const aliases = await Aliases.open({ server: settings.server, data, log });
  const endedSessions = new EndedSessionList({
    server: settings.server,
    file: join(data, "edge", "ended-sessions.json"),
    log,
  });
  const commands = new Commands((id, command) => reconciler.runCommand(id, command), {
    hasSessionEnded: ({ session_id, session_user_id, seen_ms }) =>
      endedSessions.has({ sessionId: session_id, sessionUserId: session_user_id, issuedAtMs: seen_ms }),
    mayEnter: (id, userId) => reconciler.present(id)?.desired.grants?.includes(userId) ?? false,
  });
  const startedAt = new Date().toISOString();
  let ready = false;
  let controlPlane: ControlPlaneConnection | undefined;
  let serving: Serving | undefined;

  const isConnected = async () => (await controlPlane?.isReachable(ANSWER_MS_MAX)) ?? false;
  measureAgent(registry, {
    containers: () => reconciler.count,
    containerStates: () => reporter.containerStates(),
    aliases: () => aliases.count,
    isConnected,
    pendingReports: () => reporter.pending,
    firewallRepairs: () => reconciler.firewallRepairs,
    nftFaults: () => nft?.faults ?? 0,
    disk: () => readDisk(settings.data),
    edge: () =>
      serving && {
        connections: serving.edge.connections,
        ...serving.edge.traffic,
        certificateEnd: serving.certificateEnd,
      },
    dropped: dropped.counts,
  });
  const metricsServer =
    settings.metrics &&
    serveMetrics(settings.metrics, registry, async () => {
      if (ready && (await isConnected())) return undefined;
      return controlPlane?.isRefused
        ? "the control plane (NATS refuses the credential of this host: join it again, berth agent join)"
        : "the control plane";
    });

  stopping({
    async stop(signal) {
      log.info({ signal, containers: settings.atEnd }, "stopping");
      await metricsServer?.stop();
      await serving?.close(settings.atEnd === "stop");
      usageSampler.stop();
      await reconciler.close();
      if (settings.atEnd === "stop") {
        await reconciler.shutdown();
        // Only after its rules are removed: the next agent with this subnet uses the same names.
        if (driver.kind !== "process") releaseSubnet(data);
      }
      nft?.close();
      commits?.close();
      await terminalAuditLog.close();
      await controlPlane?.close();
      usageHistory.close();
      await aliases.close();
      await endedSessions.close();
      reporter.close();
      await tracing?.stop();
      unlock();
    },
  });

  // Before the connection to the control plane: a host without one runs its former containers.
  await reconciler.start();
  void usageSampler.start();
  // The containers with the former addresses get new ones, behind the new subnet's rules.
  if (formerSubnet !== null) await new HostNetwork(formerSubnet).release();
  serving = await serve({
    settings: settings.edge,
    terminal: settings.terminal,
    server: settings.server,
    data,
    present: (id) => reconciler.present(id),
    execTarget: (id) => reconciler.execTarget(id),
    endedSessions,
    isIsolated: driver.kind !== "process",
    edgeAddress: addresses?.edge,
    resolveAlias: (label) => aliases.lookup(label),
    resolveDomain: (name) => aliases.lookupDomain(name),
    terminalOpened: (...opened) => terminalAuditLog.record(...opened),
    askForKeys: () =>
      controlPlane?.request(accessKeysSubject(settings.server)) ??
      Promise.reject(new Error("not connected yet")),
    askForCertificates: (query) =>
      controlPlane?.request(certificatesSubject(settings.server), query) ??
      Promise.reject(new Error("not connected yet")),
    log,
  });
  await mayConnect();
  controlPlane = await ControlPlaneConnection.open({
    url: settings.natsUrl,
    server: settings.server,
    reporter,
    auditLog: terminalAuditLog,
    dropped,
    tracing,
    log,
    onDesired: (key, value) => {
      reconciler.desire(key, value);
      aliases.desire(key, value);
      endedSessions.desire(key, value);
    },
    onGone: (key) => aliases.onDeleted(key),
    onListed: async (keys) => {
      endedSessions.synced();
      if (keys !== null) aliases.listed(keys);
      await reconciler.settled();
      if (!ready) log.info({ containers: reconciler.count }, "ready");
      ready = true;
    },
    firewallCounts: (containerId) => reconciler.firewallCounts(containerId),
    runCommand: (request) => commands.reply(request),
    prepareImages: (references) => reconciler.prepareImages(references),
    metrics: (request) => usageHistory.read(request),
    logs: (request) => reconciler.logs(request),
    usage: () => usage.read(),
    sessionsEnded: (ended) => endedSessions.add(ended),
    awaitAlias: (id, revision) => aliases.awaitRevision(id, revision),
    status: async () => ({
      driver: driver.kind,
      facts: await readHostFacts(data, driver.kind, driver.runtime),
      containers: reconciler.count,
      aliases: aliases.count,
      started_at: startedAt,
    }),
  });
  // The edge has asked in vain before.
  serving.refreshKeys();
}

/** Only isolated containers have files of their own. */
function imagesOf(driver: ContainerDriver, settings: Settings, data: string, log: Logger): Images | null {
  if (driver.kind === "process") return null;
  const { registries, limits } = settings;
  return new Images({ folder: join(data, IMAGE_STORE), settings: registries, limits, log });
}

async function driverOf(settings: Settings, data: string, log: Logger): Promise<ContainerDriver> {
  const images = new RootImages({
    name: settings.rootImage,
    folder: join(data, "images"),
    log,
    make: debootstrap(settings.debianMirror),
  });
  try {
    return await chooseDriver(settings, images, data);
  } catch (cause) {
    if (cause instanceof RangeError) throw new SettingError(cause.message, { cause });
    throw cause;
  }
}
