import type { MailTopic } from "../../schemas/activity/mail.ts";
import type { Context } from "../runtime/definition.ts";

/** The outbox topic of mail: a `MailRequest`. */
export const MAIL_TOPIC = "mail";

/** What a notice says. */
export interface NoticeText {
  readonly topic: MailTopic;
  readonly title: string;
  readonly body: string;
  /** The path in the console of what it is about; absent: the inbox. */
  readonly page?: string;
}

type Asked =
  /** A link that sets a new password, to the account that has the address, if there is one. */
  | { readonly kind: "recovery"; readonly email: string }
  /** A link that verifies the present address of an account. */
  | { readonly kind: "verification"; readonly user_id: string }
  /** A notice, where its user wants those of the topic. `address`: a former one, which was verified. */
  | ({ readonly kind: "notice"; readonly user_id: string; readonly address?: string } & NoticeText);

/** A mail that a commit asks for. Its id is the mail's, so that it is enqueued once. */
export type MailRequest = Asked & { readonly id: string };

/** Asks for a mail, in the commit of what it is about. Without a mail server nothing is sent. */
export function requestMail<State>(ctx: Context<State>, asked: Asked): void {
  ctx.emit(MAIL_TOPIC, { ...asked, id: ctx.newId() } satisfies MailRequest);
}
