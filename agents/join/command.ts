import { ENROLMENT_TOKEN } from "../../schemas/hosting/host.ts";
import { SettingError } from "../../system/setting-error.ts";
import { missingPrerequisite } from "../containers/prerequisites.ts";
import { readRuntime } from "../settings.ts";
import { checkHost } from "./checks.ts";
import { folderOfStart, hostOfFolder } from "./host-of-folder.ts";
import { JoinError, type Joined, type JoinOptions, join, OtherHostError } from "./join.ts";
import { natsObstacle } from "./nats-obstacle.ts";

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
  const start = await folderOfStart(folder);
  if (start !== undefined) {
    say(
      `${folder} belongs to the Berth that \`npm start\` runs from ${start.data}, whose machine is the host ${start.host} already. ` +
        "Nothing was changed, and the token is still good. Set BERTH_DATA to another folder to make this machine a host of another installation.",
    );
    return false;
  }
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
  const former = await hostOfFolder(folder);
  const options = { url, token, folder, driver, runtime, runtimeSetting: asked } as const;
  const { name, file, settings } = await joinAs(former, options);
  if (former !== undefined) {
    say(`This machine has joined as ${name} again, with a new credential: the former one has ended.`);
    say("An agent that runs takes the new credential by itself within seconds.");
  } else say(`This machine has joined as ${name}. The settings of its agent are in ${file}.`);
  say(
    `Start ${former === undefined ? "it" : "one that does not run"}: systemctl enable --now berth-agent (deploy/systemd), or: env $(cat ${file}) npm run agent`,
  );
  const obstacle = await natsObstacle(settings.NATS_URL ?? "");
  if (obstacle !== undefined)
    say(`NATS at ${obstacle.found}: ${obstacle.remedy}. The agent waits for it, and says so.`);
  return true;
}

/** @throws JoinError that names the host of the folder, where the token is for another one */
async function joinAs(former: string | undefined, options: JoinOptions): Promise<Joined> {
  try {
    return await join({ ...options, expectedName: former });
  } catch (error) {
    if (!(error instanceof OtherHostError)) throw error;
    const { folder } = options;
    throw new JoinError(
      `${folder} belongs to the host ${former}, and the token is for ${error.host}. Nothing was changed, and the token is still good. ` +
        `Set BERTH_DATA to another folder. If this machine is ${former} no more, stop its agent and move ${folder} away first. ` +
        `To join as ${former} again, use a token of ${former}: berth admin hosts token ${former}`,
      { cause: error },
    );
  }
}
