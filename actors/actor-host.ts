import type { Logger } from "pino";
import { anything } from "../schemas/received.ts";
import {
  type AgentOperation,
  AI_CREDIT_SYNCED,
  agentSubject,
  EVENTS_LOST,
  WEBHOOKS_CHANGED,
} from "../schemas/subjects.ts";
import { measureDropped } from "../system/dropped-metric.ts";
import { serveMetrics } from "../system/metrics-server.ts";
import { type Reconciler, ReconcilerRunner } from "../system/reconciler.ts";
import type { Tracing } from "../system/tracing/tracing.ts";
import { measureVersion } from "../system/version.ts";
import { deletedAccountsReconciler } from "./accounts/account/deletion/reconcile.ts";
import { auditReconciler } from "./accounts/audit/reconcile.ts";
import { poolReconciler } from "./accounts/pool/reconcile.ts";
import { publishEvents } from "./activity/event/publish.ts";
import { eventLogReconcilers } from "./activity/event/reconcile.ts";
import { consumeEventsForInbox } from "./activity/inbox/consume.ts";
import { inboxReconciler } from "./activity/inbox/reconcile.ts";
import { enqueueMails } from "./activity/mail/enqueue.ts";
import { type Mail, startMail } from "./activity/mail/index.ts";
import { WebhookDeliverer } from "./activity/webhook/deliver.ts";
import { WebhookEnqueuer } from "./activity/webhook/enqueue.ts";
import { WEBHOOK_TOPIC, type WebhookEffect } from "./activity/webhook/index.ts";
import { webhookMetrics } from "./activity/webhook/metrics.ts";
import { webhookReconcilers } from "./activity/webhook/reconcile.ts";
import { type AiCreditSync, startAiCredit } from "./billing/ai-credit/reconcile.ts";
import { clusterGauges } from "./cluster-gauges.ts";
import { certificateReconciler } from "./hosting/certificate/reconcile.ts";
import { secretOpener } from "./hosting/container/env.ts";
import { suspendedContainersReconciler } from "./hosting/container/suspended.ts";
import { domainLooker } from "./hosting/domain/look.ts";
import { domainReconciler } from "./hosting/domain/reconcile.ts";
import { DESIRED_TOPIC, type DesiredRef, desiredState } from "./hosting/host/desired.ts";
import { livenessReconciler } from "./hosting/host/liveness.ts";
import { preparedImagesReconciler } from "./hosting/host/prepared-images.ts";
import { hostReconciler } from "./hosting/host/reconcile.ts";
import { RefusedReports } from "./hosting/host/refused-reports.ts";
import { ReportHandler } from "./hosting/host/report-handler.ts";
import { scheduledSnapshotsReconciler } from "./hosting/storage-share/reconcile.ts";
import { rentalReconciler } from "./market/rental/reconcile.ts";
import { changedSpecsReconciler, joinedHostsReconciler } from "./market/server/reconcile.ts";
import { systemClock } from "./platform/clock.ts";
import { clockGauge } from "./platform/db/health/clock-gauge.ts";
import { migrate } from "./platform/db/migrate.ts";
import { commonLook } from "./platform/due/due.ts";
import { ENDED_SESSIONS_TOPIC, type SessionsEnded } from "./platform/ended-sessions.ts";
import { newId, randomIds } from "./platform/ids.ts";
import { hostMetrics, measureRefusedReports } from "./platform/metrics.ts";
import { EVENT_TOPIC } from "./platform/record-event.ts";
import { MAIL_TOPIC, type MailRequest } from "./platform/request-mail.ts";
import { startOfRetention } from "./platform/retention-settings.ts";
import { readSecrets, type Settings } from "./platform/settings.ts";
import { startWatchdog } from "./platform/watchdog.ts";
import { type Definitions, definitions } from "./registry.ts";
import { connectClient } from "./runtime/client.ts";
import { type Host, startHost } from "./runtime/host/host.ts";
import { prune, pruneClientReceipts } from "./runtime/store/outbox/queries.ts";
import { postgresStore } from "./runtime/store/queries.ts";
import { Caller } from "./runtime/transport/caller.ts";
import { consume } from "./runtime/transport/consume.ts";
import { natsBus } from "./runtime/transport/nats-bus.ts";
import { assertSendersStated } from "./senders.ts";

/** A running actor host. */
export interface ActorHost {
  /** Hands its partitions over and closes its connections. No request fails. */
  stop(): Promise<void>;
}

const PRUNE_MS = 60_000;
const MEMORY_CHECK_MS = 5_000;
/**
 * After this many lease periods without a turn of the event loop the thread hangs; other hosts own its partitions by
 * then.
 */
const STUCK_LEASES = 3;
/** An agent answers a ping within milliseconds, on the busiest host within a second. */
const AGENT_MS_MAX = 3_000;

