import { operatorClaims, platformClaims, systemClaims } from "../../gateway/hosts/nats-claims.ts";
import type { NatsKeys } from "../../gateway/hosts/nats-keys.ts";
import {
  type HostAccount,
  type NatsUser,
  type Permissions,
  PLATFORM_ACCOUNT,
  type Shared,
} from "../../schemas/nats-users.ts";

/**
 * A gateway sends all that it has for one actor host in a tick as one message, and the host answers likewise:
 * NATS's default of 1 MB would split busy ticks, and it advises against more than 8 MB.
 */
const MAX_PAYLOAD = "4MB";
/**
 * The stream of events may use 1 GB of it, each host 80 MB (docs/operations.md, NATS). It is a limit, not reserved
 * disk space.
 */
const MAX_FILE_STORE = "8GB";
const MAX_MEMORY_STORE = "64MB";
/** PostgreSQL is authoritative, and the outbox republishes what JetStream lost, so an interval of seconds suffices. */
const SYNC_INTERVAL = "5s";

/**
 * What one host's credential may use of the shared server. An agent has one connection, briefly two while it is
 * replaced, and about ten subscriptions. A stolen credential without limits could take all of the server's memory.
 */
const HOST_LIMITS = "limits: { max_connections: 16, max_subscriptions: 1000 }";

export interface NatsConfigOptions {
  /** The address to listen on; the loopback interface unless told. */
  readonly listen?: string;
  readonly port: number;
  /** The other servers of its cluster; alone unless told. */
  readonly cluster?: { readonly name: string; readonly listen: string; readonly routes: readonly string[] };
  readonly storeDir: string;
  readonly pidFile: string;
  /** Who may connect: by `natsAccounts` or `natsOperator`. */
  readonly accounts: string;
}

/** The text of a nats.conf. */
export function natsConfig({
  listen = "127.0.0.1",
  port,
  cluster,
  storeDir,
  pidFile,
  accounts,
}: NatsConfigOptions): string {
  return [
    `listen: ${quote(`${listen}:${port}`)}`,
    ...(cluster === undefined
      ? []
      : [
          `server_name: ${quote(cluster.name)}`,
          `cluster { name: "berth", listen: ${quote(cluster.listen)}, routes: ${list(cluster.routes)} }`,
        ]),
    `pid_file: ${quote(pidFile)}`,
    `max_payload: ${MAX_PAYLOAD}`,
    "jetstream {",
    `  store_dir: ${quote(storeDir)}`,
    `  max_memory_store: ${MAX_MEMORY_STORE}`,
    `  max_file_store: ${MAX_FILE_STORE}`,
    `  sync_interval: ${quote(SYNC_INTERVAL)}`,
    "}",
    accounts,
  ].join("\n");
}

/**
 * The part of a nats.conf by which gateways make the accounts of hosts (docs/decisions/0059-joining-hosts.md). It holds public keys alone.
 *
 * @param folder where the server keeps the accounts
 */
export async function natsOperator(keys: NatsKeys, folder: string): Promise<string> {
  const system = keys.system.getPublicKey();
  return [
    `operator: ${await operatorClaims(keys)}`,
    `system_account: ${system}`,
    `resolver: { type: full, dir: ${quote(folder)}, allow_delete: true, interval: "2m" }`,
    "resolver_preload: {",
    `  ${system}: ${await systemClaims(keys)}`,
    `  ${keys.platform.getPublicKey()}: ${await platformClaims(keys, [])}`,
    "}",
    "",
  ].join("\n");
}

/** The accounts of a nats.conf that is kept by hand: the platform's, and one for each host. */
export function natsAccounts(control: NatsUser, hosts: readonly HostAccount[]): string {
  return [
    "accounts {",
    `  ${PLATFORM_ACCOUNT} {`,
    "    jetstream: enabled",
    `    users: [ ${user(control)} ]`,
    "    exports: [",
    ...hosts.flatMap(({ name, fromPlatform }) =>
      fromPlatform.map((shared) => `      ${exported(shared, name)}`),
    ),
    "    ]",
    "    imports: [",
    ...hosts.flatMap(({ name, toPlatform }) => toPlatform.map((shared) => `      ${imported(shared, name)}`)),
    "    ]",
    "  }",
    ...hosts.flatMap((host) => [
      `  ${quote(host.name)} {`,
      `    users: [ ${user(host.user)} ]`,
      `    ${HOST_LIMITS}`,
      "    exports: [",
      ...host.toPlatform.map((shared) => `      ${exported(shared, PLATFORM_ACCOUNT)}`),
      "    ]",
      "    imports: [",
      ...host.fromPlatform.map((shared) => `      ${imported(shared, PLATFORM_ACCOUNT)}`),
      "    ]",
      "  }",
    ]),
    "}",
    "",
  ].join("\n");
}

function exported({ kind, subject, manyAnswers }: Shared, to: string): string {
  const answers = manyAnswers ? ", response_type: stream" : "";
  return `{ ${kind}: ${quote(subject)}, accounts: [${quote(to)}]${answers} }`;
}

function imported({ kind, subject, as }: Shared, from: string): string {
  const to = as === undefined ? "" : `, to: ${quote(as)}`;
  return `{ ${kind}: { account: ${quote(from)}, subject: ${quote(subject)} }${to} }`;
}

const user = ({ name, password, permissions: allowed }: NatsUser) =>
  `{ user: ${quote(name)}, password: ${quote(password)}, permissions: ${permissions(allowed)} }`;

function permissions(allowed: Permissions): string {
  const responses = allowed.responses ? `, allow_responses: { max: 1, expires: "1m" }` : "";
  return `{ publish: { allow: ${list(allowed.publish)} }, subscribe: { allow: ${list(allowed.subscribe)} }${responses} }`;
}

const list = (subjects: readonly string[]) => `[${subjects.map(quote).join(", ")}]`;

/** Quotes as in JSON, which nats.conf reads the same way if nothing has to be escaped. */
function quote(text: string): string {
  if (/["\\\n\r]/.test(text)) throw new Error(`nats.conf cannot hold ${JSON.stringify(text)}`);
  return `"${text}"`;
}
