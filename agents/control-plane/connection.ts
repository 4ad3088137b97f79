import { Type } from "@sinclair/typebox";
import { connect, ErrorCode, Events, type JetStreamClient, type NatsConnection, NatsError } from "nats";
import type { Logger } from "pino";
import {
  HOST_COMMAND_LENGTH_MAX,
  type HostCommandReply,
  HostCommandRequest,
} from "../../schemas/hosting/container-command.ts";
import { type HostLogsReply, HostLogsRequest } from "../../schemas/hosting/container-log.ts";
import { AliasRevisionQuery } from "../../schemas/hosting/desired.ts";
import type { FirewallCounts } from "../../schemas/hosting/firewall.ts";
import { type PreparedImage, PrepareImages } from "../../schemas/hosting/host.ts";
import { HostMetricsRequest, type MetricsSeries } from "../../schemas/hosting/metrics.ts";
import { ID_LENGTH, ID_PATTERN } from "../../schemas/primitives.ts";
import { anything, type DroppedMessages, jsonOf, type Reader, textOf } from "../../schemas/received.ts";
import {
  type AgentOperation,
  agentSubject,
  hostCredentialSubject,
  kvSubject,
  statusBucket,
} from "../../schemas/subjects.ts";
import { Backoff } from "../../system/backoff.ts";
import { type NatsServers, serversOf } from "../../system/nats-url.ts";
import type { Tracing } from "../../system/tracing/tracing.ts";
import { ControlPlaneError } from "./control-plane-error.ts";
import { HostCredentialFile } from "./credential.ts";
import { type DesiredEntry, DesiredFeed, NoBucketError } from "./desired-feed.ts";
import type { Reporter } from "./reports.ts";
import { serveRequests } from "./requests.ts";
import type { TerminalAuditLog } from "./terminal-audit-log.ts";

/** How often the whole desired state is listed again, to catch up with missed changes. */
const RELIST_MS = 30_000;
/** How soon a bucket that was lost or created again is noticed: one small request each time. */
const PROBE_MS = 5_000;
/** All reports are sent again at this interval, in case only their bucket was lost. */
const REPEAT_MS = 300_000;
const RETRY_FIRST_MS = 250;
const RETRY_MAX_MS = 5_000;
const RECONNECT_MS = 500;
const ASK_MS_MAX = 2_000;
const PING_SECONDS = 10;
/** After two unanswered pings the connection counts as lost. */
const PINGS_MAX = 2;

/** A machine that slept has another time than its timers. */
const RENEWAL_CHECK_MS = 60_000;
const RENEWAL_RETRY_MS = 30_000;

/** How NATS says that it refuses a credential. */
const REFUSALS: readonly string[] = [
  ErrorCode.AuthorizationViolation,
  ErrorCode.AuthenticationExpired,
  ErrorCode.AccountExpired,
];
/** A credential that is refused is shown again twice a second, and logged this often. */
const REFUSAL_LOG_MS = 60_000;

/** The largest value of a bucket. */
const VALUE_LENGTH_MAX = 4 * 1024 * 1024;
const readAlias = jsonOf(AliasRevisionQuery, 1_000);
/** With the ids of a host's containers. */
const readMetricsRequest = jsonOf(HostMetricsRequest, 1_000_000);
const readCommand = jsonOf(HostCommandRequest, HOST_COMMAND_LENGTH_MAX);
const readPrepareImages = jsonOf(PrepareImages, 100_000);
const readLogsRequest = jsonOf(HostLogsRequest, 1_000);
/** The value is checked by its consumer. */
const readAny = jsonOf(Type.Unknown(), VALUE_LENGTH_MAX);
const readId = textOf(ID_PATTERN, ID_LENGTH);

