import { existsSync } from "node:fs";
import { join } from "node:path";
import { makeNatsKeys } from "./nats-operator.ts";
import { secretsKeyIn, signingKeyIn } from "./secrets.ts";

/** `berth keys make FOLDER`: makes the keys of a control plane that are missing. Those that are there stay as they are. */
export async function makeKeys(
  say: (line: string) => void,
  [folder = ""]: readonly string[],
): Promise<boolean> {
  say(`${signingKeyIn(folder)}: for gateways, BERTH_SIGNING_KEY_FILE`);
  say(`${secretsKeyIn(folder)}: for gateways and actor hosts, BERTH_SECRETS_KEY_FILE`);
  if (["nats-keys.json", "control.creds", "operator.conf"].every((name) => existsSync(join(folder, name)))) {
    say(`${folder}: the keys of NATS are there`);
    return true;
  }
  await makeNatsKeys(say, folder);
  return true;
}
