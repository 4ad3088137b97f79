import { chmodSync, copyFileSync, existsSync, mkdirSync, readdirSync, statSync } from "node:fs";
import { basename, dirname, join, relative, resolve } from "node:path";
import { credentialFile } from "../../agents/join/credential-file.ts";
import { isNatsUrl, serversOf } from "../../system/nats-url.ts";
import { SetupError } from "../setup-error.ts";
import { keptFile, type Manifest } from "./manifest.ts";

/** A file that goes into a backup, and its path in the data folder of a restore. */
interface KeptFile {
  readonly source: string;
  readonly path: string;
}

/** In a data folder: what cannot be made again. The rest is the database's, NATS's or the containers' own. */
const OF_DATA = ["secrets.json", "keys"];
const OF_AGENT = ["agent.creds", "agent.env", "edge/tls"];
/** Settings that name a file of keys. */
const KEY_FILES = ["BERTH_SIGNING_KEY_FILE", "BERTH_SECRETS_KEY_FILE", "BERTH_NATS_KEYS_FILE"];
/** Where files from elsewhere are restored to. */
const NAMED = "named";

/** The agent's folder of this machine: a part of the data folder (`npm start`), or that itself, where a host joined. */
export const agentFolder = (data: string): string =>
  existsSync(credentialFile(data)) ? data : join(data, "agent");

/** @param given files that the operator names @throws SetupError when a named file is not there */
export function listKeptFiles(
  data: string,
  env: Readonly<Record<string, string | undefined>>,
  given: readonly string[],
): KeptFile[] {
  const agent = relative(data, agentFolder(data));
  const own = [...OF_DATA, ...OF_AGENT.map((path) => join(agent, path))]
    .flatMap((path) => filesUnder(join(data, path)))
    .map((source) => ({ source, path: relative(data, source) }));
  const named = [...KEY_FILES.map((name) => env[name] ?? ""), credentialsIn(env.NATS_URL), ...given]
    .filter((path) => path !== "")
    .map((path) => resolve(path))
    .filter((path) => !own.some(({ source }) => source === path));
  const missing = named.find((path) => !existsSync(path));
  if (missing !== undefined) throw new SetupError(`${missing} is not there: it was to be backed up`);
  return [...own, ...[...new Set(named)].map(toNamed)];
}

/** A database is of little use without these: by their settings, with the names that they have in a data folder. */
const NEEDED_KEYS = {
  BERTH_SECRETS_KEY_FILE: "secrets.key",
  BERTH_SIGNING_KEY_FILE: "access-token.pem",
} as const;

/** The settings of those keys that are not among the files of a backup. */
export const missingKeys = (
  files: readonly KeptFile[],
  env: Readonly<Record<string, string | undefined>>,
): string[] =>
  Object.entries(NEEDED_KEYS)
    .filter(([name, file]) => !env[name] && !files.some(({ source }) => basename(source) === file))
    .map(([name]) => name);

/** Two files of one name in different folders are told apart by a number. */
function toNamed(source: string, at: number, all: readonly string[]): KeptFile {
  const earlier = all.slice(0, at).filter((one) => basename(one) === basename(source)).length;
  const name = earlier === 0 ? basename(source) : `${earlier + 1}-${basename(source)}`;
  return { source, path: join(NAMED, name) };
}

/** The file of `nats://host?creds=FILE`. */
const credentialsIn = (url: string | undefined): string =>
  (url && isNatsUrl(url) && serversOf(url).creds) || "";

function filesUnder(path: string): string[] {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined) return [];
  if (!found.isDirectory()) return [path];
  return readdirSync(path).flatMap((name) => filesUnder(join(path, name)));
}

const MODE_BITS = 0o777;

/** Copies the files into a backup's folder. */
export function backUpFiles(files: readonly KeptFile[], folder: string): Manifest["files"] {
  return files.map(({ source, path }) => {
    copyPrivately(source, join(folder, keptFile(path)), 0o600);
    return { path, mode: statSync(source).mode & MODE_BITS };
  });
}

/** Puts the files of a backup into a data folder. */
export function restoreFiles(files: Manifest["files"], folder: string, data: string): void {
  // The users of containers have to pass through.
  if (files.some(({ path }) => path.startsWith("agent/"))) mkdirSync(join(data, "agent"), { mode: 0o711 });
  for (const { path, mode } of files) copyPrivately(join(folder, keptFile(path)), join(data, path), mode);
}

function copyPrivately(from: string, to: string, mode: number): void {
  mkdirSync(dirname(to), { recursive: true, mode: 0o700 });
  copyFileSync(from, to);
  chmodSync(to, mode);
}
