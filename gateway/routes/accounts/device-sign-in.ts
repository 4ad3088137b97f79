import { Elysia } from "elysia";
import { readSessionsEpoch } from "../../../actors/accounts/account/queries.ts";
import { findDeviceSignIn, readDeviceSignIn } from "../../../actors/accounts/device-sign-in/queries.ts";
import { SessionReply } from "../../../schemas/accounts/account.ts";
import type { Caller } from "../../../schemas/accounts/auth.ts";
import {
  BeginDeviceSignIn,
  DEVICE_CODE_SECONDS,
  DEVICE_POLL_SECONDS,
  DeviceSignInBegunReply,
  DeviceSignInReply,
  RedeemDeviceCode,
  UserCodeParams,
} from "../../../schemas/accounts/device-sign-in.ts";
import { EmptyReply } from "../../../schemas/envelope.ts";
import { DomainError } from "../../../schemas/errors.ts";
import { invalidToken } from "../../auth/access-tokens.ts";
import { type AccountSessions, userAgentOf } from "../../auth/account-sessions.ts";
import { newDeviceCode, newUserCode, parseDeviceCode, userCodeOf } from "../../auth/device-codes.ts";
import { firstParty, open } from "../../auth/guards.ts";
import { assertOwnPage } from "../../console/server/own-page.ts";
import type { GatewayContext } from "../../context.ts";
import { created, done, errors, ok } from "../../http/envelope.ts";
import { enforceLimit, RateLimiter } from "../../http/rate-limit.ts";

/** Each is a row for ten minutes. */
const BEGUN_PER_ADDRESS = { name: "device-sign-in", limit: 30, windowSeconds: 60 };
/** A repeated request is no hurry; a program that does not wait is told to. */
const POLLS = { name: "device-poll", limit: 3, windowSeconds: DEVICE_POLL_SECONDS };
/** People mistype; nobody guesses one of twenty-five billion at this rate. */
const LOOKUPS_PER_USER = { name: "device-lookup", limit: 20, windowSeconds: 60 };
/** Each is a new code, and a code is good once: an idempotency key would have no effect. */
const WITHOUT_KEY = { "x-idempotency-key": false };
const CODE_ERRORS = ["DEVICE_CODE_INVALID", "RATE_LIMITED", "FORBIDDEN_ORIGIN"] as const;