export interface ControlPlaneOptions {
  /** nats://user:password@host:port, or nats://host:port?creds=<file of a credential> */
  readonly url: string;
  /** This host's name, by `SERVER_NAME`. */
  readonly server: string;
  readonly reporter: Reporter;
  readonly auditLog: TerminalAuditLog;
  readonly dropped: DroppedMessages;
  readonly tracing?: Tracing | undefined;
  readonly log: Logger;
  /** Receives an entry of the desired state, unchecked. In a listing, firewalls and storage shares come before containers. */
  onDesired(key: string, value: unknown): void;
  /** Handles a removed entry. For a container this means nothing: it is deleted when its desired state says so. */
  onGone(key: string): void;
  /** Handles the end of a listing with these keys; null: there is no desired state yet. */
  onListed(keys: ReadonlySet<string> | null): void;
  /** Settles when an alias has a revision (null: when it is deleted). */
  awaitAlias(aliasId: string, revision: number | null): Promise<void>;
  /** Reads the counters of a container's rules. */
  firewallCounts(containerId: string): Promise<FirewallCounts>;
  /** The reply to `ping`, besides the server's name. */
  status(): Promise<Record<string, unknown>>;
  /** Receives ended sessions (`EndedSessions`, unchecked). */
  sessionsEnded(ended: unknown): void;
  /** Runs a command in a container, once for each id. */
  runCommand(request: HostCommandRequest): Promise<HostCommandReply>;
  /** Keeps images ready for new containers. */
  prepareImages(references: readonly string[]): Promise<PreparedImage[]>;
  /** Reads usage over time. */
  metrics(request: HostMetricsRequest): MetricsSeries;
  /** Reads a page of a container's log. */
  logs(request: HostLogsRequest): HostLogsReply | Promise<HostLogsReply>;
  /** Reads the present use of this host. */
  usage(): Promise<object>;
}

/** This host's connection to the control plane: desired state in, reports out. Reconnects until it is closed. */
export class ControlPlaneConnection {
  #closed = false;
  #isRefused = false;
  readonly #closing = Promise.withResolvers<void>();
  #wake: (() => void) | null = null;
  #bucketCreatedAt = "";
  #stopFollowing: (() => void) | null = null;
  readonly #feed: DesiredFeed;

  private constructor(
    private readonly options: ControlPlaneOptions,
    private readonly connection: NatsConnection,
    private readonly jetstream: JetStreamClient,
  ) {
    this.#feed = new DesiredFeed(connection, options.dropped, options.server);
  }

  /**
   * Connects, waiting for a server that is not up yet.
   * @throws ControlPlaneError when the URL is invalid, or the credentials are refused
   */
  static async open(options: ControlPlaneOptions): Promise<ControlPlaneConnection> {
    const { server, log, reporter, auditLog, dropped, tracing } = options;
    const { creds: file } = parse(options.url);
    const credential = file === undefined ? undefined : await HostCredentialFile.open(file);
    const connection = await dial(options, credential);
    log.info({ server: connection.getServer() }, "connected");
    const controlPlane = new ControlPlaneConnection(options, connection, connection.jetstream());
    const put = async (key: string, value: string) => {
      await controlPlane.jetstream.publish(kvSubject(statusBucket(server), key), value);
    };
    reporter.connect(put);
    auditLog.connect(put);
    const serve = <T>(op: AgentOperation, read: Reader<T>, reply: (value: T) => string | Promise<string>) =>
      serveRequests(connection, dropped, agentSubject(server, op), { kind: op, read, reply, log, tracing });
    serve("ping", anything, async () => JSON.stringify({ server, ...(await options.status()) }));
    serve("usage", anything, async () => JSON.stringify(await options.usage()));
    serve("alias", readAlias, async ({ id, revision }) => {
      await options.awaitAlias(id, revision);
      return "";
    });
    serve("ended-sessions", readAny, (ended) => {
      options.sessionsEnded(ended);
      return "";
    });
    serve("firewall-counts", readId, async (id) => JSON.stringify(await options.firewallCounts(id)));
    serve("command", readCommand, async (request) => JSON.stringify(await options.runCommand(request)));
    serve("prepare-images", readPrepareImages, async ({ references }) =>
      JSON.stringify({ images: await options.prepareImages(references) }),
    );
    serve("metrics", readMetricsRequest, (request) => JSON.stringify(options.metrics(request)));
    serve("logs", readLogsRequest, async (request) => JSON.stringify(await options.logs(request)));
    controlPlane.#background(controlPlane.#followConnection());
    controlPlane.#background(controlPlane.#followDesired());
    if (credential !== undefined) controlPlane.#background(controlPlane.#renew(credential));
    return controlPlane;
  }

  /** Sends a request to the control plane. @throws NatsError when no reply comes in time */
  async request(subject: string, text = ""): Promise<string> {
    return (await this.connection.request(subject, text, { timeout: ASK_MS_MAX })).string();
  }

