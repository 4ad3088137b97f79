import { existsSync, realpathSync, rmSync } from "node:fs";
import { join } from "node:path";
import { embeddedRoles } from "../database-roles.ts";
import { startOrphanWatchdog } from "../orphan-watchdog.ts";
import { startOnFreePort } from "../ports.ts";
import { loadSecrets } from "../secrets.ts";
import { startPostgres } from "../servers/postgres.ts";

/** Off the ports that `npm start` tries first. */
const PORT_FROM = 26_432;

/** Makes the PostgreSQL of `npm start` in a data folder, and runs it for some work with the URL of its owner. */
export async function withOwnDatabase<Result>(
  data: string,
  work: (ownerUrl: string) => Promise<Result>,
): Promise<Result> {
  const secrets = loadSecrets(data);
  const dir = join(data, "postgres");
  const options = { dir, password: secrets.postgres, log: join(data, "logs", "postgres.log") };
  const watchdog = startOrphanWatchdog();
  const { server } = await startOnFreePort(PORT_FROM, (port) =>
    startPostgres({ ...options, port, watchdog }),
  );
  try {
    return await work((await embeddedRoles(server.url, secrets)).owner);
  } catch (error) {
    await server.stop();
    // It may be elsewhere, where PostgreSQL's user can enter: `dir` is a link then.
    if (existsSync(dir)) rmSync(realpathSync(dir), { recursive: true, force: true });
    throw error;
  } finally {
    await server.stop();
  }
}
