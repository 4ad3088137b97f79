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

const EMAIL = /^[^\s@,<>"]+@[^\s@,<>"]+$/;

/** Undefined where the operator has chosen no authority. @throws Error with one line that names the variable */
export function readAcme(env: Environment): AcmeSettings | undefined {
  const directoryUrl = env.BERTH_ACME_URL ?? "";
  if (directoryUrl === "") return undefined;
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
  return {
    directoryUrl,
    email,
    rootFile: env.BERTH_ACME_ROOT || undefined,
    names,
    dnsHook: env.BERTH_ACME_DNS_HOOK || undefined,
  };
}
