import { createHash } from "node:crypto";
import { Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import { Elysia } from "elysia";
import { readRecoveryWay } from "../../../actors/accounts/account/queries.ts";
import { Email, Password } from "../../../schemas/accounts/account.ts";
import {
  LinkParams,
  PasswordChangedReply,
  RECOVERY_TOKEN,
  Recover,
  RequestRecovery,
} from "../../../schemas/accounts/security.ts";
import { MAILED_LINK_MINUTES } from "../../../schemas/activity/mail.ts";
import { EmptyReply } from "../../../schemas/envelope.ts";
import { DomainError } from "../../../schemas/errors.ts";
import { ID_LENGTH } from "../../../schemas/primitives.ts";
import { linkTokenHash } from "../../../system/link-token.ts";
import { open } from "../../auth/guards.ts";
import type { SignIn } from "../../auth/sign-in.ts";
import type { GatewayContext } from "../../context.ts";
import type { Connection } from "../../http/client-address.ts";
import { accepted, errors, ok } from "../../http/envelope.ts";
import { enforceLimit, RateLimiter } from "../../http/rate-limit.ts";
import { linkPage } from "../../pages/link-page.ts";
import { pageResponse } from "../../pages/page.ts";
import {
  askedPage,
  askPage,
  invalidLinkPage,
  noMailPage,
  recoveredPage,
  recoveryPage,
} from "./recovery-page.ts";

/** Each try with a valid link costs an Argon2 hash, and tokens cannot be guessed. */
const RECOVERIES_PER_ADDRESS = { name: "recovery", limit: 30, windowSeconds: 60 };
/** Many people may share an address; nobody asks for that many accounts. */
const REQUESTS_PER_ADDRESS = { name: "recovery-request", limit: 30, windowSeconds: 60 * 60 };
const FORM_BYTES_MAX = 4_096;
const REASON =
  "who recovers an account has no credential but the link that an administrator gave or that was mailed";

type From = Connection & { set: { headers: Record<string, string | number> } };

/** A new password by a link (docs/decisions/0054-account-security.md, docs/decisions/0130-outgoing-mail.md). */
export const recoveryRoutes = (context: GatewayContext, { passwords }: SignIn) => {
  const { db, actors, addressOf, announceEndedSessions, sendsMail } = context;
  const tries = new RateLimiter(RECOVERIES_PER_ADDRESS);
  const requests = new RateLimiter(REQUESTS_PER_ADDRESS);

  /** The user of a token that is good now, and who gave the link. @throws RECOVERY_INVALID */
  async function recoveryOf(token: string) {
    const [, userId = ""] = RECOVERY_TOKEN.exec(token) ?? [];
    const way = await readRecoveryWay(db, userId, linkTokenHash(token));
    if (way === undefined) throw invalidLink();
    return { userId, way };
  }

  async function recover(token: string, newPassword: string, address: string): Promise<number> {
    const { userId } = await recoveryOf(token);
    const password_hash = await passwords.hash(newPassword);
    const { value } = await actors
      .account(userId)
      .recover({ token_hash: linkTokenHash(token), password_hash, address });
    await announceEndedSessions(userId, value.ended);
    return value.ended.length;
  }

  /** Asks for a link, in the same way and time whether or not an account has the address. @throws MAIL_NOT_CONFIGURED, RATE_LIMITED */
  async function ask(ctx: From, email: string): Promise<void> {
    if (!sendsMail) throw noMail();
    enforceLimit(requests, addressOf(ctx), ctx.set.headers);
    await actors.recovery_request(mailboxId(email)).ask({ email });
  }

  const limitedAddress = (from: From) => {
    const address = addressOf(from);
    enforceLimit(tries, address, from.set.headers);
    return address;
  };
  const invalidPage = invalidLinkPage(sendsMail);

  const api = new Elysia({ prefix: "/api/v1/auth", detail: { tags: ["Accounts"] } })
    .use(open(REASON))
    .post(
      "/recovery",
      async (ctx) => {
        await ask(ctx, ctx.body.email);
        return accepted("If an account has this address, a link is on its way");
      },
      {
        body: RequestRecovery,
        response: { 202: EmptyReply, ...errors("MAIL_NOT_CONFIGURED", "RATE_LIMITED") },
        detail: {
          summary: "Ask for a link that sets a new password, by mail",
          description:
            `The link is good once, for ${MAILED_LINK_MINUTES} minutes, and a second factor stays. The reply is the same whether or not an account has the ` +
            "address. An address gets three links an hour. Administrators without a second factor get none.",
          "x-idempotency-key": false,
        },
      },
    )
    .post(
      "/recover",
      async (ctx) => {
        const address = limitedAddress(ctx);
        const ended = await recover(ctx.body.token, ctx.body.new_password, address);
        return ok("Password set", { ended });
      },
      {
        body: Recover,
        response: { 200: PasswordChangedReply, ...errors("RECOVERY_INVALID", "RATE_LIMITED") },
        detail: {
          summary: "Set a new password with the token of a recovery link",
          description:
            "An administrator makes the link, good for a day, or it was mailed. It is good once. All sessions of the account end.",
          "x-idempotency-key": false,
        },
      },
    );

  const hidden = { detail: { hide: true } };
  const ofLink = { params: LinkParams, ...hidden };
  const pages = new Elysia({ prefix: "/recover" })
    .use(open(REASON, { body: "bytes", bodyBytesMax: FORM_BYTES_MAX }))
    .get("/", () => pageResponse(sendsMail ? askPage() : noMailPage()), hidden)
    .post(
      "/",
      async (ctx) => {
        const email = formField(ctx.body, "email")?.trim();
        if (!Value.Check(Email, email))
          return pageResponse(askPage("Give an e-mail address, such as ann@example.com."));
        return pageResponse(await ask(ctx, email).then(askedPage, askFailedPage));
      },
      { ...hidden, body: Type.Uint8Array() },
    )
    .get(
      "/:token",
      (ctx) =>
        linkPage(ctx.request, invalidPage, async () => {
          limitedAddress(ctx);
          return recoveryPage((await recoveryOf(ctx.params.token)).way);
        }),
      ofLink,
    )
    .post(
      "/:token",
      (ctx) =>
        linkPage(ctx.request, invalidPage, async () => {
          const address = limitedAddress(ctx);
          const { token } = ctx.params;
          const password = formField(ctx.body, "new_password");
          if (!Value.Check(Password, password))
            return recoveryPage((await recoveryOf(token)).way, "A password has 10 to 256 characters.");
          await recover(token, password, address);
          return recoveredPage();
        }),
      { ...ofLink, body: Type.Uint8Array() },
    );

  return new Elysia().use(api).use(pages);
};

const formField = (body: Uint8Array, name: string): string | null =>
  new URLSearchParams(Buffer.from(body).toString("utf8")).get(name);

/** Under which requests for an address are counted, in any case of letters. */
const mailboxId = (email: string): string =>
  createHash("sha256").update(`mailbox ${email.toLowerCase()}`).digest("hex").slice(0, ID_LENGTH);

const invalidLink = () =>
  new DomainError(
    "RECOVERY_INVALID",
    "The recovery link was used or replaced, or has expired: ask for another one",
  );

export const noMail = () =>
  new DomainError("MAIL_NOT_CONFIGURED", "This Berth sends no mail: its operator has set no mail server");

/** @throws what is no refusal of the request */
function askFailedPage(error: unknown) {
  if (!(error instanceof DomainError)) throw error;
  if (error.code === "MAIL_NOT_CONFIGURED") return noMailPage();
  if (error.code !== "RATE_LIMITED") throw error;
  return askPage(`${error.message}.`, error.status);
}
