import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type ByRole, roleUrls } from "../actors/platform/db/roles.ts";
import { loadSecrets, secretsFile } from "./secrets.ts";
import { SetupError } from "./setup-error.ts";

/** In PostgreSQL's own pid file, counted from 0. */
const PORT_LINE = 3;

/**
 * The addresses of the PostgreSQL that `npm start` runs in a data folder, by role.
 * @throws SetupError when none runs there
 */
export function runningDatabase(data: string): ByRole {
  const file = join(data, "postgres", "postmaster.pid");
  if (!existsSync(secretsFile(data)) || !existsSync(file)) throw nothingRuns(data);
  const port = Number(readFileSync(file, "utf8").split("\n")[PORT_LINE]);
  if (!Number.isInteger(port) || port < 1) throw nothingRuns(data);
  const secrets = loadSecrets(data);
  return roleUrls(`postgres://127.0.0.1:${port}/berth`, {
    owner: secrets.postgres_owner,
    actors: secrets.postgres_actors,
    gateway: secrets.postgres_gateway,
  });
}

const nothingRuns = (data: string) =>
  new SetupError(`no Berth runs in BERTH_DATA=${data}: start it, name its folder, or set DATABASE_URL`);
