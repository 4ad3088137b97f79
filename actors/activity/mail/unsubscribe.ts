import { MAIL_TOPICS, type MailTopic } from "../../../schemas/activity/mail.ts";
import { isSameToken, keyedLinkToken } from "../../../system/link-token.ts";

/** The link that switches off notices of a topic is good as long as the account has the address, however old the mail is. */

interface Reader {
  readonly userId: string;
  /** Whoever reads mail at a former address must not silence the present one. */
  readonly email: string;
}

export const unsubscribeToken = (key: string, { userId, email }: Reader, topic: MailTopic): string =>
  keyedLinkToken(key, userId, ["unsubscribe", email.toLowerCase(), topic]);

/** What a link's token switches off; undefined: it was not made for this reader. */
export const topicOfToken = (key: string, reader: Reader, token: string): MailTopic | undefined =>
  (Object.keys(MAIL_TOPICS) as MailTopic[]).find((topic) =>
    isSameToken(token, unsubscribeToken(key, reader, topic)),
  );
