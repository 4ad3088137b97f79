import { readFileSync } from "node:fs";
import { checkDirectory } from "../../actors/hosting/certificate/acme.ts";
import { listFailing } from "../../actors/hosting/certificate/queries.ts";
import type { Sql } from "../../actors/platform/db/sql.ts";
import { type Finding, fault, ok, warning } from "./finding.ts";

const SHOWN_MAX = 5;
const DAY_MS = 24 * 60 * 60 * 1_000;
/** Renewals begin at two thirds of the life of a certificate: then there is little time left. */
const SOON_MS = 14 * DAY_MS;

const AUTHORITY = "the authority of certificates";

/** Whether the ACME authority of the settings answers. */
export async function checkAuthority(env: Readonly<Record<string, string | undefined>>): Promise<Finding[]> {
  const { BERTH_ACME_URL: url, BERTH_ACME_ROOT: rootFile } = env;
  if (!url) return [];
  try {
    await checkDirectory(url, rootFile ? readFileSync(rootFile, "utf8") : undefined);
    return [ok(AUTHORITY, `${url} answers`)];
  } catch (error) {
    return [
      fault(
        AUTHORITY,
        (error as Error).message,
        "correct BERTH_ACME_URL, or BERTH_ACME_ROOT for an authority of your own; see that this machine reaches it",
      ),
    ];
  }
}

/** Certificates that were not issued or renewed when they should have been, each with the authority's reason. */
export async function checkIssuing(db: Sql, now = new Date()): Promise<Finding[]> {
  const failing = await listFailing(db, SHOWN_MAX);
  if (failing.length === 0) return [ok("certificates from the authority", "none failed")];
  return failing.map(({ name, purpose, not_after, failures, error }) => {
    const endsSoon = not_after !== null && not_after.getTime() - now.getTime() < SOON_MS;
    const end = not_after === null ? "there is none yet" : `the one in use ends ${not_after.toISOString()}`;
    const found = `${name}: ${failures} orders failed, ${end}; ${error ?? "no reason is known"}`;
    // What a customer gives to a name is the customer's to mend.
    const judge = purpose !== "name" && (not_after === null || endsSoon) ? fault : warning;
    return judge(
      "certificates from the authority",
      found,
      "see that the name leads here on port 80, or that the DNS hook works; the order is tried again by itself",
    );
  });
}
