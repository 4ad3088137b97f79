import postgres from "postgres";

/** A pool of connections. int8 columns arrive as bigint. */
export type Sql = postgres.Sql<{ bigint: bigint }>;

export interface SqlOptions {
  /** Connections at most. */
  readonly max: number;
  readonly name: string;
  /** How long a connection may take to be made; 5 unless told. */
  readonly connectSeconds?: number;
  /** Settings of each session, as PostgreSQL names them. */
  readonly session?: Readonly<Record<string, string>>;
  /** Told of each connection that ended, whoever ended it. */
  readonly onClose?: () => void;
}

/** No statement of ours runs for long; one that hangs must not hold its locks forever. */
const STATEMENT_TIMEOUT_MS = 15_000;
const CONNECT_TIMEOUT_S = 5;

/** Opens a pool to the PostgreSQL at `url`. Nothing connects before the first query. */
export function openSql(url: string, options: SqlOptions): Sql {
  return postgres(url, {
    max: options.max,
    connect_timeout: options.connectSeconds ?? CONNECT_TIMEOUT_S,
    // A database that is away is asked again soon: the callers bound how long they wait.
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
    onnotice: () => {},
    ...(options.onClose === undefined ? {} : { onclose: options.onClose }),
  }) as Sql;
}

/** What PostgreSQL says when it starts, stops, fails over or has no place left: SQLSTATE classes 08, 53, 57 and read-only. */
const AWAY = /^(08...|53...|57P0.|25006|57014)$/;
/** What the client says of the connection itself. */
const CONNECTION =
  /^(CONNECTION_|CONNECT_TIMEOUT|ECONN|ETIMEDOUT|EPIPE|ENOTFOUND|EHOSTUNREACH|ENETUNREACH|ENOENT)/;

/** Whether a query failed since the database cannot be reached or serves nobody now: the same query may work shortly. */
export function isDatabaseUnavailable(error: unknown): boolean {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  return AWAY.test(code) || CONNECTION.test(code);
}
