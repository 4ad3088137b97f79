import { readFile } from "node:fs/promises";
import { decode, parseCreds } from "@nats-io/jwt";
import { readJoinedHost } from "../actors/hosting/host/queries.ts";
import { openSql } from "../actors/platform/db/sql.ts";
import { credentialFile } from "../agents/join/credential-file.ts";
import type { OwnHostOptions } from "./own-host.ts";

/** A credential that ends sooner is replaced at the start: the agent renews it only while it runs. */
const LIFE_SECONDS_MIN = 24 * 60 * 60;

/** Whether the agent of this machine has a credential that the records know, for a day at least. */
export async function hasJoined({
  name,
  databaseUrl,
  folder,
}: Pick<OwnHostOptions, "name" | "databaseUrl" | "folder">): Promise<boolean> {
  const known = await readFile(credentialFile(folder))
    .then((creds) => parseCreds(creds))
    .catch(() => undefined);
  if (known === undefined) return false;
  const { exp = 0 } = decode(known.jwt);
  if (exp - Date.now() / 1_000 < LIFE_SECONDS_MIN) return false;
  const db = openSql(databaseUrl, { max: 1, name: "berth-own-host" });
  try {
    return (await readJoinedHost(db, name))?.account === known.uc.nats.issuer_account;
  } finally {
    await db.end({ timeout: 5 });
  }
}