  /** Whether the control plane's server responds within `ms`. */
  async isReachable(ms: number): Promise<boolean> {
    const late = Bun.sleep(ms).then(() => false);
    const answered = this.connection.rtt().then(
      () => true,
      () => false,
    );
    return await Promise.race([answered, late]);
  }

  /** Whether NATS refuses the credential since the connection was lost. */
  get isRefused(): boolean {
    return this.#isRefused;
  }

  /** Flushes pending messages and disconnects. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#closing.resolve();
    this.#wake?.();
    this.#stopFollowing?.();
    await this.connection.drain().catch(() => undefined);
  }

  /** Renews the credential long before it expires. A control plane that does not reply is asked again. */
  async #renew(credential: HostCredentialFile): Promise<void> {
    const { server, log } = this.options;
    while (!this.#closed) {
      const waitMs = credential.renewInMs();
      if (waitMs > 0) {
        await this.#untilClosed(Math.min(waitMs, RENEWAL_CHECK_MS));
        continue;
      }
      try {
        await credential.renew(await this.request(hostCredentialSubject(server)));
        log.info("the credential was renewed");
      } catch (error) {
        log.warn({ error: String(error) }, "the credential could not be renewed; trying again");
        await this.#untilClosed(RENEWAL_RETRY_MS);
      }
    }
  }

  #untilClosed(ms: number): Promise<void> {
    return Promise.race([this.#closing.promise, Bun.sleep(ms)]);
  }

  async #followConnection(): Promise<void> {
    const { log } = this.options;
    let isLost = false;
    let refusalLoggedAtMs = Number.NEGATIVE_INFINITY;
    for await (const { type, data } of this.connection.status()) {
      if (type === Events.Disconnect && !isLost) {
        isLost = true;
        log.warn("disconnected");
      }
      if (type === Events.Error && REFUSALS.includes(String(data))) {
        this.#isRefused = true;
        if (performance.now() - refusalLoggedAtMs < REFUSAL_LOG_MS) continue;
        refusalLoggedAtMs = performance.now();
        log.error(
          { reason: data },
          "NATS refuses the credential of this host, which has ended or was replaced: if it stays so, join this host again (berth agent join); the agent takes the new credential by itself",
        );
      }
      if (type !== Events.Reconnect) continue;
      isLost = false;
      this.#isRefused = false;
      refusalLoggedAtMs = Number.NEGATIVE_INFINITY;
      log.info("connected again");
      // The servers may have lost their data.
      this.#bucketCreatedAt = "";
      this.#wake?.();
    }
  }

  async #followDesired(): Promise<void> {
    const { log, reporter } = this.options;
    const backoff = new Backoff(RETRY_FIRST_MS, RETRY_MAX_MS);
    let lastReason = "";
    let repeatAtMs = performance.now() + REPEAT_MS;
    let hasChanged = false;
    // A host that has just joined hears of its bucket by the first change in it.
    this.#stopFollowing = this.#feed.watch(() => {
      hasChanged = true;
      this.#wake?.();
    });
    while (!this.#closed) {
      hasChanged = false;
      try {
        const created = await this.#feed.created();
        if (created !== this.#bucketCreatedAt || performance.now() > repeatAtMs) {
          // The first time, or with new buckets: they have no reports of this host.
          reporter.repeat();
          repeatAtMs = performance.now() + REPEAT_MS;
        }
        this.#bucketCreatedAt = created;
        const keys = await this.#list();
        if (lastReason !== "") log.info("the desired state can be read again");
        lastReason = "";
        backoff.reset();
        this.options.onListed(keys);
        await this.#untilStale(created);
      } catch (error) {
        if (this.#closed) return;
        const reason = error instanceof NoBucketError ? error.message : String(error);
        if (reason !== lastReason) log.warn({ reason }, "waiting for the desired state");
        lastReason = reason;
        if (error instanceof NoBucketError) this.options.onListed(null);
        if (!hasChanged) await this.#pause(backoff.next());
      }
    }
  }

  /** Lists the desired state, and watches its changes from then on. @returns its keys */
  async #list(): Promise<ReadonlySet<string>> {
    this.#stopFollowing?.();
    let listed = false;
    let missed: DesiredEntry[] = [];
    let last = 0;
    const change = (entry: DesiredEntry) => {
      if (!listed) {
        missed.push(entry);
        return;
      }
      if (entry.sequence <= last) return;
      // A message in between was lost.
      if (entry.sequence !== last + 1) this.#wake?.();
      last = entry.sequence;
      this.#dispatch(entry);
    };
    // The watch begins before the listing, so that no change is missed between them.
    this.#stopFollowing = this.#feed.watch(change);
    const entries = await this.#feed.list();
    last = entries.at(-1)?.sequence ?? 0;
    // Ended sessions are known before any access to a container, and its firewall and storage shares before it starts.
    const rank = ({ key }: DesiredEntry) =>
      Number(!key.startsWith("sessions.")) + Number(!/^(sessions|firewall|share)\./.test(key));
    for (const entry of entries.toSorted((a, b) => rank(a) - rank(b))) this.#dispatch(entry);
    listed = true;
    const keys = new Set(entries.filter(({ text }) => text !== null).map(({ key }) => key));
    for (const entry of missed) {
      if (entry.sequence <= last) continue;
      last = entry.sequence;
      this.#dispatch(entry);
      if (entry.text === null) keys.delete(entry.key);
      else keys.add(entry.key);
    }
    missed = [];
    return keys;
  }

  #dispatch({ key, text }: DesiredEntry): void {
    if (text === null) {
      this.options.onGone(key);
      return;
    }
    const received = readAny(text);
    if ("reason" in received) this.options.dropped.add("desired", `${key} is ${received.reason}`);
    // An unreadable value is passed on as undefined, so that the container's status can report it.
    this.options.onDesired(key, "value" in received ? received.value : undefined);
  }

  /** Settles when it is time to list again. */
  async #untilStale(created: string): Promise<void> {
    const limit = performance.now() + RELIST_MS;
    while (!this.#closed && performance.now() < limit) {
      if (await this.#pause(PROBE_MS)) return;
      if ((await this.#feed.created()) !== created) return;
    }
  }

  /** Waits; true if it was woken before the time was over. */
  #pause(ms: number): Promise<boolean> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => this.#wake?.(), ms);
      const startedMs = performance.now();
      this.#wake = () => {
        clearTimeout(timer);
        this.#wake = null;
        resolve(performance.now() - startedMs < ms - 1);
      };
    });
  }

  #background(work: Promise<void>): void {
    work.catch((error) => {
      if (!this.#closed)
        this.options.log.error(
          { error: String(error) },
          "the connection to the control plane stopped working",
        );
    });
  }
}

