import postgres from "postgres";
import { addArrayTypes } from "./array-types.ts";
import { Primary, serverUrls } from "./primary.ts";

/** A pool of connections. int8 columns arrive as bigint. */
export type Sql = postgres.Sql<{ bigint: bigint }>;

export interface SqlOptions {
  /** The maximum number of connections. */
  readonly max: number;
  readonly name: string;
  /** The time limit for establishing a connection; 5 by default. */
  readonly connectSeconds?: number;
  /** A connection that is not used for so long is closed; by default it stays. */
  readonly idleSeconds?: number;
  /** Settings of each session, as PostgreSQL names them. */
  readonly session?: Readonly<Record<string, string>>;
  /** Called whenever a connection ends. */
  readonly onClose?: () => void;
}

/** No statement takes long; one that hangs must not hold its locks forever. */
const STATEMENT_TIMEOUT_MS = 15_000;
const CONNECT_TIMEOUT_S = 5;

/**
 * Opens a pool to the PostgreSQL at `url`. Nothing connects before the first query. Where the URL names several servers, separated by
 * commas, all connections lead to the primary among them.
 */
export function openSql(url: string, options: SqlOptions): Sql {
  const [first = url, ...others] = serverUrls(url);
  if (others.length === 0) return openPool(url, options);
  const primary = Primary.shared([first, ...others]);
  const sql = openPool(first, options, primary);
  const { end } = sql;
  sql.end = async (limits) => {
    await end(limits);
    await primary.release();
  };
  return sql;
}

function openPool(url: string, options: SqlOptions, primary?: Primary): Sql {
  const sql = postgres(url, {
    ...(primary === undefined ? {} : { socket: () => primary.open() }),
    max: options.max,
    connect_timeout: options.connectSeconds ?? CONNECT_TIMEOUT_S,
    ...(options.idleSeconds === undefined ? {} : { idle_timeout: options.idleSeconds }),
    // An unavailable database is tried again soon; the callers bound how long they wait.
    backoff: (retries: number) => Math.min(1, 0.05 * 2 ** retries),
    connection: {
      application_name: options.name,
      statement_timeout: STATEMENT_TIMEOUT_MS,
      idle_in_transaction_session_timeout: STATEMENT_TIMEOUT_MS,
      tcp_keepalives_idle: 10,
      tcp_keepalives_interval: 5,
      tcp_keepalives_count: 3,
      jit: "off",
      ...options.session,
    },
    types: { bigint: postgres.BigInt },
    fetch_types: false,
    onnotice: () => {},
    ...(options.onClose === undefined ? {} : { onclose: options.onClose }),
  }) as Sql;
  addArrayTypes(sql.options);
  return sql;
}

/**
 * The codes of PostgreSQL when it starts, stops, fails over or has no space left: SQLSTATE classes 08, 53, 57 and
 * read-only.
 */
const UNAVAILABLE = /^(08...|53...|57P0.|25006|57014)$/;
/** The client's codes for a failed connection, also one that ended between a query and its sending. */
const CONNECTION =
  /^(CONNECTION_|CONNECT_TIMEOUT|ECONN|ETIMEDOUT|EPIPE|ERR_SOCKET_CLOSED|ERR_STREAM_|ENOTFOUND|EHOSTUNREACH|ENETUNREACH|ENOENT)/;

/**
 * Whether a query failed because the database cannot be reached or does not serve at the moment: a retry may succeed.
 */
export function isDatabaseUnavailable(error: unknown): boolean {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  return UNAVAILABLE.test(code) || CONNECTION.test(code);
}
