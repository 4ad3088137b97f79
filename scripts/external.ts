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
  const obstacle = await databaseObstacle(url, setting);
  if (obstacle !== undefined) throw refusalOf(setting, obstacle);
}

/** Why a server cannot be used, and what to do. */
export interface Obstacle {
  readonly found: string;
  readonly remedy: string;
}

/** Why the server of a URL does not answer a query; undefined: it does. @param setting what gave the URL */
export async function databaseObstacle(url: string, setting: string): Promise<Obstacle | undefined> {
  const sql = postgres(url, { max: 1, connect_timeout: GREETING_LIMIT_S, onnotice: () => undefined });
  try {
    await sql`SELECT 1`;
    return undefined;
  } catch (cause) {
    const hasAnswered = cause instanceof postgres.PostgresError;
    return obstacleOf({ setting, what: "PostgreSQL", url, cause, hasAnswered });
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
    const failure = { setting: "NATS_URL", what: "NATS with JetStream", url, cause };
    throw refusalOf("NATS_URL", obstacleOf({ ...failure, hasAnswered: isRefusal(cause) }));
  }
}

/** Whether NATS answered, and did not let the client in. */
const isRefusal = (cause: unknown): boolean =>
  cause instanceof NatsError && (cause.isAuthError() || cause.isPermissionError());

interface Failure {
  readonly setting: string;
  readonly what: string;
  readonly url: string;
  readonly cause: unknown;
  /** The server is there, and does not let the client in. */
  readonly hasAnswered: boolean;
}

/** It names only the hosts of the URL, which contains a password. */
const obstacleOf = ({ setting, what, url, cause, hasAnswered }: Failure): Obstacle =>
  hasAnswered
    ? {
        found: `${what} at ${hostsOf(url)} refuses: ${reasonOf(cause)}`,
        remedy: `correct the user, the password or the rest of ${setting}`,
      }
    : {
        found: `no ${what} at ${hostsOf(url)} (${reasonOf(cause)})`,
        remedy: `start it, or correct ${setting}`,
      };

const refusalOf = (setting: string, { found, remedy }: Obstacle): SetupError =>
  new SetupError(`${setting}: ${found}: ${remedy}`);

const reasonOf = (cause: unknown): string =>
  cause instanceof Error && cause.message !== "" ? cause.message : String(cause);

/** The hosts of a URL, which may name several. */
const hostsOf = (url: string): string => url.replace(/^\w+:\/\/(?:[^@/]*@)?([^/?]*).*$/, "$1");
