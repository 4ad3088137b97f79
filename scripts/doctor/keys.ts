import { existsSync, statSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { parseCreds } from "@nats-io/jwt";
import { readSecrets } from "../../actors/platform/settings.ts";
import { readSigningKey } from "../../gateway/auth/signing-key.ts";
import { readNatsKeys } from "../../gateway/hosts/nats-keys.ts";
import { serversOf } from "../../system/nats-url.ts";
import { secretsFile } from "../secrets.ts";
import { type Finding, fault, ok, warning } from "./finding.ts";
import { checkReaders } from "./readers.ts";

type Env = Readonly<Record<string, string | undefined>>;

/** A group may read them, as `deploy/install.sh` lets that of Berth; nobody else may, and the group writes nothing. */
const OPEN_BITS = 0o027;

const SIGNING_KEY = "BERTH_SIGNING_KEY_FILE";

/** What a process does with each file at its start. */
const READERS: Readonly<Record<string, (file: string) => unknown>> = {
  [SIGNING_KEY]: readSigningKey,
  BERTH_SECRETS_KEY_FILE: readSecrets,
  BERTH_NATS_KEYS_FILE: readNatsKeys,
  NATS_URL: async (file) => parseCreds(await readFile(file)),
  BERTH_TLS_KEY: (file) => readFile(file),
  BERTH_EDGE_KEY: (file) => readFile(file),
};

/** The files with keys and passwords that settings name: whether they can be used, and by whom they can be read. */
export async function checkKeys(env: Env): Promise<Finding[]> {
  const named = filesOf(env);
  const findings = await Promise.all(named.map(([setting, file]) => checkKey(setting, file)));
  const files = [...named.map(([, file]) => file), ...(env.BERTH_CONFIG ? [env.BERTH_CONFIG] : [])];
  return [
    ...findings,
    ...checkModes(files),
    ...checkReaders(
      named.map(([, file]) => file),
      env.BERTH_CONFIG,
    ),
  ];
}

/** A gateway does not start without the key that signs its tokens. @param isOwn the keys are those of `npm start` */
export function checkSigningKey(env: Env, data: string, isOwn: boolean): Finding[] {
  if (isOwn) {
    const file = join(data, "keys", "access-token.pem");
    const remedy =
      "put it back from a backup: the next start makes another one, and everybody signs in again";
    return existsSync(file) ? [] : [fault("signing key", `${file} is not there`, remedy)];
  }
  const isGateway = env.BERTH_GATEWAY_DATABASE_URL !== undefined || env.DATABASE_URL !== undefined;
  if (!isGateway || env[SIGNING_KEY] || existsSync(secretsFile(data))) return [];
  const remedy = `make one by \`berth keys make\` and name it in ${SIGNING_KEY}; actor hosts need none`;
  return [warning("signing key", "the settings name none: no gateway starts with them", remedy)];
}

function filesOf(env: Env): [string, string][] {
  const creds = env.NATS_URL && serversOf(env.NATS_URL).creds;
  return Object.keys(READERS).flatMap((setting): [string, string][] => {
    const file = setting === "NATS_URL" ? creds : env[setting];
    return file ? [[setting, file]] : [];
  });
}

async function checkKey(setting: string, file: string): Promise<Finding> {
  try {
    await READERS[setting]?.(file);
    return ok("key file", `${setting}: ${file}`);
  } catch (error) {
    const found = `${setting}: ${file} cannot be used: ${(error as Error).message}`;
    const remedy =
      "copy it, with its mode, from a machine that has it or from a backup; a new one (`berth keys make`) fits no other machine";
    return fault("key file", found, remedy);
  }
}

function checkModes(files: readonly string[]): Finding[] {
  const there = files.filter((file) => existsSync(file));
  if (there.length === 0) return [];
  const open = there.filter((file) => (statSync(file).mode & OPEN_BITS) !== 0);
  if (open.length === 0) return [ok("modes of key files", "others do not read them")];
  const remedy = `chmod 640 ${open.join(" ")}, of root and the group of Berth, or 600 of its user`;
  return [fault("modes of key files", `others may read or change ${open.join(", ")}`, remedy)];
}
