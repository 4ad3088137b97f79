import { hostname } from "node:os";
import { findCredentials } from "../actors/accounts/account/queries.ts";
import { openSql } from "../actors/platform/db/sql.ts";
import type { Definitions } from "../actors/registry.ts";
import { connectToCluster } from "../actors/runtime/transport/connect.ts";
import { natsBus } from "../actors/runtime/transport/nats-bus.ts";
import type { ActorsFor } from "../actors/senders.ts";
import type { Role } from "../schemas/accounts/auth.ts";
import { DomainError } from "../schemas/errors.ts";
import { SESSION_ENDED } from "../schemas/subjects.ts";
import { checkDatabase } from "./external.ts";
import { runningDatabase } from "./running-database.ts";
import { runningNats } from "./running-nats.ts";
import { besideRunning } from "./running-settings.ts";
import { readSettings } from "./settings.ts";
import { SetupError } from "./setup-error.ts";

type Env = Readonly<Record<string, string | undefined>>;

/** The most characters of a machine's name in the audit log. */
const MACHINE_LENGTH_MAX = 64;

/**
 * `berth admin promote` and `berth admin demote`: gives an account a role, by a message to its actor. Nothing is stopped.
 *
 * @param who an e-mail address or a user name
 * @throws SetupError with one line for the operator
 */
export async function setRole(
  environment: Env,
  say: (line: string) => void,
  { who, role, reason }: { who: string; role: Role; reason: string },
): Promise<boolean> {
  const { databaseUrl, gatewayDatabaseUrl, natsUrl, data } = readSettings(besideRunning(environment));
  const url = gatewayDatabaseUrl ?? databaseUrl ?? runningDatabase(data).gateway;
  const nats = natsUrl ?? runningNats(data);
  if (nats === undefined) throw new SetupError("set NATS_URL, with the credential of the control plane");
  await checkDatabase(url, gatewayDatabaseUrl && "BERTH_GATEWAY_DATABASE_URL");
  const bus = await natsBus(nats, "berth-admin").catch((error: Error) => {
    throw new SetupError(`NATS at NATS_URL cannot be used: ${error.message}`);
  });
  const db = openSql(url, { max: 1, name: "berth-admin" });
  const client = connectToCluster<Definitions>(bus, db);
  const actors: ActorsFor<"command"> = client.actors;
  try {
    const found = await findCredentials(db, who.includes("@") ? { email: who } : { username: who });
    if (found === undefined) throw new SetupError(`no account has the name or address ${who}`);
    const { id, username } = found.user;
    const machine = {
      id: null,
      request_id: crypto.randomUUID(),
      address: hostname().slice(0, MACHINE_LENGTH_MAX),
    };
    const { value } = await actors.account(id).set_role({ role, reason, machine });
    // Gateways refuse the sessions at once, and not only when they look for what they have missed.
    for (const session of value.ended) bus.publish(SESSION_ENDED, session);
    const is = role === "admin" ? "an administrator" : "no administrator";
    say(value.former === role ? `${username} is ${is} already` : saidOf(username, role));
    return true;
  } catch (error) {
    throw error instanceof DomainError ? new SetupError(error.message) : error;
  } finally {
    client.close();
    await bus.close();
    await db.end({ timeout: 5 });
  }
}

const saidOf = (username: string, role: Role): string =>
  role === "admin"
    ? `${username} is an administrator from the next sign-in on`
    : `${username} is no administrator any more, and is signed out everywhere`;
