import { existsSync, lstatSync, mkdirSync, readdirSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import {
  LoadError,
  loadDatabase,
  requireEmptyDatabase,
  type TableReader,
} from "../../actors/platform/db/load.ts";
import { run } from "../../agents/exec/command.ts";
import { readConfiguration } from "../../system/configuration.ts";
import { makeDataFolder, markUnfinished } from "../data-folder.ts";
import { checkDatabase } from "../external.ts";
import { checkLedger } from "../ledger-check.ts";
import { readSettings, type Settings } from "../settings.ts";
import { SetupError } from "../setup-error.ts";
import { verifyChecksums } from "./checksums.ts";
import { restoreFiles } from "./kept-files.ts";
import { type Manifest, readManifest } from "./manifest.ts";
import { withOwnDatabase } from "./own-database.ts";
import { restoreShares } from "./shares.ts";
import { tablesIn } from "./tables.ts";

/** A backup of a terabyte takes that long to read. */
const UNPACK_MS_MAX = 6 * 60 * 60 * 1_000;

/**
 * `berth restore SOURCE`: verifies a backup, puts it into an empty place, and ends with the check of the ledger. The place is
 * BERTH_DATA, which is missing or empty, and the database of BERTH_OWNER_DATABASE_URL or DATABASE_URL, else a PostgreSQL of its own in BERTH_DATA.
 *
 * @returns whether the ledger is proved
 */
export async function restore(
  env: Readonly<Record<string, string | undefined>>,
  say: (line: string) => void,
  [source = ""]: readonly string[],
  interrupted: AbortSignal = new AbortController().signal,
): Promise<boolean> {
  const settings = readSettings(readConfiguration("start", env).env);
  const { data } = settings;
  if (!existsSync(source)) throw new SetupError(`${source} is not there`);
  requireEmptyFolder(data);
  const url = await emptyDatabase(settings);
  const wasThere = existsSync(data);
  makeDataFolder(data);
  const finish = markUnfinished(data);
  try {
    const folder = await unpacked(resolve(source), data);
    await verifyChecksums(folder);
    const manifest = await readManifest(folder);
    say(
      `backup of ${manifest.machine}, ${manifest.made_at}, Berth ${manifest.version}: its checksums are right`,
    );
    restoreFiles(manifest.files, folder, data);
    await restoreShares(manifest.shares, folder, data);
    say(`files: ${manifest.files.length}, storage shares: ${manifest.shares.length}, in ${data}`);
    const isWell = await restoreDatabase(manifest, tablesIn(folder, interrupted), settings, url, say);
    rmSync(join(data, UNPACKED), { recursive: true, force: true });
    finish();
    return isWell;
  } catch (error) {
    // What was there before was empty.
    for (const name of readdirSync(data)) rmSync(join(data, name), { recursive: true, force: true });
    if (!wasThere) rmSync(data, { recursive: true, force: true });
    throw error instanceof LoadError ? new SetupError(error.message, { cause: error }) : error;
  }
}

function requireEmptyFolder(data: string): void {
  const found = lstatSync(data, { throwIfNoEntry: false });
  if (found === undefined || (found.isDirectory() && readdirSync(data).length === 0)) return;
  throw new SetupError(`BERTH_DATA=${data} is not empty: name a folder that is, or that is not there yet`);
}

/** Undefined: the database is to be one of Berth's own. */
async function emptyDatabase({ ownerDatabaseUrl, databaseUrl }: Settings): Promise<string | undefined> {
  const url = ownerDatabaseUrl ?? databaseUrl;
  if (url === undefined) return undefined;
  await checkDatabase(url, ownerDatabaseUrl && "BERTH_OWNER_DATABASE_URL");
  await requireEmptyDatabase(url).catch((error: Error) => {
    throw new SetupError(error.message, { cause: error });
  });
  return url;
}

const UNPACKED = "unpacked-backup";

/** The folder of a backup, which may be packed in one file. */
async function unpacked(source: string, data: string): Promise<string> {
  if (lstatSync(source).isDirectory()) return source;
  const folder = join(data, UNPACKED);
  mkdirSync(folder, { mode: 0o700 });
  await run(
    ["tar", "--extract", `--file=${source}`, `--directory=${folder}`],
    undefined,
    UNPACK_MS_MAX,
  ).catch((cause: Error) => {
    throw new SetupError(`${source} is no whole backup: ${cause.message}`, { cause });
  });
  return folder;
}

async function restoreDatabase(
  { database }: Manifest,
  read: TableReader,
  { data }: Settings,
  url: string | undefined,
  say: (line: string) => void,
): Promise<boolean> {
  if (database === null) return true;
  const load = async (owner: string): Promise<boolean> => {
    await loadDatabase(owner, database, read);
    say(`database: ${database.tables.reduce((sum, { rows }) => sum + rows, 0)} rows`);
    return checkLedger(owner, say);
  };
  return url === undefined ? withOwnDatabase(data, load) : load(url);
}
