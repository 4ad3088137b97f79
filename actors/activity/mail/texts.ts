import type { MailText } from "./layout.ts";

/** The texts of mails. Every one says whom it is for, why it was sent, and what to do if it was not wanted. */

/** "26 November 2026, 09:30 UTC": a mail is read anywhere. */
export const timeText = (at: Date): string =>
  `${at.toLocaleString("en-GB", { dateStyle: "long", timeStyle: "short", timeZone: "UTC" }).replace(" at ", ", ")} UTC`;

interface Reader {
  readonly username: string;
  readonly publicUrl: string;
}

const sentTo = ({ username, publicUrl }: Reader): string => `Sent to ${username} at ${publicUrl}.`;

export const recoveryText = (reader: Reader, token: string, expiresAt: Date): MailText => ({
  subject: "Set a new password",
  paragraphs: [
    `Somebody asked for a link that sets a new password for the account ${reader.username}.`,
    `The link is good once, until ${timeText(expiresAt)}. A new password ends all sessions of the account. A second factor stays: you need it to sign in.`,
    "Was it not you? Then do nothing: your password stays as it is.",
  ],
  action: { label: "Set a new password", url: `${reader.publicUrl}/recover/${token}` },
  footer: [sentTo(reader), "Links are sent when somebody asks for one, whatever notices you receive."],
});

export const refusedRecoveryText = (reader: Reader): MailText => ({
  subject: "Your password cannot be set by mail",
  paragraphs: [
    `Somebody asked for a link that sets a new password for the account ${reader.username}.`,
    "The account is an administrator's without a second factor. Such an account is not recovered by mail: whoever reads this mailbox would run the whole installation. Ask whoever operates the machines of this Berth.",
    "Was it not you? Then do nothing: your password stays as it is.",
  ],
  footer: [sentTo(reader), "It is sent when somebody asks for a link, whatever notices you receive."],
});
