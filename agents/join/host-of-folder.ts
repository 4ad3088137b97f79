import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { decode, parseCreds } from "@nats-io/jwt";
import { credentialFile } from "./credential-file.ts";
import { OWN_HOST } from "./own-host.ts";

/** As the control plane names credentials. */
const CREDENTIAL_NAME = /^agent-(.+)$/;

/** The host that has joined with this folder; undefined: none has. @param folder the agent's */
export async function hostOfFolder(folder: string): Promise<string | undefined> {
  const creds = await readFile(credentialFile(folder)).catch(() => undefined);
  if (creds === undefined) return undefined;
  try {
    const { jwt } = await parseCreds(creds);
    return CREDENTIAL_NAME.exec(decode(jwt).name)?.[1];
  } catch {
    // Not whole, or of something else: a new one replaces it.
    return undefined;
  }
}

/**
 * The `npm start` whose data this folder is or is part of, and the host that its machine is; undefined: of none. Its agent's folder
 * is `agent` in its data.
 */
export async function folderOfStart(folder: string): Promise<{ data: string; host: string } | undefined> {
  const whole = resolve(folder);
  const data = [whole, ...(basename(whole) === "agent" ? [dirname(whole)] : [])].find((one) =>
    existsSync(join(one, "secrets.json")),
  );
  if (data === undefined) return undefined;
  return { data, host: (await hostOfFolder(join(data, "agent"))) ?? OWN_HOST };
}
