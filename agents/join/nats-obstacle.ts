import { readFile } from "node:fs/promises";
import "../../system/native-signatures.ts";
import { connect, credsAuthenticator, NatsError } from "nats";
import { serversOf } from "../../system/nats-url.ts";

/** For each server of the address. */
const REPLY_MS_MAX = 3_000;

/** Why this machine does not get into NATS by the settings of its agent, with what to do; undefined when it does. */
export async function natsObstacle(url: string): Promise<{ found: string; remedy: string } | undefined> {
  const { servers, user, pass, creds, tls } = serversOf(url);
  try {
    const connection = await connect({
      servers,
      name: "berth host check",
      reconnect: false,
      timeout: REPLY_MS_MAX,
      ...(user === undefined ? {} : { user, pass: pass ?? "" }),
      ...(creds === undefined ? {} : { authenticator: credsAuthenticator(await readFile(creds)) }),
      ...(tls ? { tls: {} } : {}),
    });
    await connection.close();
    return undefined;
  } catch (cause) {
    const where = servers.join(", ");
    if (cause instanceof NatsError && cause.isAuthError())
      return {
        found: `${where} refuses the credential of this host, which has ended or was replaced`,
        remedy: "join again by another token: berth admin hosts token NAME",
      };
    return {
      found: `${where} cannot be reached from here (${(cause as Error).message})`,
      remedy:
        "open the port of NATS to this machine, or name an address that it reaches in BERTH_AGENT_NATS_URL of the gateways, and join again",
    };
  }
}
