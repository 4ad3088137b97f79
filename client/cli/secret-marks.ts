import { createHash, createHmac, randomBytes } from "node:crypto";
import { join } from "node:path";
import type { WantedProject } from "../compose/project.ts";
import { SECRETS_LABEL } from "../compose/secrets.ts";
import type { WantedContainer } from "../compose/service.ts";
import type { Io } from "./io.ts";
import { configFolder, readJson, writePrivate } from "./session/config.ts";

const FILE = "secrets-key.json";
const KEY_BYTES = 32;
const KEY_NAME_CHARS = 12;
const HASH_CHARS = 40;

/** Adds the label to every container with secrets. The key is made when it is first needed. */
export async function markSecrets(env: Io["env"], project: WantedProject): Promise<WantedProject> {
  if (!project.containers.some((one) => one.env.some(({ secret }) => secret))) return project;
  const key = await readKey(env);
  return { ...project, containers: project.containers.map((one) => marked(one, key)) };
}

async function readKey(env: Io["env"]): Promise<string> {
  const known = await readJson<{ readonly key: string }>(join(configFolder(env), FILE));
  if (known !== undefined) return known.key;
  const key = randomBytes(KEY_BYTES).toString("hex");
  await writePrivate(env, FILE, { key });
  return key;
}

function marked(one: WantedContainer, key: string): WantedContainer {
  const secrets = one.env.flatMap(({ name, value, secret }) => (secret ? [[name, value] as const] : []));
  if (secrets.length === 0) return one;
  const sorted = secrets.toSorted(([first], [second]) => (first < second ? -1 : 1));
  const hash = createHmac("sha256", key).update(JSON.stringify(sorted)).digest("hex").slice(0, HASH_CHARS);
  const labels = { ...one.settings.labels, [SECRETS_LABEL]: `${nameOf(key)}.${hash}` };
  return { ...one, settings: { ...one.settings, labels } };
}

const nameOf = (key: string) => createHash("sha256").update(key).digest("hex").slice(0, KEY_NAME_CHARS);
