import { migrate } from "../actors/platform/db/migrate.ts";
import { readConfiguration } from "../system/configuration.ts";
import { checkDatabase } from "./external.ts";
import { readSettings } from "./settings.ts";
import { SetupError } from "./setup-error.ts";

/** `berth migrate`: migrates a database whose actor hosts connect with a role that owns nothing. */
export async function migrateDatabase(
  env: Readonly<Record<string, string | undefined>>,
  say: (line: string) => void,
): Promise<boolean> {
  const settings = readSettings(readConfiguration("start", env).env);
  const url = settings.ownerDatabaseUrl ?? settings.databaseUrl;
  if (url === undefined) throw new SetupError("set BERTH_OWNER_DATABASE_URL or DATABASE_URL");
  await checkDatabase(url, settings.ownerDatabaseUrl && "BERTH_OWNER_DATABASE_URL");
  const applied = await migrate(url);
  say(applied.length === 0 ? "the database is up to date" : `applied ${applied.join(", ")}`);
  return true;
}
