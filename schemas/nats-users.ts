import {
  accessKeysSubject,
  agentRequests,
  certificatesSubject,
  desiredBucket,
  desiredFeed,
  desiredInfo,
  hostCredentialSubject,
  registryCredentialSubject,
  SERVER_NAME,
  statusBucket,
} from "./subjects.ts";

/** What a NATS user may do: subjects, with NATS's wildcards. */
export interface Permissions {
  readonly publish: readonly string[];
  readonly subscribe: readonly string[];
  /** Whether it may reply to each received request, once. */
  readonly responses: boolean;
}

export interface NatsUser {
  readonly name: string;
  readonly password: string;
  readonly permissions: Permissions;
}

/** What one account shares with another. */
export interface Shared {
  /** A service receives requests, whose replies the server routes back; a stream can be subscribed to. */
  readonly kind: "service" | "stream";
  readonly subject: string;
  /** The subject's name in the account that uses it; by default the same. */
  readonly as?: string;
  /** Whether a service replies with several messages. */
  readonly manyAnswers?: boolean;
}

/** What a host's account shares with the platform's, and what its user may do. */
export interface HostSubjects {
  /** What the platform's account exports to this one. */
  readonly fromPlatform: readonly Shared[];
  /** What this account exports to the platform's. */
  readonly toPlatform: readonly Shared[];
  readonly permissions: Permissions;
}

/**
 * A host's account. It has no JetStream, and of the platform's subjects only those that are shared with it, so that
 * replies and deliveries that its user requests can reach only the host itself.
 */
export interface HostAccount extends Omit<HostSubjects, "permissions"> {
  readonly name: string;
  readonly user: NatsUser;
}

/** The account of gateways and actor hosts: JetStream is in it. */
export const PLATFORM_ACCOUNT = "PLATFORM";

/** What gateways and actor hosts may do. Only they create streams and buckets. */
export function controlPermissions(): Permissions {
  const own = ["act.>", "cluster.>", "evt.>", "_INBOX.>"];
  return {
    // `_R_.>`: the reply subjects that the server creates for requests from a host's account.
    publish: [...own, "_R_.>", "agent.>", "$KV.>", "$JS.API.>", "$JS.ACK.>", "$JS.FC.>"],
    subscribe: [...own, "$KV.>"],
    responses: true,
  };
}

/** The user of gateways and actor hosts, by a password. */
export const controlUser = (password: string): NatsUser => ({
  name: "control",
  password,
  permissions: controlPermissions(),
});

/**
 * The subjects of one host's agent. The agent reads its bucket of desired state and receives changes to
 * it, writes its bucket of status, replies to requests to its host, requests the public keys of access tokens, credentials for registries and certificates of its names, and renews its own credential:
 * nothing else.
 *
 * @param server the host's name, by `SERVER_NAME`, or `*` for what the platform shares with all hosts
 */
export function hostSubjects(server: string): HostSubjects {
  // A wildcard in a name would reach other hosts.
  if (server !== "*" && !SERVER_NAME.test(server)) throw new Error(`not a server's name: ${server}`);
  // A wildcard stands for a whole token.
  const stream = server === "*" ? "*" : `KV_${desiredBucket(server)}`;
  const status = server === "*" ? "*" : statusBucket(server);
  const fromPlatform: Shared[] = [
    { kind: "service", subject: `$JS.API.STREAM.INFO.${stream}`, as: desiredInfo(server) },
    // Used to list a bucket in batches.
    { kind: "service", subject: `$JS.API.DIRECT.GET.${stream}`, manyAnswers: true },
    { kind: "service", subject: `$KV.${status}.>` },
    { kind: "service", subject: accessKeysSubject(server) },
    { kind: "service", subject: hostCredentialSubject(server) },
    { kind: "service", subject: registryCredentialSubject(server) },
    { kind: "service", subject: certificatesSubject(server) },
    { kind: "stream", subject: `${desiredFeed(server)}.>` },
  ];
  const toPlatform: Shared[] = [{ kind: "service", subject: agentRequests(server) }];
  const subjects = (kind: Shared["kind"]) =>
    fromPlatform.filter((shared) => shared.kind === kind).map(({ subject, as }) => as ?? subject);
  return {
    fromPlatform,
    toPlatform,
    permissions: {
      publish: subjects("service"),
      subscribe: [...subjects("stream"), ...toPlatform.map(({ subject }) => subject), "_INBOX.>"],
      responses: true,
    },
  };
}

/** The account of one host's agent, with its user by a password. @param server the host's name, by `SERVER_NAME` */
export function hostAccount(server: string, password: string): HostAccount {
  if (!SERVER_NAME.test(server)) throw new Error(`not a server's name: ${server}`);
  const { permissions, ...shared } = hostSubjects(server);
  return { name: `HOST_${server}`, user: { name: `agent-${server}`, password, permissions }, ...shared };
}
