import { Elysia } from "elysia";
import { readEmailVerification } from "../../../actors/accounts/account/queries.ts";
import { LinkParams, RECOVERY_TOKEN, VerifyEmail } from "../../../schemas/accounts/security.ts";
import { EmptyReply } from "../../../schemas/envelope.ts";
import { DomainError } from "../../../schemas/errors.ts";
import { linkTokenHash } from "../../../system/link-token.ts";
import { firstParty, open } from "../../auth/guards.ts";
import type { GatewayContext } from "../../context.ts";
import type { Connection } from "../../http/client-address.ts";
import { accepted, done, errors } from "../../http/envelope.ts";
import { enforceLimit, RateLimiter } from "../../http/rate-limit.ts";
import { linkPage } from "../../pages/link-page.ts";
import { noMail } from "./recovery.ts";
import { invalidVerificationPage, verifiedPage, verifyPage } from "./verification-page.ts";

/** Tokens cannot be guessed; each try is a message to an account. */
const TRIES_PER_ADDRESS = { name: "email-verification", limit: 30, windowSeconds: 60 };
const REQUESTS_PER_USER = { name: "email-verification-request", limit: 5, windowSeconds: 60 * 60 };
const REASON = "whoever has the link reads mail at the address, signed in or not";
const WITHOUT_KEY = { "x-idempotency-key": false };

type From = Connection & { set: { headers: Record<string, string | number> } };

/** Proof that the user reads mail at the account's address (docs/decisions/0130-outgoing-mail.md). */
export const emailVerificationRoutes = (context: GatewayContext) => {
  const { db, actors, credentials, addressOf, sendsMail } = context;
  const tries = new RateLimiter(TRIES_PER_ADDRESS);
  const requests = new RateLimiter(REQUESTS_PER_USER);

  /** @throws RECOVERY_INVALID, RATE_LIMITED */
  async function verify(from: From, token: string): Promise<void> {
    enforceLimit(tries, addressOf(from), from.set.headers);
    const [, userId] = RECOVERY_TOKEN.exec(token) ?? [];
    if (userId === undefined) throw invalidLink();
    await actors
      .account(userId)
      .verify_email({ token_hash: linkTokenHash(token) })
      .catch(asInvalidLink);
  }

  /** What the link verifies or has verified. @throws RECOVERY_INVALID */
  async function verificationOf(token: string) {
    const [, userId = ""] = RECOVERY_TOKEN.exec(token) ?? [];
    const found = await readEmailVerification(db, userId, linkTokenHash(token));
    if (found === undefined) throw invalidLink();
    return found;
  }

  const api = { prefix: "/api/v1/auth/email", detail: { tags: ["Accounts"] } };
  const asking = new Elysia(api).use(firstParty(credentials)).post(
    "/verification",
    async (ctx) => {
      if (!sendsMail) throw noMail();
      enforceLimit(requests, ctx.caller.userId, ctx.set.headers);
      await actors.account(ctx.caller.userId).request_email_verification({});
      return accepted("If your address is not verified yet, a link is on its way");
    },
    {
      response: { 202: EmptyReply, ...errors("MAIL_NOT_CONFIGURED", "RATE_LIMITED") },
      detail: {
        summary: "Ask for a link that verifies your e-mail address",
        description:
          "One is mailed after the sign-up and after a change of the address, where this Berth sends mail.",
        ...WITHOUT_KEY,
      },
    },
  );
  const proving = new Elysia(api).use(open(REASON)).post(
    "/verify",
    async (ctx) => {
      await verify(ctx, ctx.body.token);
      return done("E-mail address verified");
    },
    {
      body: VerifyEmail,
      response: { 200: EmptyReply, ...errors("RECOVERY_INVALID", "RATE_LIMITED") },
      detail: { summary: "Verify an e-mail address with the token of a mailed link", ...WITHOUT_KEY },
    },
  );
  const ofLink = { params: LinkParams, detail: { hide: true } };
  // A page with a button: programs that look into mail open links, and press none.
  const pages = new Elysia({ prefix: "/verify-email" })
    .use(open(REASON, { body: "bytes", bodyBytesMax: 64 }))
    .get(
      "/:token",
      (ctx) =>
        linkPage(ctx.request, invalidVerificationPage(), async () => {
          enforceLimit(tries, addressOf(ctx), ctx.set.headers);
          const found = await verificationOf(ctx.params.token);
          return found.isVerified ? verifiedPage(found) : verifyPage(found);
        }),
      ofLink,
    )
    .post(
      "/:token",
      (ctx) =>
        linkPage(ctx.request, invalidVerificationPage(), async () => {
          await verify(ctx, ctx.params.token);
          return verifiedPage(await verificationOf(ctx.params.token));
        }),
      ofLink,
    );
  return new Elysia().use(asking).use(proving).use(pages);
};

const invalidLink = () =>
  new DomainError("RECOVERY_INVALID", "The link was used or replaced, or has expired: ask for another one");

/** Nobody learns which accounts there are. */
function asInvalidLink(error: unknown): never {
  if (error instanceof DomainError && error.code === "USER_NOT_FOUND") throw invalidLink();
  throw error;
}
