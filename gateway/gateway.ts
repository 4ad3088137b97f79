import { hostname } from "node:os";
import type { Logger } from "pino";
import { readHasSecondFactor } from "../actors/accounts/account/factors/queries.ts";
import { readEndedSessions, readHasEnded } from "../actors/accounts/account/queries.ts";
import { readActiveToken, readEndedTokens } from "../actors/accounts/token/queries.ts";
import { readerKey, readReaders } from "../actors/activity/event/shared/queries.ts";
import { connectProvider } from "../actors/billing/ai-credit/provider/connect.ts";
import { listServersInReach } from "../actors/hosting/container/queries.ts";
import { readFirewallRevision } from "../actors/hosting/firewall/queries.ts";
import { boundedReads, type ReadBounds } from "../actors/platform/db/bounded-reads.ts";
import { gatewaySession } from "../actors/platform/db/gateway-sessions/name.ts";
import { clockGauge } from "../actors/platform/db/health/clock-gauge.ts";
import { mayWrite } from "../actors/platform/db/roles.ts";
import { isDatabaseUnavailable, openSql } from "../actors/platform/db/sql.ts";
import { newId } from "../actors/platform/ids.ts";
import { readSecrets } from "../actors/platform/settings.ts";
import type { Definitions } from "../actors/registry.ts";
import { pingDatabase, readCluster } from "../actors/runtime/store/cluster/queries.ts";
import { connectToCluster } from "../actors/runtime/transport/connect.ts";
import { consume } from "../actors/runtime/transport/consume.ts";
import { natsBus } from "../actors/runtime/transport/nats-bus.ts";
import packageJson from "../package.json" with { type: "json" };
import { ACCESS_TOKEN_SECONDS } from "../schemas/accounts/auth.ts";
import { ID_LENGTH, ID_PATTERN } from "../schemas/primitives.ts";
import { anything, textOf } from "../schemas/received.ts";
import {
  accessKeysSubject,
  agentSubject,
  certificatesSubject,
  hostCredentialSubject,
  isReply,
  registryCredentialSubject,
  SESSION_ENDED,
} from "../schemas/subjects.ts";
import { measureDropped } from "../system/dropped-metric.ts";
import { urlHost } from "../system/listen-address.ts";
import { listenFailure } from "../system/listen-failure.ts";
import { serveMetrics } from "../system/metrics-server.ts";
import { serversOf } from "../system/nats-url.ts";
import { Registry } from "../system/prometheus.ts";
import { ReconcilerRunner } from "../system/reconciler.ts";
import type { Tracing } from "../system/tracing/tracing.ts";
import { measureVersion } from "../system/version.ts";
import { aiCredits } from "./ai-credit/index.ts";
import { createApp, IDLE_SECONDS } from "./app.ts";
import { TokenIssuer, TokenVerifier } from "./auth/access-tokens.ts";
import { ApiTokens } from "./auth/api-tokens.ts";
import { CodehostClient } from "./auth/codehost-client.ts";
import { Credentials } from "./auth/credentials.ts";
import { RequestLimits } from "./auth/request-limits.ts";
import { RequiredSecondFactor } from "./auth/required-second-factor.ts";
import { readSigningKey } from "./auth/signing-key.ts";
import { edgeAuthorityReader } from "./certificates/edge-authority.ts";
import { hostCertificates, readHostCertificatesQuery } from "./certificates/for-hosts.ts";
import { type TlsListener, tlsListener } from "./certificates/tls-listener.ts";
import { unknownPage } from "./console/server/routes.ts";
import { EventFeedConnection } from "./events/feed-connection.ts";
import { appliedFirewalls } from "./hosts/applied-firewalls.ts";
import { askHost } from "./hosts/ask-host.ts";
import { commandRunner } from "./hosts/container-commands.ts";
import { logReader } from "./hosts/container-logs.ts";
import { endedSessionsNotifier } from "./hosts/ended-sessions.ts";
import { enrolments } from "./hosts/enrolments.ts";
import { firewallCounts } from "./hosts/firewall-counts.ts";
import { joinedHosts } from "./hosts/joined-hosts.ts";
import { liveUsage } from "./hosts/live-usage.ts";
import { LogStreams } from "./hosts/log-streams.ts";
import { hostAccounts } from "./hosts/nats-accounts.ts";
import { readNatsKeys } from "./hosts/nats-keys.ts";
import { originHeaders } from "./hosts/origin-headers.ts";
import { readCredentialQuery, registryCredentialFor } from "./hosts/registry-credentials.ts";
import { metricsReader } from "./hosts/usage-history.ts";
import { keptReplies } from "./http/kept-replies.ts";
import { runningRequests } from "./http/running-requests.ts";
import { sharesPort } from "./http/shared-port.ts";
import { routes } from "./routes/index.ts";
import type { GatewaySettings } from "./settings.ts";

