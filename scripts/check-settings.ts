import { readSettings as readActors } from "../actors/platform/settings.ts";
import { readSettings as readAgent } from "../agents/settings.ts";
import { readGatewaySettings } from "../gateway/settings.ts";
import { readConfiguration } from "../system/configuration.ts";
import { readTracingSettings } from "../system/tracing/tracing.ts";
import { SetupError } from "./setup-error.ts";

type Env = Readonly<Record<string, string | undefined>>;

const READERS: Readonly<Record<string, (env: Env) => unknown>> = {
  gateway: readGatewaySettings,
  actors: readActors,
  agent: readAgent,
};

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
    const { env: settings, warnings } = readConfiguration(role as "gateway", env, argv);
    for (const warning of warnings) say(warning);
    read(settings);
    readTracingSettings(settings);
    say(`the settings of ${role} are well formed`);
    return true;
  } catch (error) {
    say((error as Error).message);
    return false;
  }
}