async function dial(
  { url, server, log }: ControlPlaneOptions,
  credential: HostCredentialFile | undefined,
): Promise<NatsConnection> {
  const { servers, user = "", pass = "", tls, creds } = parse(url);
  const endpoint = servers.join(", ");
  const options = {
    servers,
    ...(credential === undefined ? { user, pass } : { authenticator: credential.authenticator }),
    ...(tls ? { tls: {} } : {}),
    name: `agent ${server}`,
    maxReconnectAttempts: -1,
    reconnectTimeWait: RECONNECT_MS,
    pingInterval: PING_SECONDS * 1_000,
    maxPingOut: PINGS_MAX,
  };
  for (let tries = 1; ; tries += 1) {
    try {
      // The servers of a cluster name each other: without this first try a refused client goes round them without a pause, for good.
      await (await connect({ ...options, reconnect: false })).close();
      // Valid credentials may be refused for a moment while the servers reload their users.
      return await connect({ ...options, ignoreAuthErrorAbort: true });
    } catch (cause) {
      if (cause instanceof NatsError && cause.code === ErrorCode.AuthorizationViolation) {
        throw new ControlPlaneError(
          creds === undefined
            ? `NATS at ${endpoint} refuses the credentials in NATS_URL`
            : `NATS at ${endpoint} refuses the credential in ${creds}, which has ended or was replaced: join this host again (berth agent join)`,
          { cause },
        );
      }
      if (tries === 1) log.warn({ endpoint, error: String(cause) }, "waiting for NATS");
      await Bun.sleep(RECONNECT_MS);
    }
  }
}

function parse(url: string): NatsServers {
  try {
    return serversOf(url);
  } catch {
    // The URL is left out: it holds a password.
    throw new ControlPlaneError(
      "NATS_URL is no URL: nats://agent-<server>:<password>@<host>:<port> is its form",
    );
  }
}
