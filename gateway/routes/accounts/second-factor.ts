import { Elysia } from "elysia";
import { encodeQR } from "qr";
import { readFactors } from "../../../actors/accounts/account/factors/queries.ts";
import type { Caller } from "../../../schemas/accounts/auth.ts";
import {
  EnableTotp,
  FactorAddedReply,
  PasskeyChallengeReply,
  Proven,
  RecoveryCodesReply,
  SecondFactorReply,
  type SecondFactorStatus,
  TotpSetupReply,
} from "../../../schemas/accounts/second-factor.ts";
import { EmptyReply } from "../../../schemas/envelope.ts";
import { invalidToken } from "../../auth/access-tokens.ts";
import { asUsedChallenge, fingerprintOf, invalidChallenge, onceFor } from "../../auth/challenges.ts";
import { confirmations } from "../../auth/current-password.ts";
import { firstParty } from "../../auth/guards.ts";
import { assertionOptions } from "../../auth/passkeys.ts";
import { newRecoveryCodes } from "../../auth/recovery-codes.ts";
import type { SignIn } from "../../auth/sign-in.ts";
import { newTotp } from "../../auth/totp.ts";
import type { GatewayContext } from "../../context.ts";
import { done, errors, ok } from "../../http/envelope.ts";
import { shownPasskey } from "./passkey.ts";

/** A code or a passkey's signature stands in each request and is good once, so a repeated one does nothing. */
const WITHOUT_KEY = { "x-idempotency-key": false };
const CONFIRMED = ["WRONG_PASSWORD", "SECOND_FACTOR_WRONG", "CHALLENGE_INVALID", "RATE_LIMITED"] as const;
const TAKES =
  "Takes the present password and, where there is a second factor, a `code` or a `passkey` with its `challenge`.";

