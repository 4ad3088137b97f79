import {
  ACCESS_KEYS,
  agentInboxPrefix,
  desiredBucket,
  SERVER_NAME,
  statusBucket,
} from "../schemas/subjects.ts";

/** Permissions of a NATS user: subjects, with NATS's wildcards. */
export interface Permissions {
  readonly publish: readonly string[];
  readonly subscribe: readonly string[];
  /** May answer each received request once, on the reply subject that the sender chose. */
  readonly responses: boolean;
}

export interface NatsUser {
  readonly name: string;
  readonly password: string;
  readonly permissions: Permissions;
}

/** The user of gateways and actor hosts. Only this user creates streams and buckets. */
export function controlUser(password: string): NatsUser {
  const own = ["act.>", "cluster.>", "evt.>", "_INBOX.>"];
  return {
    name: "control",
    password,
    permissions: {
      publish: [...own, "agent.>", "$KV.>", "$JS.API.>", "$JS.ACK.>", "$JS.FC.>"],
      subscribe: [...own, "$KV.>"],
      responses: true,
    },
  };
}

/**
 * The user of one host's agent. It reads its bucket of desired state, writes its bucket of status, answers
 * requests to its host and asks for the public keys of access tokens: nothing else. It opens its buckets with `bindOnly`, so that it never tries to make one.
 *
 * The subject that an answer goes to is chosen by the asker, and NATS checks no permission on it. So an agent may not
 * read its status bucket: it could have words of its own delivered to an actor or to another host. What is left to a
 * stolen credential is to have this host's desired state delivered there; whoever reads a document therefore checks
 * that it is the one that its key names.
 *
 * @param server the host's name, by `SERVER_NAME`
 */
export function agentUser(server: string, password: string): NatsUser {
  // A wildcard in a name would reach other hosts.
  if (!SERVER_NAME.test(server)) throw new Error(`not a server's name: ${server}`);
  const stream = `KV_${desiredBucket(server)}`;
  const inbox = `${agentInboxPrefix(server)}.>`;
  return {
    name: `agent-${server}`,
    password,
    permissions: {
      publish: [
        "$JS.API.INFO",
        `$JS.API.STREAM.INFO.${stream}`,
        `$JS.API.STREAM.MSG.GET.${stream}`,
        `$JS.API.DIRECT.GET.${stream}`,
        `$JS.API.DIRECT.GET.${stream}.>`,
        `$JS.API.CONSUMER.CREATE.${stream}`,
        `$JS.API.CONSUMER.CREATE.${stream}.>`,
        `$JS.API.CONSUMER.INFO.${stream}.*`,
        `$JS.API.CONSUMER.DELETE.${stream}.*`,
        `$JS.FC.${stream}.>`,
        `$KV.${statusBucket(server)}.>`,
        ACCESS_KEYS,
      ],
      subscribe: [`agent.${server}.>`, inbox],
      responses: true,
    },
  };
}
