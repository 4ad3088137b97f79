import type { inboxActor } from "../../../activity/inbox/index.ts";
import { requestMail } from "../../../platform/request-mail.ts";
import type { Context } from "../../../runtime/definition.ts";
import { messagesTo } from "../../../runtime/transport/message.ts";

const inboxes = messagesTo<typeof inboxActor>("inbox");

/** Tells the user of a change that somebody else may have made, in the inbox and by mail. @param address a former one, which was verified */
export function sendSecurityNotice<State>(
  ctx: Context<State>,
  title: string,
  what: string,
  address?: string,
): void {
  const id = ctx.newId();
  const body = `${what} Was it not you? Change your password and end all other sessions.`;
  const notice = { id, title, body, level: "warning" as const, public: false, event: null };
  const to = address === undefined ? {} : { address };
  requestMail(ctx, { kind: "notice", user_id: ctx.actorId, topic: "security", title, body, ...to });
  ctx.send(`notice:${id}`, inboxes(ctx.actorId).post(notice), { key: `account:${id}` });
}
