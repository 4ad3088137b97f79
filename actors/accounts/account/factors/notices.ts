import type { inboxActor } from "../../../activity/inbox/index.ts";
import { requestMail } from "../../../platform/request-mail.ts";
import type { Context } from "../../../runtime/definition.ts";
import { messagesTo } from "../../../runtime/transport/message.ts";

const inboxes = messagesTo<typeof inboxActor>("inbox");

/** What somebody does who did not make the change, and where. */
const ADVICE = {
  password: {
    advice: "Was it not you? Change your password and end all other sessions.",
  },
  /** Whoever made the change has set a password that the user does not know. */
  recovery: {
    advice:
      "Was it not you? Whoever did it knows the new password, and you do not. Have a link sent that sets another one: it ends all sessions.",
    mailedPage: "/recover",
  },
  /** The notice goes to a former address, to which no link is sent any more. */
  operator: {
    advice:
      "Was it not you? Change your password and the address, and end all other sessions. If you cannot sign in any more, ask the operator of this Berth.",
  },
} satisfies Record<string, { readonly advice: string; readonly mailedPage?: string }>;

interface NoticeOptions {
  /** Where the console shows what has changed. */
  readonly page?: string;
  readonly against?: keyof typeof ADVICE;
  /** A former one, which was verified. */
  readonly address?: string | undefined;
}

/** Tells the user of a change that somebody else may have made, in the inbox and by mail. */
export function sendSecurityNotice<State>(
  ctx: Context<State>,
  title: string,
  what: string,
  { page = "/account", against = "password", address }: NoticeOptions = {},
): void {
  const id = ctx.newId();
  const { advice, mailedPage = page }: { advice: string; mailedPage?: string } = ADVICE[against];
  const body = `${what} ${advice}`;
  const notice = { id, title, body, level: "warning" as const, public: false, page, event: null };
  const to = address === undefined ? {} : { address };
  requestMail(ctx, {
    kind: "notice",
    user_id: ctx.actorId,
    topic: "security",
    title,
    body,
    page: mailedPage,
    ...to,
  });
  ctx.send(`notice:${id}`, inboxes(ctx.actorId).post(notice), { key: `account:${id}` });
}
