import {
  createUser,
  encodeAccount,
  encodeOperator,
  encodeUser,
  type KeyPair,
  type Permissions,
} from "@nats-io/jwt";
import {
  controlPermissions,
  hostSubjects,
  PLATFORM_ACCOUNT,
  type Permissions as Subjects,
} from "../../schemas/nats-users.ts";
import type { NatsKeys } from "./nats-keys.ts";

/** The accounts and users of NATS as signed claims: the same as `scripts/servers/nats-config.ts` writes for accounts that are kept by hand. */

/** A host whose agent has a credential: its name, and the public key of its account. */
export interface EnrolledHost {
  readonly name: string;
  readonly account: string;
}

/**
 * A machine that is off for longer has to join again. A credential that must not be used any more is refused by its account, so its
 * life need not be short. The agent renews it after a third.
 */
export const HOST_CREDENTIAL_SECONDS = 30 * 24 * 60 * 60;
/** A gateway signs a new one at each connection. */
const SYSTEM_CREDENTIAL_SECONDS = 60 * 60;

const UNLIMITED = { data: -1, payload: -1, subs: -1 };
const ACCOUNT_UNLIMITED = { ...UNLIMITED, imports: -1, exports: -1, wildcards: true, conn: -1, leaf: 0 };
const JETSTREAM = { mem_storage: -1, disk_storage: -1, streams: -1, consumer: -1 };
/** An agent has one connection, briefly two while it is replaced, and about ten subscriptions. */
const HOST_LIMITS = { ...ACCOUNT_UNLIMITED, conn: 16, subs: 1_000 };
const SECOND_NS = 1_000_000_000;

export const operatorClaims = (keys: NatsKeys): Promise<string> =>
  encodeOperator("berth", keys.operator, { system_account: keys.system.getPublicKey() });

export const systemClaims = (keys: NatsKeys): Promise<string> =>
  encodeAccount("SYS", keys.system.getPublicKey(), { limits: ACCOUNT_UNLIMITED }, { signer: keys.operator });

/** The claims of the account of gateways and actor hosts, which imports the requests to each host. */
export function platformClaims(keys: NatsKeys, hosts: readonly EnrolledHost[]): Promise<string> {
  const anyHost = hostSubjects("*");
  return encodeAccount(
    PLATFORM_ACCOUNT,
    keys.platform.getPublicKey(),
    {
      limits: { ...ACCOUNT_UNLIMITED, ...JETSTREAM },
      // Any account may import these: accounts are signed here alone, each with the subjects of its own host.
      exports: anyHost.fromPlatform.map(({ kind, subject, manyAnswers }) => ({
        name: subject,
        subject,
        type: kind,
        ...(manyAnswers ? { response_type: "Stream" as const } : {}),
      })),
      imports: hosts.flatMap(({ name, account }) =>
        hostSubjects(name).toPlatform.map(({ kind, subject }) => ({
          name: subject,
          subject,
          type: kind,
          account,
        })),
      ),
    },
    { signer: keys.operator },
  );
}

/** The claims of a host's account. */
export function hostClaims(keys: NatsKeys, { name, account }: EnrolledHost): Promise<string> {
  const { fromPlatform, toPlatform } = hostSubjects(name);
  return encodeAccount(
    `HOST_${name}`,
    account,
    {
      limits: HOST_LIMITS,
      signing_keys: [keys.hosts.getPublicKey()],
      exports: toPlatform.map(({ kind, subject }) => ({ name: subject, subject, type: kind })),
      imports: fromPlatform.map(({ kind, subject, as }) => ({
        name: subject,
        subject,
        type: kind,
        account: keys.platform.getPublicKey(),
        ...(as === undefined ? {} : { local_subject: as }),
      })),
    },
    { signer: keys.operator },
  );
}

/** The claims of the account of a host that was removed: every credential of it is refused, and its connections end. */
export const revokedClaims = (keys: NatsKeys, account: string): Promise<string> =>
  encodeAccount(
    "removed",
    account,
    { limits: { ...HOST_LIMITS, conn: 0 }, revocations: { "*": nowSeconds() } },
    { signer: keys.operator },
  );

/** The credential of a host's agent, for the key that the agent made. */
export const hostCredential = (
  keys: NatsKeys,
  { name, account }: EnrolledHost,
  publicKey: string,
): Promise<string> =>
  encodeUser(
    `agent-${name}`,
    publicKey,
    keys.hosts,
    { ...UNLIMITED, ...permissionsOf(hostSubjects(name).permissions), issuer_account: account },
    { exp: nowSeconds() + HOST_CREDENTIAL_SECONDS },
  );

/** The credential of gateways and actor hosts. It does not expire. */
export const controlCredential = (keys: NatsKeys, user: KeyPair): Promise<string> =>
  encodeUser("control", user, keys.platform, { ...UNLIMITED, ...permissionsOf(controlPermissions()) });

/** A short credential of the system account, which publishes accounts. */
export async function systemCredential(keys: NatsKeys): Promise<{ jwt: string; seed: Uint8Array }> {
  const user = createUser();
  const limits = { exp: nowSeconds() + SYSTEM_CREDENTIAL_SECONDS };
  return { jwt: await encodeUser("gateway", user, keys.system, UNLIMITED, limits), seed: user.getSeed() };
}

const permissionsOf = ({ publish, subscribe, responses }: Subjects): Permissions => ({
  pub: { allow: [...publish] },
  sub: { allow: [...subscribe] },
  ...(responses ? { resp: { max: 1, ttl: 60 * SECOND_NS } } : {}),
});

const nowSeconds = (): number => Math.floor(Date.now() / 1_000);
