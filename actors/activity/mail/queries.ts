import type { Static } from "@sinclair/typebox";
import type { MailNotices, MailSettings, MailTopic } from "../../../schemas/activity/mail.ts";
import type { Sql } from "../../platform/db/sql.ts";
import { fromCents } from "../../platform/money.ts";
import { topicOfToken } from "./unsubscribe.ts";

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

/** What the links of notices follow from. The migration has made it. */
export async function readLinkKey(db: Sql): Promise<string> {
  const [row] = await db<{ key: string }[]>`SELECT key FROM mail_link_key`;
  if (row === undefined) throw new Error("mail_link_key has no row");
  return row.key;
}

/** What a link that switches off notices is about, and whose notices they are. */
export interface UnsubscribeLink {
  readonly topic: MailTopic;
  /** Whether notices of the topic are still mailed. */
  readonly isMailed: boolean;
  readonly username: string;
  readonly email: string;
}

interface LinkRow {
  username: string;
  email: string;
  mail_notices: MailNotices;
  key: string;
}

/** What a link's token switches off; undefined: it is of no account, or was mailed to an address that the account has no longer. */
export async function readUnsubscribeLink(
  db: Sql,
  userId: string,
  token: string,
): Promise<UnsubscribeLink | undefined> {
  const [row] = await db<LinkRow[]>`
    SELECT a.username, a.email, a.mail_notices, k.key
    FROM accounts a, mail_link_key k WHERE a.id = ${userId} AND a.deletion IS NULL`;
  if (row === undefined) return undefined;
  const { username, email, mail_notices, key } = row;
  const topic = topicOfToken(key, { userId, email }, token);
  return topic === undefined ? undefined : { topic, isMailed: mail_notices[topic], username, email };
}
