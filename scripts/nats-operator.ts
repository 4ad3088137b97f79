import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { createUser, fmtCreds } from "@nats-io/jwt";
import { controlCredential } from "../gateway/hosts/nats-claims.ts";
import {
  generateNatsKeys,
  type NatsKeys,
  type NatsKeysFile,
  toNatsKeys,
} from "../gateway/hosts/nats-keys.ts";
import { natsOperator } from "./servers/nats-config.ts";

/** NATS in operator mode: the keys that sign its accounts and users, and what its server and the control plane get of them. */
export interface NatsOperator {
  readonly keys: NatsKeys;
  /** For `BERTH_NATS_KEYS_FILE` of gateways. */
  readonly keysFile: string;
  /** The credential of gateways and actor hosts. */
  readonly controlCreds: string;
}

/** The keys of a folder; made once, mode 600. The credential of the control plane is written again. */
export async function natsOperatorOf(folder: string): Promise<NatsOperator> {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const keysFile = join(folder, "nats-keys.json");
  if (!existsSync(keysFile)) writePrivately(keysFile, JSON.stringify(generateNatsKeys(), null, 2));
  const keys = toNatsKeys(JSON.parse(readFileSync(keysFile, "utf8")) as NatsKeysFile);
  const controlCreds = join(folder, "control.creds");
  const user = createUser();
  writePrivately(controlCreds, fmtCreds(await controlCredential(keys, user), user));
  return { keys, keysFile, controlCreds };
}

/** The address of a NATS server with the credential of a file. */
export function urlWithCreds(host: string, creds: string): string {
  const url = new URL(`nats://${host}`);
  url.searchParams.set("creds", creds);
  return url.href;
}

/** Makes what NATS servers of an operator's own need, and says what each file is for. */
export async function makeNatsKeys(say: (line: string) => void, folder: string): Promise<void> {
  const { keys, keysFile, controlCreds } = await natsOperatorOf(folder);
  const config = join(folder, "operator.conf");
  writeFileSync(config, await natsOperator(keys, "/var/lib/nats/accounts"));
  say(`${config}: for each nats-server, by \`include\` in its configuration, in place of \`accounts\``);
  say(`${controlCreds}: for gateways and actor hosts, NATS_URL=nats://host:4222?creds=<this file>`);
  say(
    `${keysFile}: for gateways, BERTH_NATS_KEYS_FILE. Whoever has it can act as any host: back it up, and keep it secret`,
  );
}

function writePrivately(file: string, content: string | Uint8Array): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  writeFileSync(file, content, { mode: 0o600, flush: true });
}
