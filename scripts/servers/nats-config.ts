import type { NatsUser, Permissions } from "../nats-users.ts";

/**
 * A gateway sends all requests of a tick for one actor host as one message, and the host replies the same way. NATS's default
 * of 1 MB would split busy ticks, and its documentation advises against more than 8 MB.
 */
const MAX_PAYLOAD = "4MB";
/** Disk space of the streams of one machine; older events are in PostgreSQL. */
const MAX_FILE_STORE = "4GB";
const MAX_MEMORY_STORE = "64MB";
/** PostgreSQL has the truth, and the outbox publishes again what JetStream lost, so seconds are enough. */
const SYNC_INTERVAL = "5s";

export interface NatsConfigOptions {
  readonly port: number;
  readonly storeDir: string;
  readonly pidFile: string;
  readonly users: readonly NatsUser[];
}

/** The text of a nats.conf for one machine. */
export function natsConfig(options: NatsConfigOptions): string {
  return [
    `listen: ${quote(`127.0.0.1:${options.port}`)}`,
    `pid_file: ${quote(options.pidFile)}`,
    `max_payload: ${MAX_PAYLOAD}`,
    "jetstream {",
    `  store_dir: ${quote(options.storeDir)}`,
    `  max_memory_store: ${MAX_MEMORY_STORE}`,
    `  max_file_store: ${MAX_FILE_STORE}`,
    `  sync_interval: ${quote(SYNC_INTERVAL)}`,
    "}",
    "authorization {",
    "  users: [",
    ...options.users.map(userLine),
    "  ]",
    "}",
    "",
  ].join("\n");
}

const userLine = (user: NatsUser) =>
  `    { user: ${quote(user.name)}, password: ${quote(user.password)}, permissions: ${permissions(user.permissions)} }`;

function permissions(allowed: Permissions): string {
  const responses = allowed.responses ? `, allow_responses: { max: 1, expires: "1m" }` : "";
  return `{ publish: { allow: ${list(allowed.publish)} }, subscribe: { allow: ${list(allowed.subscribe)} }${responses} }`;
}

const list = (subjects: readonly string[]) => `[${subjects.map(quote).join(", ")}]`;

/** Quoted as JSON, which nats.conf reads the same way as long as no character needs an escape. */
function quote(text: string): string {
  if (/["\\\n\r]/.test(text)) throw new Error(`nats.conf cannot hold ${JSON.stringify(text)}`);
  return `"${text}"`;
}
