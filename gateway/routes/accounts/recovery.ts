import { createHash } from "node:crypto";
import { Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import { Elysia } from "elysia";
import { readSecrets } from "../../../actors/accounts/account/queries.ts";
import { Password } from "../../../schemas/accounts/account.ts";
import {
  PasswordChangedReply,
  RECOVERY_TOKEN,
  Recover,
  RecoveryParams,
} from "../../../schemas/accounts/security.ts";
import { DomainError } from "../../../schemas/errors.ts";
import { open } from "../../auth/guards.ts";
import type { SignIn } from "../../auth/sign-in.ts";
import type { GatewayContext } from "../../context.ts";
import type { Connection } from "../../http/client-address.ts";
import { errors, ok } from "../../http/envelope.ts";
import { enforceLimit, RateLimiter } from "../../http/rate-limit.ts";
import { pageResponse } from "../../payments/page.ts";
import { invalidLinkPage, recoveredPage, recoveryPage } from "./recovery-page.ts";

/** Each try with a valid link costs an Argon2 hash, and tokens cannot be guessed. */
const RECOVERIES_PER_ADDRESS = { name: "recovery", limit: 30, windowSeconds: 60 };
const FORM_BYTES_MAX = 4_096;
const REASON = "who recovers an account has no credential but the link that an administrator gave";

/** The hash under which the account's actor knows a token. */
export const recoveryHashOf = (token: string): string => createHash("sha256").update(token).digest("hex");

/** A new password by an administrator's link (docs/decisions/0054-account-security.md). */
export const recoveryRoutes = (context: GatewayContext, { passwords }: SignIn) => {
  const { db, actors, addressOf, announceEndedSessions } = context;
  const tries = new RateLimiter(RECOVERIES_PER_ADDRESS);

  /** The user of a token that is good now. @throws RECOVERY_INVALID */
  async function userOf(token: string): Promise<string> {
    const [, userId = ""] = RECOVERY_TOKEN.exec(token) ?? [];
    const recovery = (await readSecrets(db, userId))?.recovery;
    const isGood =
      recovery?.token_hash === recoveryHashOf(token) && new Date(recovery.expires_at).getTime() > Date.now();
    if (!isGood) throw invalidLink();
    return userId;
  }

  async function recover(token: string, newPassword: string, address: string): Promise<number> {
    const userId = await userOf(token);
    const password_hash = await passwords.hash(newPassword);
    const { value } = await actors
      .account(userId)
      .recover({ token_hash: recoveryHashOf(token), password_hash, address });
    await announceEndedSessions(userId, value.ended);
    return value.ended.length;
  }

  const limitedAddress = (from: Connection & { set: { headers: Record<string, string | number> } }) => {
    const address = addressOf(from);
    enforceLimit(tries, address, from.set.headers);
    return address;
  };

  const api = new Elysia({ prefix: "/api/v1/auth", detail: { tags: ["Accounts"] } }).use(open(REASON)).post(
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
          "An administrator makes the link. It is good once, for a day. All sessions of the account end.",
        "x-idempotency-key": false,
      },
    },
  );

  const hidden = { params: RecoveryParams, detail: { hide: true } };
  const pages = new Elysia({ prefix: "/recover" })
    .use(open(REASON, { body: "bytes", bodyBytesMax: FORM_BYTES_MAX }))
    .get(
      "/:token",
      async (ctx) => {
        limitedAddress(ctx);
        return pageResponse(await userOf(ctx.params.token).then(() => recoveryPage(), pageOf));
      },
      hidden,
    )
    .post(
      "/:token",
      async (ctx) => {
        const address = limitedAddress(ctx);
        const password = new URLSearchParams(Buffer.from(ctx.body).toString("utf8")).get("new_password");
        if (!Value.Check(Password, password))
          return pageResponse(recoveryPage("A password has 10 to 256 characters."));
        return pageResponse(await recover(ctx.params.token, password, address).then(recoveredPage, pageOf));
      },
      { ...hidden, body: Type.Uint8Array() },
    );

  return new Elysia().use(api).use(pages);
};

const invalidLink = () =>
  new DomainError(
    "RECOVERY_INVALID",
    "The recovery link was used or replaced, or has expired: ask for another one",
  );

/** The page of a link that leads nowhere. @throws any other error */
function pageOf(error: unknown) {
  if (error instanceof DomainError && error.code === "RECOVERY_INVALID") return invalidLinkPage();
  throw error;
}
