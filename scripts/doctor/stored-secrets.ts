import { readSealedValues, type SealedValue } from "../../actors/platform/db/secrets/queries.ts";
import type { Sql } from "../../actors/platform/db/sql.ts";
import { placeOfTotp } from "../../gateway/auth/totp.ts";
import { placeOfPassword } from "../../schemas/accounts/registry-credential.ts";
import { placeOfAccountKey, placeOfKey } from "../../schemas/hosting/certificate.ts";
import { placeOfSecret } from "../../schemas/hosting/container-settings.ts";
import type { SecretBox } from "../../system/secret-box.ts";
import { type Finding, fault, named, ok } from "./finding.ts";

/** A second of work. Where there are more, those that are looked at tell whether a key is missing. */
const VALUES_MAX = 20_000;

const PLACES: Readonly<Record<SealedValue["kind"], (one: SealedValue) => string>> = {
  variable: ({ of, name }) => placeOfSecret(of, name),
  registry: ({ of, name }) => placeOfPassword(of, name),
  totp: ({ of }) => placeOfTotp(of),
  certificate: ({ of }) => placeOfKey(of),
  acme: ({ of }) => placeOfAccountKey(of),
};

const NAMES: Readonly<Record<SealedValue["kind"], (one: SealedValue) => string>> = {
  variable: ({ name, owner }) => `${name} of the container ${owner}`,
  registry: ({ name, owner }) => `the password for ${name} of the project ${owner}`,
  totp: ({ owner }) => `the second factor of ${owner}`,
  certificate: ({ owner }) => `the key of the certificate ${owner}`,
  acme: ({ owner }) => `the key of the account at ${owner}`,
};

/** Whether the file of keys opens what is stored, and what needs an older line of it. */
export async function checkStoredSecrets(db: Sql, box: SecretBox): Promise<Finding> {
  const values = await readSealedValues(db, VALUES_MAX);
  const keys = values.map((one) => box.keyOf(one.sealed, PLACES[one.kind](one)));
  const namesWhere = (fits: (key: number | null) => boolean) =>
    values.filter((_, at) => fits(keys[at] ?? null)).map((one) => NAMES[one.kind](one));
  const lost = namesWhere((key) => key === null);
  if (lost.length > 0)
    return fault(
      "stored secrets",
      `no key of BERTH_SECRETS_KEY_FILE opens ${lost.length} of ${values.length}: ${named(lost)}`,
      "put the former key back as a further line of the file, at every gateway and actor host, restart these, and then the containers that are named",
    );
  const older = namesWhere((key) => key !== null && key > 0);
  if (older.length === 0) return ok("stored secrets", `the first key opens all ${values.length}`);
  return ok("stored secrets", `an older key is still needed for ${older.length}: ${named(older)}`);
}
