import { accessSync, constants, statSync } from "node:fs";
import { domain, type Environment, oneOf } from "./environment.ts";

/** The ACME authority of the operator's choice, and which names get certificates from it. */
export interface AcmeSettings {
  readonly directoryUrl: string;
  readonly email: string | undefined;
  /** PEM of the root of an authority of the operator's own. */
  readonly rootFile: string | undefined;
  /** Names of the API. */
  readonly names: readonly string[];
  /** A program that makes TXT records; undefined: hosts get no certificates for all of their names. */
  readonly dnsHook: string | undefined;
}

/** What says nothing without an authority. */
const NEED_URL = ["BERTH_ACME_NAMES", "BERTH_ACME_DNS_HOOK"];
const EMAIL = /^[^\s@,<>"]+@[^\s@,<>"]+$/;

/** Undefined where the operator has chosen no authority. @throws Error with one line that names the variable */
export function readAcme(env: Environment): AcmeSettings | undefined {
  const directoryUrl = env.BERTH_ACME_URL ?? "";
  if (directoryUrl === "") {
    const needs = NEED_URL.find((name) => env[name]);
    if (needs !== undefined)
      throw new Error(`${needs} needs BERTH_ACME_URL, the authority that certificates are ordered from`);
    return undefined;
  }
  if (!URL.canParse(directoryUrl) || new URL(directoryUrl).protocol !== "https:")
    throw new Error(
      `BERTH_ACME_URL is "${directoryUrl}": it may be the https address of an ACME directory, such as https://acme-v02.api.letsencrypt.org/directory`,
    );
  const agreed = oneOf(env, "BERTH_ACME_TERMS_AGREED", "no", ["yes", "no"] as const);
  if (agreed === "no")
    throw new Error(
      "BERTH_ACME_TERMS_AGREED is not set: `yes` says that you agree to the terms of the authority",
    );
  const email = env.BERTH_ACME_EMAIL || undefined;
  if (email !== undefined && !EMAIL.test(email))
    throw new Error(`BERTH_ACME_EMAIL is "${email}": it may be an address such as ops@example.com`);
  const names = (env.BERTH_ACME_NAMES ?? "").split(",").filter((one) => one !== "");
  for (const name of names) domain({ BERTH_ACME_NAMES: name }, "BERTH_ACME_NAMES", name);
  const rootFile = env.BERTH_ACME_ROOT || undefined;
  const dnsHook = env.BERTH_ACME_DNS_HOOK || undefined;
  if (rootFile !== undefined) requireFile("BERTH_ACME_ROOT", rootFile, constants.R_OK, "read");
  if (dnsHook !== undefined) requireFile("BERTH_ACME_DNS_HOOK", dnsHook, constants.X_OK, "run");
  return { directoryUrl, email, rootFile, names, dnsHook };
}

/** @throws Error with one line that names the setting, for what is no file or may not be used so */
function requireFile(setting: string, path: string, mode: number, use: string): void {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined) throw new Error(`${setting}: ${path} is not there`);
  if (!found.isFile()) throw new Error(`${setting}: ${path} is no file`);
  try {
    accessSync(path, mode);
  } catch (cause) {
    throw new Error(`${setting}: this process may not ${use} ${path}`, { cause });
  }
}
