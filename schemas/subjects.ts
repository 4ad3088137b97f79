/**
 * Every NATS subject, stream and bucket of Berth. Tokens from outside (server names) are checked by `SERVER_NAME` before
 * they get here, so none contains a dot, a space or a wildcard.
 */

/** A server's name, which is also the token of its host in subjects: a DNS label. */
export const SERVER_NAME = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/;

/** One request to one actor. The epoch prevents an old owner and a new one from both receiving it. */
export const actorSubject = (partition: number, epoch: number, kind: string, id: string, op: string) =>
  `act.${partition}.${epoch}.${kind}.${id}.${op}`;

/** The subject to which the owner of a partition subscribes. */
export const partitionSubject = (partition: number, epoch: number) => `act.${partition}.${epoch}.>`;

/** All requests of a caller to one actor host in one turn of its event loop. */
export const hostSubject = (host: string) => `act.host.${host}`;

/** The subject on which a caller receives replies of actor hosts; `batch` tells which of its messages had no responders. */
export const replySubject = (caller: string, batch: number | "*") => `act.reply.${caller}.${batch}`;

/** Announces that partitions have a new owner: callers read the lease table again. */
export const LEASES_CHANGED = "cluster.leases";

/** Announces the id of a session or an API token that has ended. Gateways drop its cached tokens. */
export const SESSION_ENDED = "cluster.session-ended";

/**
 * Announces that a user's AI credit has reached its provider: an `AiCreditSynced`. Gateways then reply to the callers
 * that wait for it.
 */
export const AI_CREDIT_SYNCED = "cluster.ai-credit-synced";

/** Requests the public keys of access tokens: any gateway replies with its JWKS. Each host has its own subject. */
export const accessKeysSubject = (serverName: string | "*") => `cluster.keys.${serverName}`;

/** Requests a new credential for a host's agent: any gateway replies with a JWT for the key that the agent enrolled with. */
export const hostCredentialSubject = (serverName: string | "*") => `cluster.credentials.${serverName}`;

/** Requests the credential for the registry of a container's image (`RegistryCredentialQuery`). Each host has its own subject. */
export const registryCredentialSubject = (serverName: string | "*") => `cluster.registry.${serverName}`;

/** Requests certificates and the answers to challenges for a host's names (`HostCertificatesQuery`). Each host has its own subject. */
export const certificatesSubject = (serverName: string | "*") => `cluster.certificates.${serverName}`;

/** The stream of all events, filled from the outbox. */
export const EVENT_STREAM = "EVENTS";
export const EVENT_SUBJECTS = "evt.*";
export const EVENT_SUBJECT = "evt.committed";

/** Announces that the stream of events was created again: each actor host publishes the contents of its outbox again. */
export const EVENTS_LOST = "cluster.events-lost";

/** Announces that webhooks have changed: actor hosts read them again. */
export const WEBHOOKS_CHANGED = "cluster.webhooks-changed";

/** A gateway listens to it while it has a request of this id under a client's key, and replies when that has ended. */
export const runningRequestSubject = (id: string) => `cluster.request.${id}`;

/** The first replies to requests with clients' keys: a KV bucket of the gateways. */
export const KEPT_REPLIES_BUCKET = "replies";

/** The subject of a key in a KV bucket; `>` stands for all keys. */
export const kvSubject = (bucket: string, key: string) => `$KV.${bucket}.${key}`;

/** The desired state of a host: one KV bucket for each server, keys by `desiredKey`. */
export const desiredBucket = (serverName: string) => `desired_${serverName}`;

/**
 * Where JetStream publishes each message of a host's desired state once it is stored, under `<feed>.<key>`. Its
 * `Nats-Sequence` tells a host whether it missed one.
 */
export const desiredFeed = (serverName: string) => `desired.${serverName}`;

/**
 * The subject under which a host reaches JetStream's `STREAM.INFO` of its desired state. In an account without
 * JetStream the server itself replies to `$JS.API`, saying that there is none.
 */
export const desiredInfo = (serverName: string) => `desired-info.${serverName}`;

/** The reports of a host: one KV bucket for each server, with the keys of the desired state. */
export const statusBucket = (serverName: string) => `status_${serverName}`;

export type DesiredKind = "container" | "firewall" | "alias" | "share";
export const desiredKey = (kind: DesiredKind, id: string) => `${kind}.${id}`;

/** A key of the desired state: ended sessions of a user (`EndedSessions`). */
export const endedSessionsKey = (userId: string) => `sessions.${userId}`;

/** A key of the status bucket, until the control plane has processed it: a terminal was opened in a container (`TerminalOpened`). */
export const openingKey = (containerId: string, id: string) => `terminal.${containerId}-${id}`;

/**
 * A key of the desired state: `{ revision }`, up to which the bucket holds every alias of its server. An alias of
 * that revision or an earlier one that is not in the bucket is deleted. Without this key, the alias may just have
 * been lost with an earlier bucket.
 */
export const ALIASES_WATERMARK_KEY = "aliases";

export type AgentOperation =
  | "ping"
  | "usage"
  | "firewall-counts"
  | "alias"
  | "ended-sessions"
  | "logs"
  | "command"
  | "prepare-images"
  | "metrics";

/**
 * Requests to a host's agent: whether it runs, its usage, the counters of a container's rules, whether it knows
 * an alias yet (`AliasRevisionQuery`), lines of a container's log (`HostLogsRequest`), and the
 * result of a command in a container (`HostCommandRequest`), usage over time (`HostMetricsRequest`), and the images that it
 * should keep ready (`PrepareImages`).
 */
export const agentSubject = (serverName: string, op: AgentOperation) => `agent.${serverName}.${op}`;

/** All requests to a host's agent. */
export const agentRequests = (serverName: string) => `agent.${serverName}.>`;

/**
 * Whether replies may be sent to a subject: a client's own inbox, or the reply subject that the server creates for a
 * request from another account.
 */
export const isReply = (subject: string) => /^(_INBOX|_R_)\./.test(subject);
