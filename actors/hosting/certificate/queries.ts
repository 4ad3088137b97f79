import type {
  CERTIFICATES_SORT,
  CertificatePurpose,
  CertificateRecord,
  CertificatesQuery,
} from "../../../schemas/hosting/certificate.ts";
import type { CountedSlice, PageOf } from "../../../schemas/paging.ts";
import {
  isNamed,
  keyset,
  type Positioned,
  readTotal,
  sliceOf,
  whenGiven,
} from "../../platform/db/keyset/queries.ts";
import type { Sql } from "../../platform/db/sql.ts";

export interface DueCertificate {
  readonly id: string;
  readonly name: string;
  readonly not_after: Date | null;
}

/** At most `limit` certificates that are to be ordered or renewed now. Those that have waited longest come first. */
export const listDue = (db: Sql, now: Date, limit: number): Promise<DueCertificate[]> => db<DueCertificate[]>`
  SELECT id, name, not_after ${due(db, now)} ORDER BY due_at LIMIT ${limit}`;

const due = (db: Sql, now: Date) => db`FROM certificates WHERE due_at <= ${now}`;

/** Whether any of `listDue` is there. */
export const hasDue = (db: Sql, now: Date) => db`EXISTS (SELECT ${due(db, now)})`;

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

interface CertificateRow
  extends Pick<CertificateRecord, "id" | "name" | "purpose" | "state" | "user_id" | "failures" | "error"> {
  readonly not_before: Date | null;
  readonly not_after: Date | null;
  readonly due_at: Date;
  readonly created_at: Date;
}

/** As the gauges count them (`countCertificates`). */
const STATE = (db: Sql) => db`
  CASE WHEN c.failures > 0 THEN 'failing' WHEN c.chain IS NULL THEN 'pending' ELSE 'issued' END`;
const READ = (db: Sql) => db`
  c.id, c.name, c.purpose, ${STATE(db)} AS state, c.user_id, c.not_before, c.not_after, c.failures, c.error, c.due_at, c.created_at`;

/** A page of all certificates, the soonest to end first; names without one come before these. */
export async function listCertificates(
  db: Sql,
  { state, purpose }: Pick<CertificatesQuery, "state" | "purpose">,
  endsBefore: Date | undefined,
  page: PageOf<typeof CERTIFICATES_SORT>,
): Promise<CountedSlice<CertificateRecord>> {
  const when = whenGiven(db);
  // A cursor can name no null.
  const end = db`COALESCE(c.not_after, 'epoch'::timestamptz)`;
  const from = db`
    FROM certificates c WHERE true
      ${when(state, (one) => db`AND ${STATE(db)} = ${one}`)}
      ${when(purpose, (one) => db`AND c.purpose = ${one}`)}
      ${when(endsBefore, (time) => db`AND ${end} < ${time}`)}
      ${isNamed(db, page, db`c.name`)}`;
  const { position, isAfter, order } = keyset(
    db,
    page,
    { not_after: end, created_at: db`c.created_at`, name: db`c.name`, failures: db`c.failures` },
    db`c.id`,
  );
  const [rows, total] = await Promise.all([
    db<
      Positioned<CertificateRow>[]
    >`SELECT ${READ(db)}, ${position} ${from} AND ${isAfter} ORDER BY ${order}`,
    readTotal(db, from),
  ]);
  return { ...sliceOf(rows, page, toRecord), total };
}

/** A certificate as administrators see it; undefined if none is kept under the id. */
export async function readCertificate(db: Sql, id: string): Promise<CertificateRecord | undefined> {
  const [row] = await db<CertificateRow[]>`SELECT ${READ(db)} FROM certificates c WHERE c.id = ${id}`;
  return row === undefined ? undefined : toRecord(row);
}

const toRecord = (row: CertificateRow): CertificateRecord => ({
  id: row.id,
  name: row.name,
  purpose: row.purpose,
  state: row.state,
  user_id: row.user_id,
  not_before: row.not_before?.toISOString() ?? null,
  not_after: row.not_after?.toISOString() ?? null,
  failures: row.failures,
  error: row.error,
  next_try_at: row.due_at.toISOString(),
  created_at: row.created_at.toISOString(),
});