/** The second factors of the own account (docs/decisions/0064-second-factors.md). */
export const secondFactorRoutes = (context: GatewayContext, signIn: SignIn) => {
  const { db, actors, credentials, secrets, addressOf, announceEndedSessions } = context;
  const { factors, challenges } = signIn;
  const { confirm } = confirmations(context, signIn);
  const required = (caller: Caller) => credentials.requiredFactor.isRequiredOf(caller);

  const factorsOf = async (userId: string) => {
    const user = await readFactors(db, userId);
    if (user === undefined) throw invalidToken();
    return user;
  };

  async function statusOf(caller: Caller): Promise<SecondFactorStatus> {
    const { enabled, totp, passkeys, recoveryCodes } = await factorsOf(caller.userId);
    return {
      enabled,
      required: required(caller),
      totp: totp && { since: totp.since },
      passkeys: passkeys.map(shownPasskey),
      recovery_codes_left: recoveryCodes.length,
      passkey_origin: factors.party?.origin ?? null,
    };
  }

  return new Elysia({ prefix: "/api/v1/auth/second-factor", detail: { tags: ["Second factor"] } })
    .use(firstParty(credentials, { beforeSetUp: true }))
    .get("/", async ({ caller }) => ok("Second factor", await statusOf(caller)), {
      response: { 200: SecondFactorReply },
      detail: { summary: "The second factors of your account" },
    })
    .post(
      "/challenge",
      async ({ caller }) => {
        const party = factors.requireParty();
        const { passkeys } = await factorsOf(caller.userId);
        const { userId } = caller;
        const { nonce, ...issued } = await challenges.issue({ purpose: "confirmation", userId });
        return ok("Challenge", {
          ...issued,
          options: { ...(await assertionOptions(party, nonce, passkeys)) },
        });
      },
      {
        response: { 200: PasskeyChallengeReply, ...errors("PASSKEYS_UNAVAILABLE") },
        detail: {
          summary: "A challenge by which a passkey confirms a change",
          description:
            "Its answer is the `passkey` of requests that take a second factor. Codes need no challenge.",
          ...WITHOUT_KEY,
        },
      },
    )
    .post(
      "/totp",
      async (ctx) => {
        const { userId, username } = ctx.caller;
        // Read before the proof: a factor that comes meanwhile was not proven.
        const { mark } = await factorsOf(userId);
        const { current_hash } = await confirm(ctx, ctx.body);
        const { secret, uri, sealed } = newTotp(secrets, userId, username);
        const password = fingerprintOf(current_hash);
        const issued = await challenges.issue({
          ...{ purpose: "totp-setup", userId, password, sealed },
          factors: mark,
        });
        return ok("Set up the app", {
          secret,
          uri,
          qr_code: encodeQR(uri, "svg", { ecc: "low" }),
          setup: issued.challenge,
          expires_at: issued.expires_at,
        });
      },
      {
        body: Proven,
        response: { 200: TotpSetupReply, ...errors(...CONFIRMED, "SECRETS_NOT_CONFIGURED") },
        detail: {
          summary: "Begin to set up codes of an app",
          description: `${TAKES} Nothing changes until the app's first code was given to \`PUT /api/v1/auth/second-factor/totp\`. Where codes are set up already, these replace them.`,
          ...WITHOUT_KEY,
        },
      },
    )
    .put(
      "/totp",
      async (ctx) => {
        const { userId, sessionId } = ctx.caller;
        const { password, sealed = "", ...setup } = await challenges.read("totp-setup", ctx.body.setup);
        const { passwordHash } = await factorsOf(userId);
        if (setup.userId !== userId || fingerprintOf(passwordHash) !== password) throw invalidChallenge();
        const step = factors.proveSetup(userId, sealed, ctx.body.code, ctx.set.headers);
        const { codes, hashes } = newRecoveryCodes();
        const { value } = await actors
          .account(userId)
          .enable_totp(
            {
              current_hash: passwordHash,
              factors: setup.factors ?? "",
              sealed,
              step,
              recovery_hashes: hashes,
              keep_session_id: sessionId,
              address: addressOf(ctx),
            },
            onceFor(setup),
          )
          .catch(asUsedChallenge);
        await announceEndedSessions(userId, value.ended);
        return ok("Codes of the app are set up", {
          recovery_codes: value.codes_taken ? codes : null,
          ended: value.ended.length,
        });
      },
      {
        body: EnableTotp,
        response: {
          200: FactorAddedReply,
          ...errors("SECOND_FACTOR_WRONG", "CHALLENGE_INVALID", "WRONG_PASSWORD", "RATE_LIMITED"),
        },
        detail: {
          summary: "Turn codes of an app on, with its first code",
          description:
            "With your first second factor you get ten recovery codes, each good once, and all your other sessions end: they were begun without it.",
          ...WITHOUT_KEY,
        },
      },
    )
    .delete(
      "/totp",
      async (ctx) => {
        const { caller, body } = ctx;
        const confirmation = await confirm(ctx, body);
        await actors.account(caller.userId).disable_totp({ ...confirmation, required: required(caller) });
        return done("Codes of the app are removed");
      },
      {
        body: Proven,
        response: {
          200: EmptyReply,
          ...errors(...CONFIRMED, "SECOND_FACTOR_NOT_FOUND", "SECOND_FACTOR_SETUP_REQUIRED"),
        },
        detail: {
          summary: "Remove codes of an app",
          description: `${TAKES} The last second factor takes its recovery codes along.`,
          ...WITHOUT_KEY,
        },
      },
    )
    .post(
      "/recovery-codes",
      async (ctx) => {
        const confirmation = await confirm(ctx, ctx.body);
        const { codes, hashes } = newRecoveryCodes();
        await actors
          .account(ctx.caller.userId)
          .replace_recovery_codes({ ...confirmation, recovery_hashes: hashes });
        return ok("New recovery codes", { recovery_codes: codes });
      },
      {
        body: Proven,
        response: { 200: RecoveryCodesReply, ...errors(...CONFIRMED, "SECOND_FACTOR_NOT_FOUND") },
        detail: {
          summary: "Replace your recovery codes",
          description: `${TAKES} The former codes are no longer good.`,
          ...WITHOUT_KEY,
        },
      },
    );
};
