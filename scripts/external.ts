import { readFile } from "node:fs/promises";
import { connect, credsAuthenticator, NatsError } from "nats";
import postgres from "postgres";
import { natsVersionObstacle } from "../schemas/nats-version.ts";
import { serversOf } from "../system/nats-url.ts";
import { SetupError } from "./setup-error.ts";

/** How long an external server may take to respond, in seconds. */
const GREETING_LIMIT_S = 10;

/**
 * @param setting what gave the URL
 * @throws SetupError one line, when the server of the URL does not answer a query
 */
export async function checkDatabase(url: string, setting = "DATABASE_URL"): Promise<void> {
  const sql = postgres(url, { max: 1, connect_timeout: GREETING_LIMIT_S, onnotice: () => undefined });
  try {
    await sql`SELECT 1`;
  } catch (cause) {
    const answered = cause instanceof postgres.PostgresError;
    throw (answered ? refused : unreachable)(setting, "PostgreSQL", url, cause);
  } finally {
    await sql.end({ timeout: 1 });
  }
}

/** @throws SetupError one line, when the server that NATS_URL names refuses the credentials, is too old or has no JetStream */
export async function checkNats(url: string): Promise<void> {
  const { servers, user, pass, creds, tls } = serversOf(url);
  try {
    const connection = await connect({
      servers,
      timeout: GREETING_LIMIT_S * 1000,
      reconnect: false,
      ...(user !== undefined && { user, pass: pass ?? "" }),
      ...(creds !== undefined && { authenticator: credsAuthenticator(await readFile(creds)) }),
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
    throw (isRefusal(cause) ? refused : unreachable)("NATS_URL", "NATS with JetStream", url, cause);
  }
}

/** Whether NATS answered, and did not let the client in. */
const isRefusal = (cause: unknown): boolean =>
  cause instanceof NatsError && (cause.isAuthError() || cause.isPermissionError());

type Failure = (variable: string, what: string, url: string, cause: unknown) => SetupError;

// Only the hosts of a URL: it contains a password.
const unreachable: Failure = (variable, what, url, cause) =>
  new SetupError(`${variable}: no ${what} at ${hostsOf(url)} (${reasonOf(cause)}): start it or correct it`, {
    cause,
  });

/** The server answers, and does not let the client in. */
const refused: Failure = (variable, what, url, cause) =>
  new SetupError(
    `${variable}: ${what} at ${hostsOf(url)} refuses: ${reasonOf(cause)}. Correct the user, the password or the rest of the URL`,
    { cause },
  );

const reasonOf = (cause: unknown): string =>
  cause instanceof Error && cause.message !== "" ? cause.message : String(cause);

/** The hosts of a URL, which may name several. */
const hostsOf = (url: string): string => url.replace(/^\w+:\/\/(?:[^@/]*@)?([^/?]*).*$/, "$1");
