import { connect } from "nats";
import postgres from "postgres";
import { natsVersionObstacle } from "../schemas/nats-version.ts";
import { serversOf } from "../system/nats-url.ts";
import { SetupError } from "./setup-error.ts";

/** How long an external server may take to respond, in seconds. */
const GREETING_LIMIT_S = 10;

/** @throws SetupError one line, when the server that DATABASE_URL names does not answer a query */
export async function checkDatabase(url: string): Promise<void> {
  const sql = postgres(url, { max: 1, connect_timeout: GREETING_LIMIT_S, onnotice: () => undefined });
  try {
    await sql`SELECT 1`;
  } catch (cause) {
    throw unreachable("DATABASE_URL", "PostgreSQL", url, cause);
  } finally {
    await sql.end({ timeout: 1 });
  }
}

/** @throws SetupError one line, when the server that NATS_URL names refuses the credentials, is too old or has no JetStream */
export async function checkNats(url: string): Promise<void> {
  const { servers, user, pass, tls } = serversOf(url);
  try {
    const connection = await connect({
      servers,
      timeout: GREETING_LIMIT_S * 1000,
      reconnect: false,
      ...(user !== undefined && { user, pass: pass ?? "" }),
      ...(tls && { tls: {} }),
    });
    try {
      const obstacle = natsVersionObstacle(connection.info?.version ?? "");
      if (obstacle !== undefined) throw new Error(obstacle);
      await connection.jetstreamManager();
    } finally {
      await connection.close();
    }
  } catch (cause) {
    throw unreachable("NATS_URL", "NATS with JetStream", url, cause);
  }
}

function unreachable(variable: string, what: string, url: string, cause: unknown): SetupError {
  const reason = cause instanceof Error && cause.message !== "" ? cause.message : String(cause);
  // Only the host: the address contains a password.
  return new SetupError(`${variable}: no ${what} at ${hostsOf(url)} (${reason}): start it or correct it`, {
    cause,
  });
}

/** The hosts of a URL, which may name several. */
const hostsOf = (url: string): string => url.replace(/^\w+:\/\/(?:[^@/]*@)?([^/?]*).*$/, "$1");
