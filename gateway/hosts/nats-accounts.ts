import { createAccount } from "@nats-io/jwt";
import { Type } from "@sinclair/typebox";
import { connect, jwtAuthenticator, type NatsConnection } from "nats";
import type { JoinedHost } from "../../actors/hosting/host/queries.ts";
import { jsonOf } from "../../schemas/received.ts";
import {
  hostClaims,
  hostCredential,
  platformClaims,
  revokedClaims,
  systemCredential,
} from "./nats-claims.ts";
import type { NatsKeys } from "./nats-keys.ts";

/** NATS answers within milliseconds. */
const REPLY_MS_MAX = 5_000;
/** How often all accounts are published again, in case NATS has lost them. */
const REPEAT_MS = 300_000;
/** A reply has some 600 characters. */
const REPLY_LENGTH_MAX = 16_384;

const readReply = jsonOf(
  Type.Object({
    data: Type.Optional(Type.Object({ code: Type.Integer(), message: Type.String() })),
    error: Type.Optional(Type.Object({ code: Type.Integer(), description: Type.String() })),
  }),
  REPLY_LENGTH_MAX,
);

export interface HostAccounts {
  /** The public key of a new account. Nobody has its private key: its users are signed by the gateways' key. */
  newAccount(): string;
  /** Publishes the accounts of these hosts, which are all that there are. Those of hosts that are known already are skipped. */
  publish(hosts: readonly JoinedHost[]): Promise<void>;
  /** NATS refuses the account's credentials from now on, and ends its connections. */
  revoke(account: string): Promise<void>;
  /** A new credential of a host's agent. */
  credentialFor(host: JoinedHost): Promise<string>;
}

/**
 * The accounts of hosts at a NATS in operator mode. Each change is published through the system account, on a connection of its own:
 * changes are rare, and a credential that lives for minutes is worth little to who steals it.
 *
 * @param servers host and port of the NATS servers
 */
export function hostAccounts(keys: NatsKeys, servers: readonly string[]): HostAccounts {
  /** What this gateway has published: the name of each account's host. NATS keeps it on disk, which may get lost. */
  const published = new Map<string, string>();
  let platform = "";
  let forgetAtMs = 0;

  async function withSystem(work: (push: (claims: string) => Promise<void>) => Promise<void>): Promise<void> {
    const { jwt, seed } = await systemCredential(keys);
    const connection = await connect({
      servers: [...servers],
      name: "gateway accounts",
      authenticator: jwtAuthenticator(jwt, seed),
      reconnect: false,
      timeout: REPLY_MS_MAX,
    });
    try {
      await work((claims) => push(connection, claims));
    } finally {
      await connection.close();
    }
  }

  return {
    newAccount: () => createAccount().getPublicKey(),

    async publish(hosts) {
      if (performance.now() > forgetAtMs) {
        published.clear();
        platform = "";
        forgetAtMs = performance.now() + REPEAT_MS;
      }
      const names = JSON.stringify(hosts.map(({ name, account }) => [name, account]));
      const missing = hosts.filter(({ account, name }) => published.get(account) !== name);
      if (missing.length === 0 && platform === names) return;
      await withSystem(async (push) => {
        for (const host of missing) {
          await push(await hostClaims(keys, host));
          published.set(host.account, host.name);
        }
        // After the hosts' accounts, from which it imports.
        await push(await platformClaims(keys, hosts));
        platform = names;
      });
    },

    async revoke(account) {
      await withSystem(async (push) => push(await revokedClaims(keys, account)));
      published.delete(account);
    },

    credentialFor: (host) => hostCredential(keys, host, host.public_key),
  };
}

/** @throws Error when NATS refuses the claims, or does not answer */
async function push(connection: NatsConnection, claims: string): Promise<void> {
  const reply = await connection.request("$SYS.REQ.CLAIMS.UPDATE", claims, { timeout: REPLY_MS_MAX });
  const received = readReply(reply.string());
  if ("reason" in received) throw new Error(`NATS replied to an account's claims with ${received.reason}`);
  const { data, error } = received.value;
  if (error !== undefined || data?.code !== 200)
    throw new Error(`NATS refuses an account's claims: ${error?.description ?? data?.message}`);
}
