import { MAIL_TOPIC_NAMES } from "../../../schemas/activity/mail.ts";
import type { NoticeText } from "../../platform/request-mail.ts";
import type { MailText } from "./layout.ts";

/** The texts of mails. Every one says whom it is for, why it was sent, and what to do if it was not wanted. */

/** "26 November 2026, 09:30 UTC": a mail is read anywhere. */
export const timeText = (at: Date): string =>
  `${at.toLocaleString("en-GB", { dateStyle: "long", timeStyle: "short", timeZone: "UTC" }).replace(" at ", ", ")} UTC`;

export interface Reader {
  readonly username: string;
  readonly publicUrl: string;
}

const SETTINGS_PATH = "/account/notifications";

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

export const verificationText = (reader: Reader, token: string, expiresAt: Date): MailText => ({
  subject: "Verify your e-mail address",
  paragraphs: [
    `The account ${reader.username} has this e-mail address. Verify it, so that notices of what you must not miss are sent there.`,
    `The link is good until ${timeText(expiresAt)}.`,
    "Do you not know of such an account? Then do nothing: no notice is sent to you.",
  ],
  action: { label: "Verify the address", url: `${reader.publicUrl}/verify-email/${token}` },
  footer: [sentTo(reader), "It is sent when an account is created or its address changes."],
});

/** What the button of a notice leads to, by the first part of its page. */
const ACTIONS: Readonly<Record<string, string>> = {
  containers: "Open the container",
  servers: "Open the server",
  wallet: "Open your wallet",
  account: "Open your account",
  recover: "Set a new password",
};

function actionOf({ publicUrl }: Reader, page = "/inbox") {
  const [, first = ""] = page.split("/");
  return { label: ACTIONS[first] ?? "Open your inbox", url: publicUrl + page };
}

/** A notice of the inbox. Its last line says how it is switched off. @param token of the page that does; undefined: only the settings do */
export const noticeText = (
  reader: Reader,
  { topic, title, body, page }: NoticeText,
  token: string | undefined,
): MailText => ({
  subject: title,
  paragraphs: [body],
  action: actionOf(reader, page),
  footer: [
    sentTo(reader),
    `You receive notices about ${MAIL_TOPIC_NAMES[topic]}. Switch them off at ${reader.publicUrl}${SETTINGS_PATH}.`,
  ],
  ...(token === undefined ? {} : { unsubscribeUrl: `${reader.publicUrl}/unsubscribe/${token}` }),
});
