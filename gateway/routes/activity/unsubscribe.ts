import { Elysia } from "elysia";
import { readUnsubscribeLink, type UnsubscribeLink } from "../../../actors/activity/mail/queries.ts";
import { LinkParams, RECOVERY_TOKEN } from "../../../schemas/accounts/security.ts";
import { MAIL_TOPIC_NAMES } from "../../../schemas/activity/mail.ts";
import { DomainError } from "../../../schemas/errors.ts";
import { open } from "../../auth/guards.ts";
import type { GatewayContext } from "../../context.ts";
import type { Connection } from "../../http/client-address.ts";
import { enforceLimit, RateLimiter } from "../../http/rate-limit.ts";
import { linkPage } from "../../pages/link-page.ts";
import { type Page, sayingPage } from "../../pages/page.ts";

/** Tokens cannot be guessed; each try is a look at an account. */
const TRIES_PER_ADDRESS = { name: "unsubscribe", limit: 30, windowSeconds: 60 };
/** `List-Unsubscribe=One-Click`, or the empty form of the page. */
const BODY_BYTES_MAX = 256;
const REASON = "whoever has the link reads mail at the address, signed in or not";

type From = Connection & {
  request: Request;
  set: { headers: Record<string, string | number> };
  params: { readonly token: string };
};

/**
 * The link of a notice that was mailed: it switches off notices of its kind, on a page with a button or by the one click of a mail program (RFC 8058).
 * Programs that look into mail open links, and send no POST.
 */
export const unsubscribeRoutes = ({ db, actors, addressOf }: GatewayContext) => {
  const tries = new RateLimiter(TRIES_PER_ADDRESS);

  /** What the link is about, and whose. @throws RECOVERY_INVALID, RATE_LIMITED */
  async function noticesOf(from: From): Promise<UnsubscribeLink & { readonly userId: string }> {
    enforceLimit(tries, addressOf(from), from.set.headers);
    const { token } = from.params;
    const [, userId = ""] = RECOVERY_TOKEN.exec(token) ?? [];
    const found = await readUnsubscribeLink(db, userId, token);
    if (found === undefined) throw invalidLink();
    return { ...found, userId };
  }

  const ofLink = { params: LinkParams, detail: { hide: true } };
  return new Elysia({ prefix: "/unsubscribe" })
    .use(open(REASON, { body: "bytes", bodyBytesMax: BODY_BYTES_MAX }))
    .get(
      "/:token",
      (ctx) =>
        linkPage(ctx.request, invalidPage(), async () => {
          const notices = await noticesOf(ctx);
          return notices.isMailed ? askPage(notices) : switchedOffPage(notices);
        }),
      ofLink,
    )
    .post(
      "/:token",
      (ctx) =>
        linkPage(ctx.request, invalidPage(), async () => {
          const { userId, ...notices } = await noticesOf(ctx);
          await actors.account(userId).set_mail_notices({ [notices.topic]: false });
          return switchedOffPage(notices);
        }),
      ofLink,
    );
};

const invalidLink = () => new DomainError("RECOVERY_INVALID", "The link is not valid");

const SETTINGS = ["Choose which notices are sent", "/account/notifications"] as const;

const namesOf = ({ username, email, topic }: UnsubscribeLink) => ({
  account: `<bdi>${Bun.escapeHTML(username)}</bdi>`,
  address: `<strong>${Bun.escapeHTML(email)}</strong>`,
  about: MAIL_TOPIC_NAMES[topic],
});

function askPage(link: UnsubscribeLink): Page {
  const { account, address, about } = namesOf(link);
  return {
    title: "Notices by mail",
    html: `<div class="inside">
<h1>Notices by mail</h1>
<p>Notices about ${about} are sent to ${address}, for the account ${account}. They are in the inbox of the console as well, and stay there.</p>
<form method="post"><button class="pay">Stop these mails</button></form>
<a class="button" href="${SETTINGS[1]}">${SETTINGS[0]}</a>
</div>`,
  };
}

function switchedOffPage(link: UnsubscribeLink): Page {
  const { account, address, about } = namesOf(link);
  return sayingPage({
    title: "These mails are switched off",
    text: `Notices about ${about} are not sent to ${address}, for the account ${account}. They are in the inbox of the console.`,
    next: SETTINGS,
  });
}

const invalidPage = (): Page =>
  sayingPage({
    title: "The link is not valid",
    status: 400,
    text: "It was sent to an address that the account has no longer, or is not whole: open all of the address in the mail. You choose in the console, too, which notices are sent.",
    next: SETTINGS,
  });
