import { generateKeyPairSync, randomBytes } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { SetupError } from "./setup-error.ts";

/** Generated passwords of one data folder, in its `secrets.json`, mode 600. */
const NAMES = [
  "postgres",
  "postgres_owner",
  "postgres_actors",
  "postgres_gateway",
  "admin",
  "demo",
  "sandbox_webhooks",
  "sandbox_codehost",
] as const;
export type Secrets = Record<(typeof NAMES)[number], string>;

export const secretsFile = (data: string) => join(data, "secrets.json");

/** There until a start has printed the passwords: the start that made them may have failed before. */
const unprintedFile = (data: string) => join(data, "passwords-not-printed");
export const arePasswordsUnprinted = (data: string): boolean => existsSync(unprintedFile(data));
export const markPasswordsPrinted = (data: string): void => rmSync(unprintedFile(data), { force: true });

/**
 * The secrets of a data folder; missing ones are generated and stored.
 *
 * @throws SetupError when the file is damaged: new secrets would lock the owner out of the database
 */
export function loadSecrets(data: string): Secrets {
  const file = secretsFile(data);
  const isNew = !existsSync(file);
  if (isNew) writePrivately(unprintedFile(data), "");
  const known: Record<string, unknown> = isNew ? {} : parse(file);
  const entries = NAMES.map((name) => {
    const kept = known[name];
    return [name, typeof kept === "string" ? kept : randomBytes(15).toString("base64url")] as const;
  });
  const secrets = Object.fromEntries(entries) as Secrets;
  if (NAMES.some((name) => known[name] !== secrets[name])) {
    writePrivately(file, `${JSON.stringify({ ...known, ...secrets }, null, 2)}\n`);
  }
  return secrets;
}

/** The Ed25519 key (PKCS#8 PEM) that signs access tokens: created once, mode 600. Returns its path. */
export const signingKeyFile = (data: string): string => signingKeyIn(join(data, "keys"));

export function signingKeyIn(folder: string): string {
  const file = join(folder, "access-token.pem");
  if (!existsSync(file)) {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    const { privateKey } = generateKeyPairSync("ed25519");
    writePrivately(file, privateKey.export({ type: "pkcs8", format: "pem" }).toString());
  }
  return file;
}

/** The key (32 bytes in base64) that encrypts secrets of containers: created once, mode 600. Returns its path. */
export const secretsKeyFile = (data: string): string => secretsKeyIn(join(data, "keys"));

export function secretsKeyIn(folder: string): string {
  const file = join(folder, "secrets.key");
  if (!existsSync(file)) {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    writePrivately(file, `${randomBytes(32).toString("base64")}\n`);
  }
  return file;
}

function parse(file: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(readFileSync(file, "utf8"));
    if (typeof value === "object" && value !== null) return value as Record<string, unknown>;
  } catch {
    // Reported below, without the content.
  }
  throw new SetupError(`${file} is not readable as JSON: restore it, or set BERTH_DATA to a new folder`);
}

/** Writes atomically: a truncated file would lose the database's password. */
function writePrivately(file: string, text: string): void {
  writeFileSync(`${file}.new`, text, { mode: 0o600, flush: true });
  renameSync(`${file}.new`, file);
}
