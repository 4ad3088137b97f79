import { Elysia } from "elysia";
import { readFactors } from "../../../actors/accounts/account/factors/queries.ts";
import type { Passkey } from "../../../actors/accounts/account/factors/rules.ts";
import {
  CreatePasskey,
  PasskeyAddedReply,
  PasskeyCreationReply,
  type PasskeyRecord,
  Proven,
  RenamePasskey,
} from "../../../schemas/accounts/second-factor.ts";
import { EmptyReply } from "../../../schemas/envelope.ts";
import { IdParams } from "../../../schemas/primitives.ts";
import { invalidToken } from "../../auth/access-tokens.ts";
import { asUsedChallenge, fingerprintOf, invalidChallenge, onceFor } from "../../auth/challenges.ts";
import { confirmations } from "../../auth/current-password.ts";
import { firstParty } from "../../auth/guards.ts";
import { registrationOptions, verifyRegistration } from "../../auth/passkeys.ts";
import { newRecoveryCodes } from "../../auth/recovery-codes.ts";
import type { SignIn } from "../../auth/sign-in.ts";
import type { GatewayContext } from "../../context.ts";
import { created, done, errors, ok } from "../../http/envelope.ts";

/** A passkey's signature is good once, so a repeated request does nothing. */
const WITHOUT_KEY = { "x-idempotency-key": false };
const CONFIRMED = ["WRONG_PASSWORD", "SECOND_FACTOR_WRONG", "CHALLENGE_INVALID", "RATE_LIMITED"] as const;

/** Passkeys of the own account (docs/decisions/0064-second-factors.md). They are listed with its other second factors. */
export const passkeyRoutes = (context: GatewayContext, signIn: SignIn) => {
  const { db, actors, credentials, addressOf, newId, announceEndedSessions } = context;
  const { factors, challenges } = signIn;
  const { confirm } = confirmations(context, signIn);

  return new Elysia({ prefix: "/api/v1/auth/passkeys", detail: { tags: ["Second factor"] } })
    .use(firstParty(credentials, { beforeSetUp: true }))
    .post(
      "/challenge",
      async (ctx) => {
        const party = factors.requireParty();
        const { userId: id, username } = ctx.caller;
        // Read before the proof: a factor that comes meanwhile was not proven.
        const user = await readFactors(db, id);
        if (user === undefined) throw invalidToken();
        const { current_hash } = await confirm(ctx, ctx.body);
        const { passkeys } = user;
        const { nonce, ...issued } = await challenges.issue({
          purpose: "passkey-registration",
          userId: id,
          password: fingerprintOf(current_hash),
          factors: user.mark,
        });
        const options = await registrationOptions(party, nonce, { id, username, passkeys });
        return ok("Challenge", { ...issued, options: { ...options } });
      },
      {
        body: Proven,
        response: { 200: PasskeyCreationReply, ...errors(...CONFIRMED, "PASSKEYS_UNAVAILABLE") },
        detail: {
          summary: "Begin to register a passkey",
          description:
            "Takes the present password and, where there is a second factor, a `code` or a `passkey` with its `challenge`.",
          ...WITHOUT_KEY,
        },
      },
    )
    .post(
      "/",
      async (ctx) => {
        const { body, caller } = ctx;
        const { userId, sessionId } = caller;
        const challenge = await challenges.read("passkey-registration", body.challenge);
        const user = await readFactors(db, userId);
        if (user === undefined) throw invalidToken();
        const isOwn = challenge.userId === userId && challenge.password === fingerprintOf(user.passwordHash);
        if (!isOwn) throw invalidChallenge();
        const key = await verifyRegistration(factors.requireParty(), challenge.nonce, body.passkey);
        const { codes, hashes } = newRecoveryCodes();
        const id = newId();
        const { value } = await actors
          .account(userId)
          .add_passkey(
            {
              ...key,
              passkey_id: id,
              name: body.name,
              current_hash: user.passwordHash,
              factors: challenge.factors ?? "",
              recovery_hashes: hashes,
              keep_session_id: sessionId,
              address: addressOf(ctx),
            },
            onceFor(challenge),
          )
          .catch(asUsedChallenge);
        await announceEndedSessions(userId, value.ended);
        return created("Passkey registered", {
          id,
          name: body.name,
          recovery_codes: value.codes_taken ? codes : null,
          ended: value.ended.length,
        });
      },
      {
        body: CreatePasskey,
        response: {
          201: PasskeyAddedReply,
          ...errors(
            "PASSKEY_INVALID",
            "CHALLENGE_INVALID",
            "WRONG_PASSWORD",
            "PASSKEY_EXISTS",
            "PASSKEY_LIMIT",
            "PASSKEYS_UNAVAILABLE",
          ),
        },
        detail: {
          summary: "Register a passkey",
          description:
            "With what the browser made of the challenge's `options`. It signs in by itself from then on, and the password alone no longer does. " +
            "With your first second factor you get ten recovery codes, and all your other sessions end.",
          ...WITHOUT_KEY,
        },
      },
    )
    .patch(
      "/:id",
      async ({ caller, params, body, operation }) => {
        const { name } = body;
        await actors.account(caller.userId).rename_passkey({ passkey_id: params.id, name }, operation);
        return done("Passkey renamed");
      },
      {
        params: IdParams,
        body: RenamePasskey,
        response: { 200: EmptyReply, ...errors("PASSKEY_NOT_FOUND") },
        detail: { summary: "Rename a passkey" },
      },
    )
    .delete(
      "/:id",
      async (ctx) => {
        const { caller, params } = ctx;
        const confirmation = await confirm(ctx, ctx.body);
        await actors.account(caller.userId).remove_passkey({
          ...confirmation,
          passkey_id: params.id,
          required: credentials.requiredFactor.isRequiredOf(caller),
        });
        return done("Passkey removed");
      },
      {
        params: IdParams,
        body: Proven,
        response: {
          200: EmptyReply,
          ...errors(...CONFIRMED, "PASSKEY_NOT_FOUND", "SECOND_FACTOR_SETUP_REQUIRED"),
        },
        detail: {
          summary: "Remove a passkey: it no longer signs in",
          description:
            "Takes the present password and a `code`, or a `passkey` with its `challenge`. The last second factor takes its recovery codes along.",
          ...WITHOUT_KEY,
        },
      },
    );
};

export const shownPasskey = ({ id, name, synced, createdAt, lastUsedAt }: Passkey): PasskeyRecord => ({
  id,
  name,
  synced,
  created_at: createdAt.toISOString(),
  last_used_at: lastUsedAt?.toISOString() ?? null,
});
