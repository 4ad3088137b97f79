import { openSql, type Sql } from "../actors/platform/db/sql.ts";
import { growPartitions, readCluster } from "../actors/runtime/store/cluster/queries.ts";
import { checkDatabase } from "./external.ts";
import { runningDatabase } from "./running-database.ts";
import { besideRunning } from "./running-settings.ts";
import { readSettings } from "./settings.ts";
import { SetupError } from "./setup-error.ts";

/** As often as an owner may have split some. */
const LOOK_MS = 500;
/** What `grow_partitions` refuses. */
const REFUSED = "BR003";

/**
 * `berth cluster grow PARTITIONS`: has the actor hosts split the partitions until there are so many, and says how far they are. An interrupt
 * ends the watching alone: the hosts go on.
 *
 * @throws SetupError with one line for the operator, when the number cannot be had
 */
export async function growCluster(
  environment: Readonly<Record<string, string | undefined>>,
  say: (line: string) => void,
  [wanted = ""]: readonly string[],
  interrupted: AbortSignal = new AbortController().signal,
): Promise<boolean> {
  if (!/^[0-9]{1,6}$/.test(wanted)) throw new SetupError("PARTITIONS: give a whole number, such as 128");
  const { databaseUrl, data } = readSettings(besideRunning(environment));
  const url = databaseUrl ?? runningDatabase(data).actors;
  await checkDatabase(url);
  const db = openSql(url, { max: 1, name: "berth-grow" });
  try {
    await growPartitions(db, Number(wanted)).catch((error: Error & { code?: string }) => {
      throw error.code === REFUSED ? new SetupError(`PARTITIONS: ${error.message}`) : error;
    });
    return await watch(db, Number(wanted), say, interrupted);
  } finally {
    await db.end({ timeout: 1 });
  }
}

async function watch(
  db: Sql,
  wanted: number,
  say: (line: string) => void,
  interrupted: AbortSignal,
): Promise<boolean> {
  let said = 0;
  while (!interrupted.aborted) {
    const { leases } = await readCluster(db);
    if (leases.length !== said) say(`${leases.length} of ${wanted} partitions are there`);
    said = leases.length;
    if (said === wanted) return true;
    await Bun.sleep(LOOK_MS);
  }
  say("the actor hosts go on: `berth admin cluster` shows how far they are");
  return true;
}