/** Sign-ins of programs that a person approves in the console (docs/decisions/0065-device-sign-in.md). */
export const deviceSignInRoutes = (context: GatewayContext, sessions: AccountSessions) => {
  const { db, actors, credentials, publicUrl, addressOf, newId } = context;
  const begun = new RateLimiter(BEGUN_PER_ADDRESS);
  const polls = new RateLimiter(POLLS);
  const lookups = new RateLimiter(LOOKUPS_PER_USER);

  /** The sign-in with a code that a person has typed. @throws DEVICE_CODE_INVALID, RATE_LIMITED */
  async function find(caller: Caller, typed: string, headers: Record<string, string | number>) {
    enforceLimit(lookups, caller.userId, headers);
    const found = await findDeviceSignIn(db, userCodeOf(typed));
    if (found === undefined) throw invalidCode();
    return found;
  }

  /** Who decides. All sessions may be ended meanwhile: then the approval lets nobody in. */
  async function deciding({ userId: user_id, sessionId: session_id }: Pick<Caller, "userId" | "sessionId">) {
    const sessions_epoch = await readSessionsEpoch(db, user_id);
    if (sessions_epoch === undefined) throw invalidToken();
    return { user_id, session_id, sessions_epoch };
  }

  /** Whether the program that waits may be let in. @throws SLOW_DOWN, DEVICE_CODE_INVALID, DEVICE_DENIED, AUTHORIZATION_PENDING */
  async function assertApproved(id: string, secretHash: string): Promise<void> {
    if (!polls.tryConsume(id).allowed)
      throw new DomainError("SLOW_DOWN", `Ask every ${DEVICE_POLL_SECONDS} seconds`, {
        interval: DEVICE_POLL_SECONDS,
      });
    const waiting = await readDeviceSignIn(db, id);
    if (waiting?.secretHash !== secretHash || waiting.status === "redeemed") throw invalidCode();
    if (waiting.status === "denied")
      throw new DomainError("DEVICE_DENIED", "The sign-in was refused in the console");
    if (waiting.status === "pending")
      throw new DomainError("AUTHORIZATION_PENDING", "Nobody has approved this sign-in yet");
  }

  const ofPrograms = new Elysia({ prefix: "/api/v1/auth/device" })
    .use(open("a program that signs in has no access token yet"))
    .post(
      "/",
      async (ctx) => {
        const address = addressOf(ctx);
        enforceLimit(begun, address, ctx.set.headers);
        const id = newId();
        const { text, secretHash } = newDeviceCode(id);
        const user_code = newUserCode();
        await actors.device_sign_in(id).create({
          secret_hash: secretHash,
          user_code,
          client_name: ctx.body.client_name,
          address,
          user_agent: userAgentOf(ctx),
          lifetime_seconds: DEVICE_CODE_SECONDS,
        });
        const verification_uri = `${publicUrl}/device`;
        return created("Sign-in begun", {
          device_code: text,
          user_code,
          verification_uri,
          verification_uri_complete: `${verification_uri}?code=${user_code}`,
          expires_in: DEVICE_CODE_SECONDS,
          interval: DEVICE_POLL_SECONDS,
        });
      },
      {
        body: BeginDeviceSignIn,
        response: { 201: DeviceSignInBegunReply, ...errors("RATE_LIMITED") },
        detail: {
          summary: "Begin the sign-in of a program that a person approves in a browser",
          description:
            "As RFC 8628 has it. Show `user_code` and `verification_uri`, then ask `POST /api/v1/auth/device/token` every `interval` seconds.",
          ...WITHOUT_KEY,
        },
      },
    )
    .post(
      "/token",
      async (ctx) => {
        const { id, secretHash } = parseDeviceCode(ctx.body.device_code);
        await assertApproved(id, secretHash);
        const { value } = await actors.device_sign_in(id).redeem({ secret_hash: secretHash });
        const session = await sessions.signInByDevice(ctx, value).catch(asEnded);
        return ok("Signed in", session);
      },
      {
        body: RedeemDeviceCode,
        response: {
          200: SessionReply,
          ...errors(
            "AUTHORIZATION_PENDING",
            "SLOW_DOWN",
            "DEVICE_CODE_INVALID",
            "DEVICE_DENIED",
            "ACCOUNT_SUSPENDED",
          ),
        },
        detail: {
          summary: "Ask whether the sign-in was approved",
          description:
            "AUTHORIZATION_PENDING: ask again. SLOW_DOWN: ask less often. Once approved, the code is good once.",
          ...WITHOUT_KEY,
        },
      },
    );

  const ofPeople = new Elysia({ prefix: "/api/v1/auth/device" })
    .use(firstParty(credentials))
    .get(
      "/:user_code",
      async ({ caller, params, set }) => {
        const { id: _, ...found } = await find(caller, params.user_code, set.headers);
        return ok("Sign-in of a program", found);
      },
      {
        params: UserCodeParams,
        response: { 200: DeviceSignInReply, ...errors("DEVICE_CODE_INVALID", "RATE_LIMITED") },
        detail: { summary: "Which program asks to be signed in, and from where" },
      },
    )
    .post(
      "/:user_code/approve",
      async ({ caller, params, set, request, operation }) => {
        assertNoOtherPage(request, publicUrl);
        const { id } = await find(caller, params.user_code, set.headers);
        await actors.device_sign_in(id).approve(await deciding(caller), operation.scopedTo(caller.userId));
        return done("The program is signed in");
      },
      {
        params: UserCodeParams,
        response: { 200: EmptyReply, ...errors(...CODE_ERRORS) },
        detail: {
          summary: "Sign a program in as yourself",
          description:
            "It gets a session of its own, which is in the list of your sessions. Until it has it, you can take the approval back by `deny`, and it ends with the session that approved it, with a change of your password, and when you end all other sessions.",
        },
      },
    )
    .post(
      "/:user_code/deny",
      async ({ caller, params, set, request, operation }) => {
        assertNoOtherPage(request, publicUrl);
        const { id } = await find(caller, params.user_code, set.headers);
        await actors.device_sign_in(id).deny(await deciding(caller), operation.scopedTo(caller.userId));
        return done("The program is refused");
      },
      {
        params: UserCodeParams,
        response: { 200: EmptyReply, ...errors(...CODE_ERRORS) },
        detail: {
          summary: "Refuse a program that asks to be signed in",
          description:
            "Also after you have approved it, until it is signed in: from then on end its session.",
        },
      },
    );

  return new Elysia({ detail: { tags: ["Accounts"] } }).use(ofPrograms).use(ofPeople);
};

/** Programs may approve, and the console; no other site's page. @throws FORBIDDEN_ORIGIN */
function assertNoOtherPage(request: Request, publicUrl: string): void {
  const isOfBrowser = request.headers.has("sec-fetch-site") || request.headers.has("origin");
  if (isOfBrowser) assertOwnPage(request, publicUrl);
}

const invalidCode = () =>
  new DomainError(
    "DEVICE_CODE_INVALID",
    "The code is wrong, was used or has expired: begin again in the program",
  );

/** The session that approved the program has ended, such as by a change of the password. */
function asEnded(error: unknown): never {
  throw error instanceof DomainError && error.code === "SESSION_NOT_FOUND" ? invalidCode() : error;
}
