/**
 * Every NATS subject, stream and bucket of Berth. Tokens that come from outside (server names) are checked by
 * `SERVER_NAME` before they get here, so that none holds a dot, a space or a wildcard.
 */

/** A server's name, also the token that stands for its host in subjects: a DNS label. */
export const SERVER_NAME = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/;

/** One request to one actor. The epoch keeps an old owner and a new one from both receiving it. */
export const actorSubject = (partition: number, epoch: number, kind: string, id: string, op: string) =>
  `act.${partition}.${epoch}.${kind}.${id}.${op}`;

/** What an owner listens to for a partition that it holds. */
export const partitionSubject = (partition: number, epoch: number) => `act.${partition}.${epoch}.>`;

/** Everything that a caller has for one actor host in a tick. */
export const hostSubject = (host: string) => `act.host.${host}`;

/** Where a caller takes the answers of actor hosts; `batch` tells which of its messages had no responders. */
export const replySubject = (caller: string, batch: number | "*") => `act.reply.${caller}.${batch}`;

/** Says that partitions changed hands: callers read the lease table again. */
export const LEASES_CHANGED = "cluster.leases";

/** Says that a session or an API token ended, by its id. Gateways forget its tokens. */
export const SESSION_ENDED = "cluster.session-ended";

/** Says that a user's AI credit is at its provider: an `AiCreditSynced`. Gateways whose callers wait for it go on. */
export const AI_CREDIT_SYNCED = "cluster.ai-credit-synced";

/** Asks for the public keys of access tokens: any gateway answers with its JWKS, if the answer goes to an agent's own inbox. */
export const ACCESS_KEYS = "cluster.keys";

/** The stream of everything that happened, fed from the outbox. */
export const EVENT_STREAM = "EVENTS";
export const EVENT_SUBJECTS = "evt.*";
export const EVENT_SUBJECT = "evt.committed";

/** Says that the stream of events was made anew: each host delivers again what its outbox holds. */
export const EVENTS_LOST = "cluster.events-lost";

/** What the control plane wants of a host: a KV bucket a server, keys by `desiredKey`. */
export const desiredBucket = (serverName: string) => `desired_${serverName}`;

/** What a host reports: a KV bucket a server, with the keys of the desired state. */
export const statusBucket = (serverName: string) => `status_${serverName}`;

export type DesiredKind = "container" | "firewall" | "alias";
export const desiredKey = (kind: DesiredKind, id: string) => `${kind}.${id}`;

/** Among the desired state: sessions of a user that ended (`EndedSessions`). */
export const endedSessionsKey = (userId: string) => `sessions.${userId}`;

/** Among what a host reports, until the control plane has taken it: a terminal that was opened in a container (`TerminalOpened`). */
export const openingKey = (containerId: string, id: string) => `terminal.${containerId}-${id}`;

/**
 * Among the desired state: `{ revision }`, up to which the bucket holds every alias of its server. One of that revision or
 * an earlier one that it lacks is deleted; without this key, what it lacks may have been lost with its former self.
 */
export const ALIASES_WHOLE_KEY = "aliases";

/**
 * What a host's agent is asked: whether it is there, what it uses, what a container's rules have counted, and to say when it
 * knows of an alias (`AliasAsked`).
 */
export const agentSubject = (
  serverName: string,
  op: "ping" | "usage" | "firewall-counts" | "alias" | "ended-sessions",
) => `agent.${serverName}.${op}`;

/** Replies to an agent's own requests arrive under a prefix of its own, which no other agent may read. */
export const agentInboxPrefix = (serverName: string) => `_INBOX_${serverName}`;

/** Whether a reply goes to an agent's inbox. An agent chooses where its answers go: nothing else may be written in its place. */
export const isAgentInbox = (subject: string) => /^_INBOX_[a-z0-9-]+\./.test(subject);
