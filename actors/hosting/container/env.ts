import { type EnvVariable, placeOfSecret } from "../../../schemas/hosting/container-settings.ts";
import type { SecretBox } from "../../../system/secret-box.ts";
import type { StoredVariable } from "./settings.ts";

/** The environment of a container: the secrets in it are encrypted wherever they are stored. */

/** Decrypts the value of a secret; null when the key for it is not there. */
export type OpenSecret = (containerId: string, name: string, sealed: string) => string | null;

/** @param box null: there is no key */
export const secretOpener =
  (box: SecretBox | null): OpenSecret =>
  (containerId, name, sealed) =>
    box?.open(sealed, placeOfSecret(containerId, name)) ?? null;

/** The environment for the container's host, with the names of the secrets that cannot be decrypted. */
export function openEnv(
  containerId: string,
  stored: readonly StoredVariable[],
  openSecret: OpenSecret,
): { env?: { name: string; value: string }[]; unreadable_env?: string[] } {
  if (stored.length === 0) return {};
  const opened = stored.map((one) => ({
    name: one.name,
    value: "value" in one ? one.value : openSecret(containerId, one.name, one.sealed),
  }));
  const unreadable = opened.filter(({ value }) => value === null).map(({ name }) => name);
  return {
    env: opened.flatMap(({ name, value }) => (value === null ? [] : [{ name, value }])),
    ...(unreadable.length === 0 ? {} : { unreadable_env: unreadable }),
  };
}

/** A variable as records show it. */
export const toEnvVariable = (stored: StoredVariable): EnvVariable =>
  "value" in stored ? { name: stored.name, value: stored.value } : { name: stored.name, secret: true };
