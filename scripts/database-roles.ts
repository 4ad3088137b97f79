import { migrate } from "../actors/platform/db/migrate.ts";
import { type ByRole, createRoles, grantToRoles, mayWrite, roleUrls } from "../actors/platform/db/roles.ts";
import { openSql } from "../actors/platform/db/sql.ts";
import type { Secrets } from "./secrets.ts";
import type { Settings } from "./settings.ts";
import { SetupError } from "./setup-error.ts";

/** Creates the roles of the embedded PostgreSQL. Afterwards nothing in Berth uses its superuser. */
export async function embeddedRoles(adminUrl: string, secrets: Secrets): Promise<ByRole> {
  const passwords = {
    owner: secrets.postgres_owner,
    actors: secrets.postgres_actors,
    gateway: secrets.postgres_gateway,
  };
  await createRoles(adminUrl, passwords);
  await grantToRoles(adminUrl);
  return roleUrls(adminUrl, passwords);
}

/** The URLs of an external PostgreSQL. Its roles are cluster-wide and created by the operator, so none is created here. */
export async function externalRoles(
  settings: Settings,
  actors: string,
  say: (line: string) => void,
): Promise<ByRole> {
  const { gatewayDatabaseUrl: gateway = actors, ownerDatabaseUrl: owner = actors } = settings;
  const sql = openSql(gateway, { max: 1, name: "berth-roles" });
  try {
    if (gateway === actors || (await mayWrite(sql))) {
      say(
        "the gateway's database role may write: give it one that only reads in BERTH_GATEWAY_DATABASE_URL (docs/operations.md, Database roles)",
      );
    }
  } finally {
    await sql.end({ timeout: 5 });
  }
  return { owner, actors, gateway };
}

/** Applies missing migrations, so that the role of actor hosts need not own any tables. */
export async function prepareDatabase({ owner }: ByRole): Promise<void> {
  await migrate(owner).catch((cause: Error) => {
    throw new SetupError(`the database could not be prepared: ${cause.message}`, { cause });
  });
}