/** A running gateway. */
export interface Gateway {
  /** Settles when it can serve no more, with a line for the operator: it has to be stopped, and an upgrade is needed. */
  readonly failed: Promise<Error>;
  /**
   * Serves on for `drainSeconds` while it says that it is not ready. Then it accepts no new connections, completes the requests in
   * progress, and closes the connections.
   */
  stop(): Promise<void>;
}

/** Connections to PostgreSQL, which the reads of all requests share. */
const READ_CONNECTIONS_MAX = 10;
/** Long, since a slow machine may need it at the start; requests have time limits of their own. */
const CONNECT_SECONDS_MAX = 30;
/** More than the interval of the check of ended sessions, so that there is always a connection. */
const IDLE_SECONDS_MAX = 15;
const READ_BOUNDS: ReadBounds = {
  // Ten times the longest read. A longer one means that the database stands still, and the client gets 503.
  replyMsMax: 5_000,
  // Enough to keep every connection busy.
  inFlightMax: 8 * READ_CONNECTIONS_MAX,
  // About 1 KiB each.
  waitingMax: 10_000,
};
/** NATS answers a ping within a millisecond or two. */
const NATS_PING_MS = 500;
/** How long a reply waits for the host to apply an alias: a few milliseconds on a healthy host. */
const ALIAS_MS_MAX = 2_000;
/**
 * How long a reply waits for hosts to confirm that sessions ended. Hosts that miss it find it in their desired state.
 */
const ENDED_SESSIONS_MS_MAX = 1_000;
/** How long a reply waits for being kept: a millisecond where JetStream is healthy. */
const KEEP_REPLY_MS_MAX = 500;
/** How often the accounts of hosts at NATS are compared with the records, for what could not be published at once. */
const HOST_ACCOUNTS_MS = 15_000;
/** How often this gateway reads the ended sessions whose message it may have missed. */
const ENDED_SESSIONS_MS = 10_000;

/**
 * Starts a gateway: connects to PostgreSQL and NATS, and serves HTTP.
 *
 * @throws Error with one line for the operator that names the setting where something cannot be used
 */
