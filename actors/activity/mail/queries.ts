import type { Static } from "@sinclair/typebox";
import type { MailNotices, MailSettings, MailTopic } from "../../../schemas/activity/mail.ts";
import type { Sql } from "../../platform/db/sql.ts";
import { fromCents } from "../../platform/money.ts";

interface Row {
  email: string;
  email_verified: boolean;
  mail_notices: MailNotices;
  low_balance_cents: bigint | null;
}

/** Which notices are mailed to a user, and where to; undefined for no account. */
export async function readMailSettings(
  db: Sql,
  userId: string,
): Promise<Omit<Static<typeof MailSettings>, "sends_mail"> | undefined> {
  const [row] = await db<Row[]>`
    SELECT a.email, a.email_verified_at IS NOT NULL AS email_verified, a.mail_notices, w.low_balance_cents
    FROM accounts a LEFT JOIN wallets w ON w.user_id = a.id WHERE a.id = ${userId} AND a.deletion IS NULL`;
  if (row === undefined) return undefined;
  const { email, email_verified, mail_notices, low_balance_cents } = row;
  const low_balance_below = low_balance_cents === null ? null : fromCents(low_balance_cents);
  return { ...mail_notices, low_balance_below, email, email_verified };
}

/** What the notice is about whose link has a token of this hash; undefined: there is none, or it was sent long ago. */
export async function readUnsubscribeTopic(
  db: Sql,
  userId: string,
  tokenHash: string,
): Promise<MailTopic | undefined> {
  const [row] = await db<{ topic: MailTopic }[]>`
    SELECT content ->> 'topic' AS topic FROM mails
    WHERE user_id = ${userId} AND kind = 'notice' AND content ->> 'unsubscribe_hash' = ${tokenHash}`;
  return row?.topic;
}
