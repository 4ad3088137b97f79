import { existsSync } from "node:fs";
import { joinedSettingsFile } from "../../agents/join/credential-file.ts";
import { natsObstacle } from "../../agents/join/nats-obstacle.ts";
import { readSettingsFile } from "../../system/configuration.ts";
import { serversOf } from "../../system/nats-url.ts";
import { agentFolder } from "../backup/kept-files.ts";
import type { Settings } from "../settings.ts";
import { type Finding, fault, ok } from "./finding.ts";

/** Whether a host gets into NATS with its own credential, by the settings that it got when it joined unless it is given others. */
export async function checkHostNats({
  natsUrl,
  data,
}: Pick<Settings, "natsUrl" | "data">): Promise<Finding[]> {
  const joined = joinedSettingsFile(agentFolder(data));
  const url =
    natsUrl ?? (existsSync(joined) ? readSettingsFile({ BERTH_CONFIG: joined }).NATS_URL : undefined);
  if (url === undefined) return [];
  const obstacle = await natsObstacle(url);
  if (obstacle !== undefined) return [fault("NATS", obstacle.found, obstacle.remedy)];
  return [ok("NATS", `${serversOf(url).servers.join(", ")} takes the credential of this host`)];
}