export async function startGateway(
  settings: GatewaySettings,
  log: Logger,
  tracing?: Tracing,
): Promise<Gateway> {
  const issuer = await readSigningKey(settings.signingKeyFile)
    .then((key) => TokenIssuer.create(key))
    .catch((cause) => {
      throw new Error(`BERTH_SIGNING_KEY_FILE: ${cause.message}`, { cause });
    });
  const secrets = readSecrets(settings.secretsKeyFile);
  const keys =
    settings.natsKeysFile === undefined
      ? undefined
      : await readNatsKeys(settings.natsKeysFile).catch((cause) => {
          throw new Error(`BERTH_NATS_KEYS_FILE: ${cause.message}`, { cause });
        });
  const db = boundedReads(
    openSql(settings.databaseUrl, {
      max: READ_CONNECTIONS_MAX,
      name: gatewaySession(hostname()),
      connectSeconds: CONNECT_SECONDS_MAX,
      idleSeconds: IDLE_SECONDS_MAX,
    }),
    READ_BOUNDS,
  );
  await pingDatabase(db).catch((cause) => {
    throw new Error(`PostgreSQL at DATABASE_URL does not answer: ${cause.message}`, { cause });
  });
  if (await mayWrite(db)) log.warn("the database role may write: a gateway needs one that only reads");
  const credentials = new Credentials(
    new TokenVerifier(issuer.jwks(), (id) => readHasEnded(db, id)),
    new ApiTokens((id) => readActiveToken(db, id), settings.addressOf),
    new RequiredSecondFactor(settings.requireAdminSecondFactor, (id) => readHasSecondFactor(db, id)),
  );
  const bus = await natsBus(settings.natsUrl, "gateway", log).catch((cause) => {
    throw new Error(`NATS at NATS_URL cannot be used: ${cause.message}`, { cause });
  });

  // Before anything is served: it would be sent to the wrong hosts.
  await readCluster(db);
  const { promise: failed, resolve: fail } = Promise.withResolvers<Error>();
  let isDraining = false;
  const client = connectToCluster<Definitions>(bus, db, (error) => {
    isDraining = true;
    fail(error);
  });

  const askAgent = async (subject: string, text: string, timeoutMs: number) =>
    (await bus.connection.request(subject, text, { timeout: timeoutMs, ...originHeaders() })).string();

  const rejectEndedSessions = async (since: Date) => {
    const ended = await Promise.all([readEndedSessions(db, since), readEndedTokens(db, since)]);
    for (const sessionId of ended.flat()) credentials.endSession(sessionId);
  };
  await rejectEndedSessions(new Date(Date.now() - ACCESS_TOKEN_SECONDS * 1000));
  consume(bus, SESSION_ENDED, {
    kind: "session-ended",
    read: textOf(ID_PATTERN, ID_LENGTH),
    handle: (sessionId) => credentials.endSession(sessionId),
  });
  const joined = joinedHosts(db, client.actors, askAgent);
  consume(bus, accessKeysSubject("*"), {
    kind: "access-keys",
    read: anything,
    handle(_, { replyTo, subject }) {
      if (isReply(replyTo)) bus.publish(replyTo, JSON.stringify(issuer.jwks()));
      // Every agent asks at its start and every few minutes: a failure now is repaired then.
      joined
        .recordJoined(subject.slice(accessKeysSubject("").length))
        .catch((error) => log.warn({ err: error }, "a host's join could not be recorded"));
    },
  });
  const notifyHosts = endedSessionsNotifier(
    (userId) => listServersInReach(db, userId),
    (subject, text) => askAgent(subject, text, ENDED_SESSIONS_MS_MAX),
  );
  const accounts = keys && hostAccounts(keys, serversOf(settings.natsUrl).servers);
  const enrolled = enrolments(db, client.actors, accounts, {
    natsUrl: settings.agentNatsUrl ?? `nats://${serversOf(settings.natsUrl).servers.join(",")}`,
    containerDomain: settings.edge.containerDomain,
  });
  consume(bus, hostCredentialSubject("*"), {
    kind: "host-credentials",
    read: anything,
    // A request without a reply is repeated by the agent.
    async handle(_, { replyTo, subject }) {
      const credential = await enrolled.renew(subject.slice(hostCredentialSubject("").length));
      if (credential !== undefined && isReply(replyTo)) bus.publish(replyTo, credential);
    },
  });
  consume(bus, registryCredentialSubject("*"), {
    kind: "registry-credentials",
    read: readCredentialQuery,
    // A request without a reply is repeated with the pull.
    async handle(query, { replyTo, subject }) {
      const server = subject.slice(registryCredentialSubject("").length);
      const credential = await registryCredentialFor(db, secrets, server, query);
      if (isReply(replyTo)) bus.publish(replyTo, JSON.stringify(credential));
    },
  });
  const certificatesFor = hostCertificates({
    db,
    actors: client.actors,
    secrets,
    containerDomain: settings.edge.containerDomain,
    isOn: settings.isAcmeOn,
  });
  consume(bus, certificatesSubject("*"), {
    kind: "certificates",
    read: readHostCertificatesQuery,
    // A request without a reply is repeated by the agent.
    async handle(query, { replyTo, subject }) {
      const reply = await certificatesFor(subject.slice(certificatesSubject("").length), query);
      if (isReply(replyTo)) bus.publish(replyTo, JSON.stringify(reply));
    },
  });
  const eventFeed = new EventFeedConnection(bus, {
    readReaders: (audiences, userIds) => readReaders(db, audiences, userIds),
    readerKey,
    log,
  });

  const ask = askHost(askAgent, bus.dropped);
  const logStreams = new LogStreams();
  const registry = new Registry();
  measureVersion(registry);
  measureDropped(registry, bus.droppedCounts);
  const reconcilers = new ReconcilerRunner({ log, registry });
  reconcilers.start(clockGauge(db, registry));
  reconcilers.start({
    name: "ended-sessions",
    intervalMs: ENDED_SESSIONS_MS,
    startsLater: true,
    // Twice the interval, so that no session falls between two rounds.
    reconcile: () => rejectEndedSessions(new Date(Date.now() - 2 * ENDED_SESSIONS_MS)),
  });
  // Before anybody is told that this gateway is ready: a NATS that lost its data, or is new after a restore, would refuse the agents.
  await enrolled
    .sync()
    .catch((error) => log.warn({ err: error }, "the accounts of hosts at NATS are published later"));
  reconcilers.start({
    name: "host-accounts",
    intervalMs: HOST_ACCOUNTS_MS,
    startsLater: true,
    reconcile: () => enrolled.sync(),
  });
  const ready = { postgres: () => pingDatabase(db), nats: () => bus.ping(NATS_PING_MS) };
  const readEdgeAuthority = edgeAuthorityReader(settings.edgeAuthorityFile);
  const app = createApp({
    log,
    isDraining: () => isDraining,
    version: packageJson.version,
    requestLimits: new RequestLimits(settings.requestRates, settings.addressOf),
    registry,
    tracing,
    isUnavailable: isDatabaseUnavailable,
    unknownPage: unknownPage({ ...settings, readEdgeAuthority }),
    replies: {
      kept: keptReplies(bus.connection.jetstream({ timeout: KEEP_REPLY_MS_MAX }), log, settings.natsReplicas),
      running: runningRequests(bus),
    },
    ready,
    routes: routes({
      db,
      actors: client.actors,
      credentials,
      issuer,
      newId,
      publicUrl: settings.publicUrl,
      aiCredits: aiCredits(db, bus, connectProvider(settings.aiProvider, db)),
      codehost: settings.codehost && new CodehostClient(settings.codehost),
      codehostBonus: settings.codehostBonus,
      appliedFirewalls: appliedFirewalls(
        bus,
        (containerId) => readFirewallRevision(db, containerId),
        settings.firewallAppliedWithinMs,
      ),
      joinedHosts: joined,
      enrolments: enrolled,
      liveUsage: liveUsage(askAgent, undefined, bus.dropped),
      readLog: logReader(ask),
      readMetrics: metricsReader(ask),
      runHostCommand: commandRunner(ask),
      logStreams,
      firewallCounts: firewallCounts(askAgent, bus.dropped),
      firewallLimits: settings.firewall,
      quotas: settings.quotas,
      webhookNetworks: settings.webhookNetworks,
      sendsMail: settings.sendsMail,
      readEdgeAuthority,
      passwordMemoryMb: settings.passwordMemoryMb,
      secrets,
      // Without an agent NATS replies at once that there are no responders.
      awaitAliasApplied: (serverName, asked) =>
        bus.connection
          .request(agentSubject(serverName, "alias"), JSON.stringify(asked), {
            timeout: ALIAS_MS_MAX,
            ...originHeaders(),
          })
          .then(
            () => {},
            () => {},
          ),
      eventFeed,
      addressOf: settings.addressOf,
      payments: settings.payments,
      aiCreditFeeBps: settings.aiCreditFeeBps,
      log,
      ownUrl: `http://${urlHost(settings.hostname)}:${settings.port}`,
      edge: settings.edge,
      announceEndedSessions: async (userId, ids) => {
        for (const id of ids) {
          credentials.endSession(id);
          bus.publish(SESSION_ENDED, id);
        }
        await notifyHosts(userId, ids);
      },
    }),
  });

  const isShared = await sharesPort({
    port: settings.port,
    hostname: settings.hostname,
    keys: issuer.jwks(),
  });
  if (isShared) log.info({ port: settings.port }, "another gateway of this installation shares the port");
  try {
    app.listen({ port: settings.port, hostname: settings.hostname });
  } catch (cause) {
    throw listenFailure("BERTH_PORT", [settings.port], cause);
  }
  let tls: TlsListener | undefined;
  if (settings.tls !== undefined) {
    const { hostname } = settings;
    tls = tlsListener({
      settings: settings.tls,
      hostname,
      app,
      idleSeconds: IDLE_SECONDS,
      db,
      secrets,
      log,
      registry,
    });
    reconcilers.start(tls.reconciler);
  }
  const metricsServer =
    settings.metrics &&
    serveMetrics(settings.metrics, registry, () =>
      Promise.all([ready.postgres(), ready.nats()]).then(
        () => undefined,
        (error: Error) => `PostgreSQL or NATS (${error.message})`,
      ),
    );
  for (const [name, configured] of Object.entries(settings.payments.providers)) {
    if (configured?.provider.adapter === "sandbox")
      log.warn(
        `${name} runs as sandbox: anyone with the link to a payment page can credit its wallet without paying`,
      );
  }
  if (settings.codehost?.isSandbox)
    log.warn("the code host runs as sandbox: anyone can be anyone there, and claim the bonus for it");
  log.info({ port: settings.port }, "ready");

  return {
    failed,
    async stop() {
      isDraining = true;
      // A load balancer sends requests here until its next probe.
      await Bun.sleep(settings.drainSeconds * 1_000);
      reconcilers.stop();
      // Event streams never end by themselves.
      eventFeed.stop();
      logStreams.stop();
      await Promise.all([app.stop(), tls?.stop()]);
      await metricsServer?.stop();
      client.close();
      await bus.close();
      await db.end({ timeout: 5 });
      await tracing?.stop();
    },
  };
}
