import { readHostId } from "../actors/hosting/host/queries.ts";
import { openSql } from "../actors/platform/db/sql.ts";
import { newId } from "../actors/platform/ids.ts";
import type { Definitions } from "../actors/registry.ts";
import { connectToCluster } from "../actors/runtime/transport/connect.ts";
import { natsBus } from "../actors/runtime/transport/nats-bus.ts";
import { join as joinHost } from "../agents/join/join.ts";
import { enrolments } from "../gateway/hosts/enrolments.ts";

export interface OwnHostOptions {
  readonly name: string;
  readonly databaseUrl: string;
  /** With the control plane's credential. */
  readonly natsUrl: string;
  /** The agent's folder. */
  readonly folder: string;
}

/** The machine of `npm start` joins as any other does: with a one-time token, at the gateway. */
export async function joinOwnHost(options: OwnHostOptions, gatewayUrl: string): Promise<void> {
  const { name, databaseUrl, natsUrl, folder } = options;
  const db = openSql(databaseUrl, { max: 1, name: "berth-own-host" });
  const bus = await natsBus(natsUrl, "own-host");
  const client = connectToCluster<Definitions>(bus, db);
  const { newToken } = enrolments(db, client.actors, undefined, { natsUrl: "", containerDomain: "" });
  try {
    const id = (await readHostId(db, name)) ?? newId();
    const { token, hash } = newToken(id);
    await client.actors.host(id).create({ name, token_hash: hash });
    await client.actors.host(id).create_token({ token_hash: hash });
    await joinHost({ url: gatewayUrl, token, folder, driver: "process" });
  } finally {
    client.close();
    await bus.close();
    await db.end({ timeout: 5 });
  }
}