/**
 * Starts an actor host: applies missing migrations, acquires its share of the partitions, and runs the reconcilers of
 * the nouns.
 *
 * @throws Error with one line for the operator when PostgreSQL or NATS cannot be used
 */
export async function startActorHost(settings: Settings, log: Logger, tracing?: Tracing): Promise<ActorHost> {
  const kinds = Object.values(definitions(settings));
  assertSendersStated(kinds);
  const secrets = readSecrets(settings.secretsKeyFile);
  const { acme, containerDomain, archiveFolder } = settings;
  if (acme !== undefined && secrets === null)
    throw new Error("BERTH_ACME_URL needs BERTH_SECRETS_KEY_FILE, which encrypts the keys of certificates");
  await migrate(settings.databaseUrl).then(
    (applied) => applied.length > 0 && log.info({ applied }, "the database is up to date"),
    (cause) => {
      throw new Error(`PostgreSQL at DATABASE_URL could not be prepared: ${cause.message}`, { cause });
    },
  );
  const bus = await natsBus(settings.natsUrl, settings.hostName, log).catch((cause) => {
    throw new Error(`NATS at NATS_URL cannot be used: ${cause.message}`, { cause });
  });

  // A restarted process is a new host with a new name: the leases of the old process must expire first.
  const host = `${settings.hostName}-${crypto.randomUUID().slice(0, 8)}`;
  const store = postgresStore(settings.databaseUrl, settings.lanes, {
    // The triggers that enforce quotas read their limits here.
    "berth.quotas": JSON.stringify(settings.quotas),
  });
  // Before it joins: partitions that it does not know would wait for it.
  await store.cluster();
  const desired = desiredState(store.db, bus.jetstream, secretOpener(secrets), settings.natsReplicas);
  const measured = hostMetrics();

  const caller = new Caller({
    caller: host,
    bus,
    clock: systemClock,
    ids: randomIds,
    leases: () => store.cluster(),
  });
  const publish = publishEvents({
    jetstream: bus.jetstream,
    replicas: settings.natsReplicas,
    manager: await bus.connection.jetstreamManager({ checkAPI: false }),
    // Includes partitions without an owner: their next owner publishes from the beginning of the outbox.
    onStreamMissing: () => store.rewind(),
    onStreamRecreated: () => bus.publish(EVENTS_LOST, ""),
    onStreamReset: () => replay(),
  });
  let aiCredit: AiCreditSync | undefined;
  let mail: Mail | undefined;
  const webhooks = { db: store.db, metrics: webhookMetrics(measured.registry) };
  const { networks, timeoutMs, ...times } = settings.webhooks;
  const deliverer = new WebhookDeliverer({ ...webhooks, log, networks, timeoutMs, times });
  const enqueuer = new WebhookEnqueuer({ db: store.db, newId, onEnqueued: () => deliverer.wake() });
  const watchdog = startWatchdog(log, Math.ceil((settings.leaseTtlMs * STUCK_LEASES) / 1_000));
  const running: Host = await startHost({
    host,
    caller,
    definitions: kinds,
    topics: {
      [EVENT_TOPIC]: async (rows) => {
        aiCredit?.onEvents(rows);
        await Promise.all([publish(rows), enqueuer.enqueue(rows)]);
      },
      [WEBHOOK_TOPIC]: async (rows) => {
        bus.publish(WEBHOOKS_CHANGED, "");
        await enqueuer.apply(rows.map((row) => row.body as WebhookEffect));
      },
      [MAIL_TOPIC]: async (rows) => {
        if (settings.mail === undefined) return;
        await enqueueMails(
          store.db,
          rows.map((row) => row.body as MailRequest),
        );
        mail?.wake();
      },
      [ENDED_SESSIONS_TOPIC]: (rows) =>
        desired.publishEndedSessions(rows.map((row) => (row.body as SessionsEnded).user_id)),
      [DESIRED_TOPIC]: (rows) =>
        desired.publish(rows.map(({ body, origin }) => ({ ...(body as DesiredRef), origin }))),
    },
    // What reaches hosts and ends sessions does not wait.
    patientTopics: new Set([EVENT_TOPIC]),
    store,
    bus,
    clock: systemClock,
    ids: randomIds,
    log,
    lanes: settings.lanes,
    leaseTtlMs: settings.leaseTtlMs,
    metrics: measured.metrics,
    tracing,
    watch: watchdog.watch,
  });
  consume(bus, EVENTS_LOST, { kind: "events-lost", read: anything, handle: () => replay() });
  consume(bus, WEBHOOKS_CHANGED, {
    kind: "webhooks-changed",
    read: anything,
    handle: () =>
      void enqueuer
        .refresh()
        .catch((error) => log.warn({ err: error }, "webhooks could not be read; trying again")),
  });
  measureDropped(measured.registry, bus.droppedCounts);
  measured.observe(running);
  measureVersion(measured.registry);

  const client = connectClient<Definitions>(caller);
  const owns = (kind: string, id: string) => running.owns(kind, id);
  const shared = { db: store.db, bus, desired, actors: client.actors, log, owns };
  const refused = new RefusedReports(log);
  measureRefusedReports(measured.registry, () => refused.counts());
  const reports = new ReportHandler({ ...shared, refused });
  aiCredit = startAiCredit({
    settings,
    actors: client.actors,
    log,
    announce: (synced) => bus.publish(AI_CREDIT_SYNCED, JSON.stringify(synced)),
    owns: (userId) => running.owns("wallet", userId),
  });
  if (settings.mail !== undefined)
    mail = startMail({
      ...shared,
      registry: measured.registry,
      settings: settings.mail,
      keepHours: settings.keepHours.deliveries,
    });
  const askAgent = async (serverName: string, op: AgentOperation, text = "") =>
    (await bus.connection.request(agentSubject(serverName, op), text, { timeout: AGENT_MS_MAX })).string();
  const ping = (serverName: string) => askAgent(serverName, "ping");
  const isReachable = (serverName: string) =>
    ping(serverName).then(
      () => true,
      () => false,
    );
  const reconcilers: readonly Reconciler[] = [
    hostReconciler({ ...shared, reports, isReachable }),
    joinedHostsReconciler({ ...shared, isReachable }),
    changedSpecsReconciler(shared),
    livenessReconciler({ ...shared, ping, isConnected: () => bus.connected() }),
    preparedImagesReconciler({
      ...shared,
      prepareImages: (name, text) => askAgent(name, "prepare-images", text),
    }),
    rentalReconciler(shared),
    poolReconciler(shared),
    scheduledSnapshotsReconciler(shared),
    deletedAccountsReconciler(shared),
    ...(settings.suspendedContainers === "stop" ? [suspendedContainersReconciler(shared)] : []),
    clusterGauges(store.db, measured.registry),
    clockGauge(store.db, measured.registry),
    domainReconciler({ ...shared, containerDomain, look: domainLooker(settings.domainNameServers) }),
    ...(acme === undefined || secrets === null
      ? []
      : [
          certificateReconciler({
            ...shared,
            settings: acme,
            secrets,
            containerDomain,
            registry: measured.registry,
          }),
        ]),
    ...eventLogReconcilers({
      ...shared,
      keepDays: settings.keepDays.events,
      archive:
        archiveFolder === undefined
          ? undefined
          : { folder: archiveFolder, databaseUrl: settings.databaseUrl },
    }),
    auditReconciler({ db: store.db, keepDays: settings.keepDays.audit }),
    inboxReconciler({ db: store.db, keepDays: settings.keepDays.notifications }),
    ...webhookReconcilers({
      ...webhooks,
      actors: client.actors,
      enqueuer,
      deliverer,
      keepHours: settings.keepHours.deliveries,
    }),
    ...(mail === undefined ? [] : [mail.reconciler]),
    ...(aiCredit === undefined ? [] : [aiCredit.reconciler]),
    {
      name: "memory",
      intervalMs: MEMORY_CHECK_MS,
      startsLater: true,
      reconcile() {
        if (process.memoryUsage.rss() > settings.memoryMaxMb * 2 ** 20)
          running.evictIdle(running.status().actors / 2);
      },
    },
    {
      name: "pruning",
      intervalMs: PRUNE_MS,
      startsLater: true,
      async reconcile(signal) {
        while ((await prune(store.db, settings.keepHours)) > 0 && !signal.aborted);
        const before = startOfRetention(settings.keepDays.clientReceipts, new Date());
        if (before === undefined) return;
        while (!signal.aborted && (await pruneClientReceipts(store.db, before)) > 0);
      },
    },
  ];
  const runner = new ReconcilerRunner({
    log,
    registry: measured.registry,
    look: commonLook(store.db, reconcilers),
  });
  runner.start(...reconcilers);
  const stopInbox = consumeEventsForInbox({
    bus,
    actors: client.actors,
    log,
    graceMs: settings.graceMs,
  });

  const metricsServer =
    settings.metrics &&
    serveMetrics(settings.metrics, measured.registry, async () => (bus.connected() ? undefined : "NATS"));

  log.info({ host, partitions: running.status().partitions }, "ready");

  return {
    async stop() {
      runner.stop();
      await deliverer.stop();
      await mail?.stop();
      reports.stop();
      await aiCredit?.stop();
      stopInbox();
      await running.stop();
      client.close();
      await metricsServer?.stop();
      await bus.close();
      await store.end();
      watchdog.stop();
      await tracing?.stop();
    },
  };

  function replay(): void {
    running.replay().catch((error) => log.error({ err: error }, "could not deliver again what was lost"));
  }
}
