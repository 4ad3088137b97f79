import { existsSync } from "node:fs";
import { readSettings as readActors } from "../actors/platform/settings.ts";
import { readSettings as readAgent } from "../agents/settings.ts";
import { readGatewaySettings } from "../gateway/settings.ts";
import { settingsOf } from "../schemas/settings/index.ts";
import type { Role } from "../schemas/settings/setting.ts";
import { readConfiguration } from "../system/configuration.ts";
import { serversOf } from "../system/nats-url.ts";
import { readTracingSettings } from "../system/tracing/tracing.ts";
import { SetupError } from "./setup-error.ts";

type Env = Readonly<Record<string, string | undefined>>;

const READERS: Readonly<Record<string, (env: Env) => unknown>> = {
  gateway: readGatewaySettings,
  actors: readActors,
  agent: readAgent,
};

/** Files that settings name and that are not on this machine. The process may run on another one, or in a container. */
function missingFiles(role: Role, settings: Env): string[] {
  const files = settingsOf(role)
    .filter(({ name }) => name.endsWith("_FILE"))
    .map(({ name }) => [name, settings[name]] as const);
  const creds = settings.NATS_URL && serversOf(settings.NATS_URL).creds;
  return [...files, ["NATS_URL", creds] as const].flatMap(([name, file]) =>
    file && !existsSync(file) ? [`${name}: ${file} is not there, on this machine`] : [],
  );
}

/** `berth settings check ROLE [FILE]`: checks the settings of a process as its start does. Nothing is started or changed. */
export async function checkSettings(
  env: Env,
  say: (line: string) => void,
  [role = "", file]: readonly string[],
): Promise<boolean> {
  const read = READERS[role];
  if (read === undefined) throw new SetupError(`${role} is no role: give gateway, actors or agent`);
  try {
    const argv = file === undefined ? [] : ["--config", file];
    const { env: settings, warnings } = readConfiguration(role as Role, env, argv);
    for (const warning of warnings) say(warning);
    read(settings);
    readTracingSettings(settings);
    const missing = missingFiles(role as Role, settings);
    for (const line of missing) say(line);
    say(
      missing.length === 0
        ? `the settings of ${role} are well formed, and the files that they name are there`
        : `the settings of ${role} are well formed; only their form was checked: ${role} does not start on this machine without these files`,
    );
    return true;
  } catch (error) {
    say((error as Error).message);
    return false;
  }
}
