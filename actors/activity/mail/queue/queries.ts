import { MAILS_PER_HOUR_MAX, type MailKind } from "../../../../schemas/activity/mail.ts";
import type { Sql } from "../../../platform/db/sql.ts";
import type { NoticeText } from "../../../platform/request-mail.ts";

/** The queue of mail and its log (`0054_mail.sql`). */

/** Enqueues a link for the account with an address, in any case of letters; where there is none, nothing. */
export async function enqueueRecovery(
  db: Sql,
  { id, email }: { readonly id: string; readonly email: string },
): Promise<void> {
  await db`
    INSERT INTO mails (id, user_id, address, kind, content)
    SELECT ${id}, a.id, a.email, 'recovery', '{}' FROM accounts a
    WHERE lower(a.email) = lower(${email}) AND a.suspension IS NULL AND a.deletion IS NULL
    ON CONFLICT DO NOTHING`;
}

const isBelow = (db: Sql, kind: keyof typeof MAILS_PER_HOUR_MAX, userId: string) => db`
  (SELECT count(*) FROM mails WHERE user_id = ${userId} AND kind = ${kind} AND created_at > now() - interval '1 hour')
    < ${MAILS_PER_HOUR_MAX[kind]}`;

/** Enqueues a link that verifies the present address of an account, unless it is verified. */
export async function enqueueVerification(db: Sql, id: string, userId: string): Promise<void> {
  await db`
    INSERT INTO mails (id, user_id, address, kind, content)
    SELECT ${id}, a.id, a.email, 'verification', '{}' FROM accounts a
    WHERE a.id = ${userId} AND a.email_verified_at IS NULL AND a.suspension IS NULL AND a.deletion IS NULL
      AND ${isBelow(db, "verification", userId)}
    ON CONFLICT DO NOTHING`;
}

export interface NewNotice extends NoticeText {
  readonly id: string;
  readonly user_id: string;
  readonly address?: string;
}

/** Enqueues a notice to a verified address, where its user wants those of the topic and had not too many already. */
export async function enqueueNotice(
  db: Sql,
  { id, user_id, address, topic, title, body }: NewNotice,
): Promise<void> {
  await db`
    INSERT INTO mails (id, user_id, address, kind, content)
    SELECT ${id}, a.id, ${address === undefined ? db`a.email` : db`${address}`}, 'notice', ${db.json({ topic, title, body })}
    FROM accounts a
    WHERE a.id = ${user_id} AND a.suspension IS NULL AND a.deletion IS NULL AND (a.mail_notices ->> ${topic})::boolean
      ${address === undefined ? db`AND a.email_verified_at IS NOT NULL` : db``} AND ${isBelow(db, "notice", user_id)}
    ON CONFLICT DO NOTHING`;
}

/** A mail that this host sends, until the claim runs out. */
export interface ClaimedMail {
  readonly id: string;
  readonly userId: string;
  readonly username: string;
  readonly address: string;
  /** Whether it is the account's address now. */
  readonly isToPresentAddress: boolean;
  readonly kind: MailKind;
  /** Of a notice. */
  readonly content: NoticeText;
  /** With this one. */
  readonly attempts: number;
  readonly firstAttemptAt: Date;
}

/** Claims at most `limit` mails whose time has come. No other host gets them for `claimMs`: whoever has died by then has not sent them. */
export async function claimMails(db: Sql, limit: number, claimMs: number): Promise<ClaimedMail[]> {
  return db<ClaimedMail[]>`
    WITH due AS (
      SELECT id FROM mails WHERE status = 'pending' AND next_attempt_at <= clock_timestamp()
      ORDER BY next_attempt_at LIMIT ${limit} FOR UPDATE SKIP LOCKED
    )
    UPDATE mails m SET attempts = m.attempts + 1, last_attempt_at = clock_timestamp(),
      first_attempt_at = coalesce(m.first_attempt_at, clock_timestamp()),
      next_attempt_at = clock_timestamp() + ${claimMs} * interval '1 millisecond'
    FROM due, accounts a WHERE m.id = due.id AND a.id = m.user_id
    RETURNING m.id, m.user_id AS "userId", a.username, m.address, m.kind, m.content, m.attempts,
      lower(m.address) = lower(a.email) AS "isToPresentAddress",
      m.first_attempt_at AS "firstAttemptAt"`;
}

/** Writes the outcome of an attempt, unless the claim ran out meanwhile. @param retryMs null: there is no further attempt */
export async function finishMail(
  db: Sql,
  { id, attempts }: Pick<ClaimedMail, "id" | "attempts">,
  { isSent, error, retryMs }: { isSent: boolean; error: string | null; retryMs: number | null },
): Promise<void> {
  await db`
    UPDATE mails SET error = ${error},
      status = CASE WHEN ${isSent} THEN 'sent' WHEN ${retryMs}::bigint IS NULL THEN 'failed' ELSE 'pending' END,
      next_attempt_at = clock_timestamp() + coalesce(${retryMs}::bigint, 0) * interval '1 millisecond',
      finished_at = CASE WHEN ${isSent} OR ${retryMs}::bigint IS NULL THEN clock_timestamp() END
    WHERE id = ${id} AND status = 'pending' AND attempts = ${attempts}`;
}

/** Milliseconds until the time of the next mail, at least 0; undefined: none waits. */
export async function readNextMs(db: Sql): Promise<number | undefined> {
  const [row] = await db<{ ms: number | null }[]>`
    SELECT (extract(epoch FROM min(next_attempt_at) - clock_timestamp()) * 1000)::float8 AS ms
    FROM mails WHERE status = 'pending'`;
  return row?.ms == null ? undefined : Math.max(0, row.ms);
}

export async function countPendingMails(db: Sql): Promise<number> {
  const [row] = await db<{ pending: number }[]>`
    SELECT count(*)::int AS pending FROM mails WHERE status = 'pending'`;
  return row?.pending ?? 0;
}

/** Deletes at most `limit` mails that ended before a time. @returns how many */
export async function deleteOldMails(db: Sql, before: Date, limit: number): Promise<number> {
  const { count } = await db`
    DELETE FROM mails WHERE id IN (SELECT id FROM mails WHERE finished_at < ${before} LIMIT ${limit})`;
  return count;
}
