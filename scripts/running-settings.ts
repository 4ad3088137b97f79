import { readFileSync } from "node:fs";
import { join } from "node:path";
import { settingsOf } from "../schemas/settings/index.ts";
import { writeAtomically } from "../system/atomic-file.ts";
import { readConfiguration } from "../system/configuration.ts";
import { isLocked } from "../system/instance-lock.ts";

type Env = Readonly<Record<string, string | undefined>>;

const fileOf = (data: string) => join(data, "running.json");
export const supervisorLock = (data: string): string => join(data, "supervisor.lock");

/** Passwords of users are needed once, and kept nowhere. */
const LEFT_OUT = new Set(["BERTH_ADMIN_PASSWORD", "BERTH_DEMO_PASSWORD"]);

/** Notes with what settings a Berth runs in this folder, for commands beside it. Only its user may read the file. */
export async function writeRunningSettings(data: string, env: Env): Promise<void> {
  const names = settingsOf("start").map(({ name }) => name);
  const set = names.filter((name) => env[name] && !LEFT_OUT.has(name)).map((name) => [name, env[name]]);
  await writeAtomically(fileOf(data), JSON.stringify(Object.fromEntries(set)));
}

/**
 * The settings of a command beside an installation: the environment, below it the settings file, and below that what the
 * Berth was started with that runs in BERTH_DATA.
 *
 * @throws SettingError
 */
export function besideRunning(environment: Env): Env {
  const { env } = readConfiguration("start", environment);
  const data = env.BERTH_DATA || ".berth";
  return { ...readRunningSettings(data), ...env };
}

function readRunningSettings(data: string): Env {
  if (!isLocked(supervisorLock(data))) return {};
  try {
    // The folder may have been named from another working directory.
    const { BERTH_DATA: _, ...settings } = JSON.parse(readFileSync(fileOf(data), "utf8"));
    return settings;
  } catch {
    return {};
  }
}
