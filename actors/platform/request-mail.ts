import type { Context } from "../runtime/definition.ts";

/** The outbox topic of mail: a `MailRequest`. */
export const MAIL_TOPIC = "mail";

/** A mail that a commit asks for. Its id is the mail's, so that it is enqueued once. */
export type MailRequest =
  /** A link that sets a new password, to the account that has the address, if there is one. */
  { readonly kind: "recovery"; readonly id: string; readonly email: string };

/** Asks for a mail, in the commit of what it is about. Without a mail server nothing is sent. */
export function requestMail<State>(ctx: Context<State>, request: Omit<MailRequest, "id">): void {
  ctx.emit(MAIL_TOPIC, { ...request, id: ctx.newId() } satisfies MailRequest);
}
