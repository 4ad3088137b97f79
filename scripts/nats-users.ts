import {
  accessKeysSubject,
  agentRequests,
  desiredBucket,
  desiredFeed,
  desiredInfo,
  SERVER_NAME,
  statusBucket,
} from "../schemas/subjects.ts";

/** What a NATS user may do: subjects, with NATS's wildcards. */
export interface Permissions {
  readonly publish: readonly string[];
  readonly subscribe: readonly string[];
  /** May answer each request that it received, once. */
  readonly responses: boolean;
}

export interface NatsUser {
  readonly name: string;
  readonly password: string;
  readonly permissions: Permissions;
}

/** What one account lets another one use. */
export interface Shared {
  /** A service takes requests, whose answers the server brings back; a stream is listened to. */
  readonly kind: "service" | "stream";
  readonly subject: string;
  /** The subject's name in the account that uses it; the same unless told. */
  readonly as?: string;
  /** A service that answers with more than one message. */
  readonly manyAnswers?: boolean;
}

/**
 * A host's account. It has no JetStream and no subject of the platform's but those that are shared with it, so that an
 * answer or a delivery that its user asks for can go nowhere but to the host itself.
 */
export interface HostAccount {
  readonly name: string;
  readonly user: NatsUser;
  /** What the platform's account exports to this one alone. */
  readonly fromPlatform: readonly Shared[];
  /** What this account exports to the platform's. */
  readonly toPlatform: readonly Shared[];
}

/** The account of gateways and actor hosts: JetStream is in it. */
export const PLATFORM_ACCOUNT = "PLATFORM";

/** The user of gateways and actor hosts. It alone makes streams and buckets. */
export function controlUser(password: string): NatsUser {
  const own = ["act.>", "cluster.>", "evt.>", "_INBOX.>"];
  return {
    name: "control",
    password,
    permissions: {
      // `_R_.>`: the way back to a host's account, which the server makes for each of its requests.
      publish: [...own, "_R_.>", "agent.>", "$KV.>", "$JS.API.>", "$JS.ACK.>", "$JS.FC.>"],
      subscribe: [...own, "$KV.>"],
      responses: true,
    },
  };
}

/**
 * The account of one host's agent, with its user. The agent reads its bucket of desired state and hears of changes to it,
 * writes its bucket of status, answers requests to its host and asks for the public keys of access tokens: nothing else.
 *
 * @param server the host's name, by `SERVER_NAME`
 */
export function hostAccount(server: string, password: string): HostAccount {
  // A wildcard in a name would reach other hosts.
  if (!SERVER_NAME.test(server)) throw new Error(`not a server's name: ${server}`);
  const stream = `KV_${desiredBucket(server)}`;
  const fromPlatform: Shared[] = [
    { kind: "service", subject: `$JS.API.STREAM.INFO.${stream}`, as: desiredInfo(server) },
    // The batches of a listing.
    { kind: "service", subject: `$JS.API.DIRECT.GET.${stream}`, manyAnswers: true },
    { kind: "service", subject: `$KV.${statusBucket(server)}.>` },
    { kind: "service", subject: accessKeysSubject(server) },
    { kind: "stream", subject: `${desiredFeed(server)}.>` },
  ];
  const toPlatform: Shared[] = [{ kind: "service", subject: agentRequests(server) }];
  const subjects = (kind: Shared["kind"]) =>
    fromPlatform.filter((shared) => shared.kind === kind).map(({ subject, as }) => as ?? subject);
  return {
    name: `HOST_${server}`,
    user: {
      name: `agent-${server}`,
      password,
      permissions: {
        publish: subjects("service"),
        subscribe: [...subjects("stream"), ...toPlatform.map(({ subject }) => subject), "_INBOX.>"],
        responses: true,
      },
    },
    fromPlatform,
    toPlatform,
  };
}
