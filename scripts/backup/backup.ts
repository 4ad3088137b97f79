import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import { basename, dirname, join, resolve } from "node:path";
import { run } from "../../agents/exec/command.ts";
import { credentialFile } from "../../agents/join/credential-file.ts";
import packageJson from "../../package.json" with { type: "json" };
import { writeAtomically } from "../../system/atomic-file.ts";
import { checkDatabase } from "../external.ts";
import { runningDatabase } from "../running-database.ts";
import { besideRunning } from "../running-settings.ts";
import { secretsFile } from "../secrets.ts";
import { readSettings, type Settings } from "../settings.ts";
import { SetupError } from "../setup-error.ts";
import { writeChecksums } from "./checksums.ts";
import { backUpFiles, listKeptFiles, missingKeys } from "./kept-files.ts";
import { MANIFEST, type Manifest, newManifest } from "./manifest.ts";
import { backUpShares } from "./shares.ts";
import { backUpTables } from "./tables.ts";
import { makeUnfinished } from "./unfinished-folder.ts";

export interface BackupOptions {
  readonly areKeysElsewhere?: boolean;
  /** Gets the time of this backup, for the textfile collector of Prometheus' node exporter. */
  readonly metricsFile?: string | undefined;
}

/** A backup of a terabyte takes that long to write once more. */
const PACK_MS_MAX = 6 * 60 * 60 * 1_000;

/**
 * `berth backup TARGET [FILE…]`: the database in one snapshot, the keys, and the storage shares of this machine, with a manifest and
 * checksums. TARGET is a folder, or one file if it ends in `.tar`. It appears when it is whole.
 *
 * @throws SetupError when there is a database, but no key of secrets or of signing, unless `areKeysElsewhere`; or when `metricsFile` cannot be written
 */
export async function backup(
  environment: Readonly<Record<string, string | undefined>>,
  say: (line: string) => void,
  [target = "", ...given]: readonly string[],
  interrupted: AbortSignal = new AbortController().signal,
  { areKeysElsewhere = false, metricsFile }: BackupOptions = {},
): Promise<boolean> {
  // Before the long work, and before the target gets its name.
  if (metricsFile !== undefined) requireFolder(metricsFile);
  const env = besideRunning(environment);
  const settings = readSettings(env);
  const databaseUrl = await databaseOf(settings);
  const files = listKeptFiles(settings.data, env, given);
  const missing = databaseUrl === null || areKeysElsewhere ? [] : missingKeys(files, env);
  if (missing.length > 0)
    throw new SetupError(
      `${missing.join(" and ")}: no such key was found, and what it encrypted or signed is lost without it. Name the settings file in BERTH_CONFIG, or say --keys-elsewhere if you keep the keys yourself`,
    );
  const unfinished = makeUnfinished(resolve(target));
  try {
    const folder = unfinished.path;
    const kept = backUpFiles(files, folder);
    say(`files: ${kept.length}`);
    const database = databaseUrl === null ? null : await backUpTables(databaseUrl, folder, interrupted);
    const tables = database?.tables ?? [];
    say(`database: ${tables.reduce((sum, { rows }) => sum + rows, 0)} rows of ${tables.length} tables`);
    const shares = await backUpShares(settings.data, folder, interrupted);
    say(`storage shares of this machine: ${shares.length}`);
    await finish(folder, { database, files: kept, shares });
    interrupted.throwIfAborted();
    if (!target.endsWith(".tar")) unfinished.finish();
    else unfinished.finish(await pack(folder, basename(target)));
  } catch (error) {
    unfinished.discard();
    throw error;
  }
  if (metricsFile !== undefined) await writeAtomically(metricsFile, successMetric(Date.now()), 0o644);
  say(`${target} is whole. It has keys and passwords in clear: keep it secret, and on another machine`);
  return true;
}

/** The node exporter reads files whose names end in `.prom`. */
function requireFolder(metricsFile: string): void {
  if (!metricsFile.endsWith(".prom")) throw new SetupError("--metrics: give a file whose name ends in .prom");
  if (!existsSync(dirname(metricsFile)))
    throw new SetupError(`--metrics: the folder ${dirname(metricsFile)} is not there`);
}

export const successMetric = (atMs: number): string =>
  [
    "# HELP berth_backup_last_success_timestamp_seconds When the last backup was whole",
    "# TYPE berth_backup_last_success_timestamp_seconds gauge",
    `berth_backup_last_success_timestamp_seconds ${Math.floor(atMs / 1_000)}`,
    "",
  ].join("\n");

/** Null on a machine that is only a host: its database is elsewhere, and backed up there. */
async function databaseOf({ gatewayDatabaseUrl, databaseUrl, data }: Settings): Promise<string | null> {
  const isHostAlone = existsSync(credentialFile(data)) && !existsSync(secretsFile(data));
  const given = gatewayDatabaseUrl ?? databaseUrl;
  if (given === undefined) return isHostAlone ? null : runningDatabase(data).gateway;
  await checkDatabase(given, gatewayDatabaseUrl && "BERTH_GATEWAY_DATABASE_URL");
  return given;
}

async function finish(folder: string, parts: Pick<Manifest, "database" | "files" | "shares">): Promise<void> {
  const manifest = newManifest({ version: packageJson.version, machine: hostname(), ...parts });
  await writeFile(join(folder, MANIFEST), `${JSON.stringify(manifest, null, 2)}\n`, { mode: 0o600 });
  await writeChecksums(folder);
}

/** @returns the name of the file */
async function pack(folder: string, name: string): Promise<string> {
  // tar would let others read it.
  await writeFile(join(folder, name), "", { mode: 0o600 });
  const words = ["--create", `--file=${join(folder, name)}`, `--directory=${folder}`, `--exclude=./${name}`];
  await run(["tar", ...words, "."], undefined, PACK_MS_MAX);
  await run(["sync", join(folder, name)], undefined, PACK_MS_MAX);
  return name;
}
