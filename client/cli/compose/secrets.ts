import { createHash, createHmac, randomBytes } from "node:crypto";
import { join } from "node:path";
import type { Container } from "../../index.ts";
import type { Io } from "../io.ts";
import { configFolder, readJson, writePrivate } from "../session/config.ts";
import type { WantedProject } from "./project.ts";
import type { WantedContainer } from "./service.ts";

/**
 * Secrets cannot be read, so a label of the container has a keyed hash of their values. Without the key, which stays on this machine, the
 * hash tells nothing about them.
 */
export const SECRETS_LABEL = "berth.secrets";

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

function marked<Wanted extends WantedContainer>(one: Wanted, key: string): Wanted {
  const secrets = one.env.flatMap(({ name, value, secret }) => (secret ? [[name, value] as const] : []));
  if (secrets.length === 0) return one;
  const sorted = secrets.toSorted(([first], [second]) => (first < second ? -1 : 1));
  const hash = createHmac("sha256", key).update(JSON.stringify(sorted)).digest("hex").slice(0, HASH_CHARS);
  const labels = { ...one.settings.labels, [SECRETS_LABEL]: `${nameOf(key)}.${hash}` };
  return { ...one, settings: { ...one.settings, labels } };
}

const nameOf = (key: string) => createHash("sha256").update(key).digest("hex").slice(0, KEY_NAME_CHARS);

/** "unknown": they were set from another machine, by hand, or never. */
export function compareSecrets(present: Container, wanted: WantedContainer): "same" | "changed" | "unknown" {
  const [now = "", next] = [present.labels[SECRETS_LABEL], wanted.settings.labels[SECRETS_LABEL]];
  if (next === undefined || next === now) return "same";
  return now.split(".")[0] === next.split(".")[0] ? "changed" : "unknown";
}
