import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import type { Io } from "../io.ts";

/** A control plane that the user works with. */
export interface Context {
  readonly url: string;
  /** A file with the authority of the hosts' certificates, where that is not a public one. */
  readonly ca?: string;
}

export interface Config {
  readonly current: string;
  readonly contexts: Readonly<Record<string, Context>>;
}

/** Where `npm start` listens. */
export const DEFAULT_URL = "http://127.0.0.1:3000";
const EMPTY: Config = { current: "default", contexts: {} };

/** `BERTH_CONFIG_DIR`, else below the user's folder of configuration, as gh and git have it. */
export function configFolder(env: Io["env"]): string {
  if (env.BERTH_CONFIG_DIR) return env.BERTH_CONFIG_DIR;
  return join(env.XDG_CONFIG_HOME || join(env.HOME || homedir(), ".config"), "berth");
}

export const readConfig = async (env: Io["env"]): Promise<Config> => ({
  ...EMPTY,
  ...(await readJson<Config>(join(configFolder(env), "config.json"))),
});

export const writeConfig = (env: Io["env"], config: Config): Promise<void> =>
  writePrivate(env, "config.json", config);

/** Undefined when there is no such file. */
export async function readJson<Content>(file: string): Promise<Content | undefined> {
  try {
    return JSON.parse(await readFile(file, "utf8")) as Content;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw new Error(`${file} cannot be read: ${(error as Error).message}`);
  }
}

/** Replaces a file of the folder as a whole, readable by its owner alone. */
export async function writePrivate(env: Io["env"], name: string, content: unknown): Promise<void> {
  await writePrivateText(env, name, `${JSON.stringify(content, null, 2)}\n`);
}

/** The same with any text. @returns the file */
export async function writePrivateText(env: Io["env"], name: string, text: string): Promise<string> {
  const folder = configFolder(env);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const draft = join(folder, `.${name}.${process.pid}`);
  await writeFile(draft, text, { mode: 0o600 });
  await rename(draft, join(folder, name));
  return join(folder, name);
}
