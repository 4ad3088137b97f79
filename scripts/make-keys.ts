import { chownSync, existsSync, statSync } from "node:fs";
import { join } from "node:path";
import { makeNatsKeys } from "./nats-operator.ts";
import { secretsKeyIn, signingKeyIn } from "./secrets.ts";

const NATS_FILES = ["nats-keys.json", "control.creds", "operator.conf"];
const FILES = ["access-token.pem", "secrets.key", ...NATS_FILES];

/** `berth keys make FOLDER`: makes the keys of a control plane that are missing. Those that are there stay as they are. */
export async function makeKeys(
  say: (line: string) => void,
  [folder = ""]: readonly string[],
): Promise<boolean> {
  const kept = FILES.filter((name) => existsSync(join(folder, name)));
  say(`${signingKeyIn(folder)}: for gateways, BERTH_SIGNING_KEY_FILE${keptMark(kept, "access-token.pem")}`);
  say(
    `${secretsKeyIn(folder)}: for gateways and actor hosts, BERTH_SECRETS_KEY_FILE${keptMark(kept, "secrets.key")}`,
  );
  if (NATS_FILES.every((name) => kept.includes(name))) say(`${folder}: the keys of NATS are there, and stay`);
  else await makeNatsKeys(say, folder);
  giveToOwner(
    folder,
    FILES.filter((name) => !kept.includes(name)),
  );
  return true;
}

const keptMark = (kept: readonly string[], name: string): string =>
  kept.includes(name) ? " (it was there, and stays)" : "";

/** `deploy/install.sh` has given the folder to the user of the processes: they could not read what root adds later. */
function giveToOwner(folder: string, names: readonly string[]): void {
  if (process.getuid?.() !== 0) return;
  const { uid, gid } = statSync(folder);
  for (const name of names) chownSync(join(folder, name), uid, gid);
}
