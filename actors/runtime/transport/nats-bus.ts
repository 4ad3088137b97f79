import { readFile } from "node:fs/promises";
import "../../../system/native-signatures.ts";
import { connect, credsAuthenticator, type JetStreamClient, type NatsConnection, NatsError } from "nats";
import type { Logger } from "pino";
import { natsVersionObstacle } from "../../../schemas/nats-version.ts";
import { DroppedMessages } from "../../../schemas/received.ts";
import { serversOf } from "../../../system/nats-url.ts";
import type { Bus } from "../ports.ts";

export interface NatsBus extends Bus {
  readonly connection: NatsConnection;
  readonly jetstream: JetStreamClient;
  /** The number of dropped messages of each kind. */
  readonly droppedCounts: ReadonlyMap<string, number>;
  close(): Promise<void>;
}

/** The reply that comes in time. @throws Error after that */
async function withinMs<T>(reply: Promise<T>, ms: number): Promise<T> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new Error(`no reply from NATS within ${ms} ms`)), ms);
  try {
    return await Promise.race([reply, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}

/** How long a publish into JetStream waits for its acknowledgement. */
const JETSTREAM_TIMEOUT_MS = 5_000;
const RECONNECT_MS = 250;
const CONTROL_PLANE_SUBJECT = "cluster.check";
const WRONG_CREDENTIAL =
  "its credential may not use the subjects of the control plane, as those of hosts may not: name control.creds, which `berth keys make` writes, or the user `control` where accounts are kept by hand";
const REFUSED_CREDENTIAL =
  "it refuses the credential: name control.creds, which `berth keys make` wrote together with the operator.conf of these servers, or the user and password of `control` where accounts are kept by hand";

/**
 * Connects to NATS and reconnects after outages. The URL may contain credentials.
 * @throws Error at once when no server can be reached, it is too old, or the credential is not that of a control plane.
 */
export async function natsBus(url: string, name: string, log?: Logger): Promise<NatsBus> {
  const { servers, user, pass, creds, tls } = serversOf(url);
  const connection = await connect({
    servers,
    name,
    ...(user === undefined ? {} : { user, pass: pass ?? "" }),
    ...(creds === undefined ? {} : { authenticator: credsAuthenticator(await readFile(creds)) }),
    ...(tls ? { tls: {} } : {}),
    reconnect: true,
    maxReconnectAttempts: -1,
    reconnectTimeWait: RECONNECT_MS,
    reconnectJitter: RECONNECT_MS,
    pingInterval: 5_000,
    maxPingOut: 2,
  }).catch((cause) => {
    if (cause instanceof NatsError && cause.isAuthError()) throw new Error(REFUSED_CREDENTIAL, { cause });
    throw cause;
  });
  const obstacle = natsVersionObstacle(connection.info?.version ?? "");
  if (obstacle !== undefined) {
    await connection.close();
    throw new Error(obstacle);
  }
  let downSinceMs: number | undefined;
  void (async () => {
    for await (const status of connection.status()) {
      if (status.type === "disconnect") downSinceMs ??= performance.now();
      if (status.type === "reconnect") downSinceMs = undefined;
    }
  })();
  await assertControlPlane(connection).catch(async (error) => {
    await connection.close();
    throw error;
  });
  const dropped = new DroppedMessages(({ kind, count, reason, error }) =>
    log?.warn({ kind, count, reason, err: error }, "messages from NATS were dropped"),
  );

  return {
    connection,
    jetstream: connection.jetstream({ timeout: JETSTREAM_TIMEOUT_MS }),
    droppedCounts: dropped.counts,
    dropped: (kind, reason, error) => dropped.add(kind, reason, error),
    connected: () => downSinceMs === undefined && !connection.isClosed(),
    disconnectedSinceMs: () => downSinceMs,
    publish(subject, text, replyTo) {
      if (connection.isClosed()) return;
      try {
        connection.publish(subject, text, replyTo === undefined ? undefined : { reply: replyTo });
      } catch {
        // The server allows only smaller messages than our limit. Every sender expects that a message can be lost.
      }
    },
    subscribe(subject, receive) {
      const subscription = connection.subscribe(subject, {
        callback: (error, message) => {
          if (error !== null) return;
          try {
            const hadNoResponders = message.headers?.code === 503;
            receive(hadNoResponders ? null : message.string(), message.reply ?? "", message.subject);
          } catch (cause) {
            // If it were thrown on, it would end the client's read loop.
            dropped.add("other", "its handler failed", cause);
          }
        },
      });
      return () => subscription.unsubscribe();
    },
    async ping(timeoutMs) {
      if (downSinceMs !== undefined) throw new Error("NATS is not connected");
      // A PING of the protocol: a message to itself would be four of them, and each wakes the server.
      await withinMs(connection.flush(), timeoutMs);
    },
    async close() {
      if (!connection.isClosed()) await connection.drain();
    },
  };
}

/**
 * Subscribes to a subject that a control plane alone may use: with the credential of a host the program would run, and hear nothing.
 *
 * @throws Error that says which credential is asked for
 */
async function assertControlPlane(connection: NatsConnection): Promise<void> {
  let isRefused = false;
  const subscription = connection.subscribe(CONTROL_PLANE_SUBJECT, {
    callback(error) {
      if (error !== null) isRefused = true;
    },
  });
  // The server reports what it refuses before it answers this.
  await connection.flush();
  subscription.unsubscribe();
  if (isRefused) throw new Error(WRONG_CREDENTIAL);
}
