/** Mail that Berth sends (docs/decisions/0130-outgoing-mail.md). */

export type MailKind = "recovery";

/** A link that was mailed is good for so long: the time that somebody who waits for it takes, with a slow server in between. */
export const MAILED_LINK_MINUTES = 60;

/** Links for one address within the life of one: a person needs one or two. */
export const RECOVERY_MAILS_MAX = 3;
