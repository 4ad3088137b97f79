import { ENROLMENT_TOKEN } from "../../schemas/hosting/host.ts";
import { SettingError } from "../../system/setting-error.ts";
import { missingPrerequisite } from "../containers/prerequisites.ts";
import { readRuntime } from "../settings.ts";
import { checkHost } from "./checks.ts";
import { join } from "./join.ts";

const FOLDER = "/var/lib/berth";

/**
 * `berth agent join URL TOKEN`: checks this machine, joins it, and says how to start its agent. `BERTH_DATA` is the agent's folder.
 * `BERTH_RUNTIME` names the OCI runtime that is asked for. With `BERTH_DRIVER=process` a machine joins that cannot isolate containers.
 *
 * @returns whether the machine has joined
 */
export async function agentJoin(
  env: Readonly<Record<string, string | undefined>>,
  say: (line: string) => void,
  [url = "", token = ""]: readonly string[],
): Promise<boolean> {
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) {
    say(`${url} is no address of a control plane: https://host is its form`);
    return false;
  }
  if (!ENROLMENT_TOKEN.test(token)) {
    say("the token is not complete: copy the whole command");
    return false;
  }
  let asked: string | undefined;
  try {
    asked = readRuntime(env);
  } catch (error) {
    if (!(error instanceof SettingError)) throw error;
    say(error.message);
    return false;
  }
  const folder = env.BERTH_DATA || FOLDER;
  const isProcess = env.BERTH_DRIVER === "process";
  const { checks, runtime } = await checkHost(folder, env.PATH, asked);
  for (const { name, found, remedy } of checks)
    say(`${remedy === undefined ? "ok     " : "MISSING"} ${name}: ${found}`);
  const lacking = checks.filter(({ remedy }) => remedy !== undefined);
  for (const { name, remedy } of lacking) say(`${name}: ${remedy}`);
  if (lacking.length > 0 && !isProcess) {
    say(
      "Nothing was changed, and the token is still good. Set BERTH_DRIVER=process to join without isolation.",
    );
    return false;
  }
  const driver = isProcess || missingPrerequisite(asked) !== null ? "process" : "oci";
  const { name, file } = await join({ url, token, folder, driver, ...{ runtime, runtimeSetting: asked } });
  say(`This machine has joined as ${name}. The settings of its agent are in ${file}.`);
  say(`Start it: systemctl enable --now berth-agent (deploy/systemd), or: env $(cat ${file}) bun run agent`);
  return true;
}
