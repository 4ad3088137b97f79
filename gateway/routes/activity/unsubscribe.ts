import { Elysia } from "elysia";
import { readUnsubscribeTopic } from "../../../actors/activity/mail/queries.ts";
import { RECOVERY_TOKEN, RecoveryParams } from "../../../schemas/accounts/security.ts";
import { MAIL_TOPIC_NAMES, type MailTopic } from "../../../schemas/activity/mail.ts";
import { open } from "../../auth/guards.ts";
import type { GatewayContext } from "../../context.ts";
import type { Connection } from "../../http/client-address.ts";
import { enforceLimit, RateLimiter } from "../../http/rate-limit.ts";
import { type Page, pageResponse, said } from "../../payments/page.ts";

/** Tokens cannot be guessed; each try is a look at an account. */
const TRIES_PER_ADDRESS = { name: "unsubscribe", limit: 30, windowSeconds: 60 };
/** `List-Unsubscribe=One-Click`, or the empty form of the page. */
const BODY_BYTES_MAX = 256;
const REASON = "whoever has the link reads mail at the address, signed in or not";

type From = Connection & {
  set: { headers: Record<string, string | number> };
  params: { readonly token: string };
};

const SETTINGS = '<p><a href="/account/notifications">All notices by mail</a></p>';

/**
 * The link of a notice that was mailed: it switches off notices of its kind, on a page with a button or by the one click of a mail program (RFC 8058).
 * Programs that look into mail open links, and send no POST.
 */
export const unsubscribeRoutes = ({ db, actors, addressOf }: GatewayContext) => {
  const tries = new RateLimiter(TRIES_PER_ADDRESS);

  async function topicOf(from: From): Promise<{ userId: string; topic: MailTopic | undefined }> {
    enforceLimit(tries, addressOf(from), from.set.headers);
    const [, userId = ""] = RECOVERY_TOKEN.exec(from.params.token) ?? [];
    return { userId, topic: await readUnsubscribeTopic(db, userId, from.params.token) };
  }

  const ofLink = { params: RecoveryParams, detail: { hide: true } };
  return new Elysia({ prefix: "/unsubscribe" })
    .use(open(REASON, { body: "bytes", bodyBytesMax: BODY_BYTES_MAX }))
    .get(
      "/:token",
      async (ctx) => {
        const { topic } = await topicOf(ctx);
        return pageResponse(topic === undefined ? unknownPage() : askPage(topic));
      },
      ofLink,
    )
    .post(
      "/:token",
      async (ctx) => {
        const { userId, topic } = await topicOf(ctx);
        if (topic === undefined) return pageResponse(unknownPage());
        await actors.account(userId).set_mail_notices({ [topic]: false });
        return pageResponse(switchedOffPage(topic));
      },
      ofLink,
    );
};

const askPage = (topic: MailTopic): Page => ({
  title: "Notices by mail",
  html: `<div class="inside">
<h1>Notices by mail</h1>
<p>Notices about ${MAIL_TOPIC_NAMES[topic]} are mailed to you. In the inbox of the console they stay.</p>
<form method="post"><button class="pay">Mail me no more of them</button></form>
${SETTINGS}
</div>`,
});

const switchedOffPage = (topic: MailTopic): Page => ({
  title: "Switched off",
  html: `<div class="inside">
<h1>Notices by mail</h1>
${said("Switched off", `No more notices about ${MAIL_TOPIC_NAMES[topic]} are mailed to you.`, "")}
${SETTINGS}
</div>`,
});

const unknownPage = (): Page => ({
  title: "The link is not valid",
  status: 400,
  html: `<div class="inside">
<h1>Notices by mail</h1>
${said("The link is not valid", "It was mailed to an address that the account has no longer. Choose in the console what is mailed.", "bad")}
${SETTINGS}
</div>`,
});
