import type { CertificatePurpose } from "../../../schemas/hosting/certificate.ts";
import type { Sql } from "../../platform/db/sql.ts";

export interface DueCertificate {
  readonly id: string;
  readonly name: string;
  readonly not_after: Date | null;
}

/** Certificates whose order or renewal is due, the longest waiting first. @param limit how many at most */
export const listDue = (db: Sql, now: Date, limit: number): Promise<DueCertificate[]> => db<DueCertificate[]>`
  SELECT id, name, not_after FROM certificates WHERE due_at <= ${now} ORDER BY due_at LIMIT ${limit}`;

/** Which of these are kept. */
export async function listKept(db: Sql, ids: readonly string[]): Promise<Set<string>> {
  const rows = await db<{ id: string }[]>`SELECT id FROM certificates WHERE id = ANY (${[...ids]}::text[])`;
  return new Set(rows.map(({ id }) => id));
}

/** The hosts that were seen, by name. */
export async function listHostsInUse(db: Sql): Promise<string[]> {
  const rows = await db<{ name: string }[]>`
    SELECT name FROM host_machines WHERE removed_at IS NULL AND last_seen_at IS NOT NULL`;
  return rows.map(({ name }) => name);
}

export interface KeptCertificate {
  readonly name: string;
  readonly chain: string | null;
  readonly sealed_key: string | null;
  readonly error: string | null;
}

/** The certificates that are kept for these names. */
export const readCertificates = (db: Sql, names: readonly string[]): Promise<KeptCertificate[]> =>
  db<KeptCertificate[]>`
    SELECT name, chain, sealed_key, error FROM certificates WHERE name = ANY (${[...names]}::text[])`;

/** The certificates of the API's names that are issued. */
export const listGatewayCertificates = (db: Sql): Promise<KeptCertificate[]> =>
  db<KeptCertificate[]>`
    SELECT name, chain, sealed_key, error FROM certificates
    WHERE purpose = 'gateway' AND chain IS NOT NULL ORDER BY created_at, id`;

/** The key authorization of a challenge; undefined if no order waits for it. */
export async function readKeyAuthorization(db: Sql, token: string): Promise<string | undefined> {
  const [row] = await db<{ key_authorization: string }[]>`
    SELECT challenge ->> 'key_authorization' AS key_authorization FROM certificates
    WHERE challenge ->> 'token' = ${token}`;
  return row?.key_authorization;
}

/** How many single names were added within the last hour: of a user, and of all. */
export async function countNewNames(db: Sql, userId: string | null): Promise<{ own: number; all: number }> {
  const [row] = await db<{ own: number; all: number }[]>`
    SELECT count(*)::int AS all, count(*) FILTER (WHERE user_id = ${userId})::int AS own FROM certificates
    WHERE purpose = 'name' AND created_at > now() - interval '1 hour'`;
  return row ?? { own: 0, all: 0 };
}

export interface CertificateHealth {
  readonly name: string;
  readonly purpose: CertificatePurpose;
  readonly not_after: Date | null;
  readonly failures: number;
  readonly error: string | null;
}

/** Certificates whose last order failed, the soonest to end first. */
export const listFailing = (db: Sql, limit: number): Promise<CertificateHealth[]> => db<CertificateHealth[]>`
  SELECT name, purpose, not_after, failures, error FROM certificates WHERE failures > 0
  ORDER BY not_after NULLS FIRST, name LIMIT ${limit}`;

/** For metrics: how many certificates are in each state, and when the first one ends. */
export async function countCertificates(
  db: Sql,
): Promise<{ issued: number; pending: number; failing: number; firstEnd: Date | null }> {
  const [row] = await db<{ issued: number; pending: number; failing: number; first_end: Date | null }[]>`
    SELECT count(*) FILTER (WHERE failures = 0 AND chain IS NOT NULL)::int AS issued,
      count(*) FILTER (WHERE failures = 0 AND chain IS NULL)::int AS pending,
      count(*) FILTER (WHERE failures > 0)::int AS failing, min(not_after) AS first_end FROM certificates`;
  return {
    issued: row?.issued ?? 0,
    pending: row?.pending ?? 0,
    failing: row?.failing ?? 0,
    firstEnd: row?.first_end ?? null,
  };
}
