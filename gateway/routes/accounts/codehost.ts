import { createHash, randomBytes } from "node:crypto";
import { Elysia } from "elysia";
import { readBonusStatus } from "../../../actors/accounts/codehost/queries.ts";
import {
  BonusStatusReply,
  CallbackQuery,
  type ClaimOutcome,
  ClaimReply,
  LinkBegunReply,
  type Linked,
  LinkedReply,
} from "../../../schemas/accounts/codehost.ts";
import { EmptyReply } from "../../../schemas/envelope.ts";
import { DomainError, type ErrorCode, ValidationError } from "../../../schemas/errors.ts";
import { CODEHOST_CALLBACK, type CodehostClient, CodehostFailure } from "../../auth/codehost-client.ts";
import { firstParty, open, signedIn } from "../../auth/guards.ts";
import type { GatewayContext } from "../../context.ts";
import { prefersHtml } from "../../http/accept.ts";
import type { Connection } from "../../http/client-address.ts";
import { done, errors, ok } from "../../http/envelope.ts";
import { enforceLimit, RateLimiter } from "../../http/rate-limit.ts";

/** Each link asks the code host twice. */
const LINKS_PER_ACCOUNT = { name: "codehost-link", limit: 20, windowSeconds: 60 };
/** A browser that returns from the code host has no token, so it is counted by address. */
const CALLBACKS_PER_ADDRESS = { name: "codehost-callback", limit: 60, windowSeconds: 60 };
/** A person claims once; the limit leaves room for retries. */
const CLAIMS_PER_ACCOUNT = {
  name: "codehost-claim",
  limit: 10,
  windowSeconds: 60,
  message: "Too many claims; retry shortly",
};

const SECRET_BYTES = 32;
const STATE = /^([0-9a-f]{24})\.([A-Za-z0-9_-]{43})$/;
const COOKIE = "berth_codehost_link";
const COOKIE_PATH = "/api/v1/auth/codehost";
const COOKIE_SECONDS = 10 * 60;

const SEE_OTHER = 303;

/** A browser, or a program, that comes back from the code host. */
interface Returned extends Connection {
  readonly query: CallbackQuery;
  readonly set: { readonly headers: Record<string, string | number> };
}

/** Temporary refusals, which decide nothing about the claim: it may be made again. */
const TEMPORARY: ReadonlySet<ErrorCode> = new Set(["OVERLOADED", "UNAVAILABLE", "QUARANTINED"]);

const ERRORS_OF_LINK = errors("CODEHOST_NOT_CONFIGURED", "RATE_LIMITED");

/** An identity at the code host, and the bonus for it (spec, control plane §4.6; docs/decisions/0018-code-host-identity-and-bonus.md). */
export const codehostRoutes = (context: GatewayContext) => {
  const { db, actors, credentials, codehost, codehostBonus, publicUrl, addressOf, log } = context;
  const links = new RateLimiter(LINKS_PER_ACCOUNT);
  const callbacks = new RateLimiter(CALLBACKS_PER_ADDRESS);
  const claims = new RateLimiter(CLAIMS_PER_ACCOUNT);

  const configured = (): CodehostClient => {
    if (codehost !== undefined) return codehost;
    throw new DomainError("CODEHOST_NOT_CONFIGURED", "This platform has no code host");
  };
  const cookie = (value: string, seconds: number) =>
    `${COOKIE}=${value}; Path=${COOKIE_PATH}; Max-Age=${seconds}; HttpOnly; SameSite=Lax` +
    (publicUrl.startsWith("https:") ? "; Secure" : "");

  /**
   * Whether the request has an access token of the user, which stands in for the cookie of the browser that began the
   * link.
   */
  const isOwnToken = async (from: Connection, userId: string): Promise<boolean> => {
    const sent = from.request.headers.get("authorization");
    if (sent === null || !/^bearer /i.test(sent)) return false;
    const caller = await credentials.verify(sent.slice("bearer ".length), from);
    return caller.userId === userId && caller.credential === "account";
  };

  return new Elysia({ detail: { tags: ["Code host"] } })
    .use(
      new Elysia({ prefix: "/api/v1/auth" })
        .use(firstParty(credentials))
        .post(
          "/codehost",
          async ({ caller, set }) => {
            const client = configured();
            enforceLimit(links, caller.userId, set.headers);
            const state = `${caller.userId}.${newSecret()}`;
            const binding = newSecret();
            const verifier = client.newVerifier();
            const { value } = await actors.codehost_account(caller.userId).begin_link({
              state_hash: hashOf(state),
              binding_hash: hashOf(binding),
              verifier,
            });
            set.headers["set-cookie"] = cookie(binding, COOKIE_SECONDS);
            const authorization_url = await client.authorizationUrl(state, verifier);
            return ok("Continue at the code host", { authorization_url, expires_at: value.expires_at });
          },
          {
            response: { 200: LinkBegunReply, ...ERRORS_OF_LINK },
            detail: {
              summary: "Begin to link an identity at the code host",
              "x-idempotency-key": false,
              description:
                "Sets a cookie, so that only this browser can complete the link. A program without cookies sends its own access token to the callback instead. A newer link replaces an older one.",
            },
          },
        )
        .delete(
          "/codehost",
          async ({ caller, operation }) => {
            await actors.codehost_account(caller.userId).unlink({}, operation);
            return done("No identity at the code host is linked");
          },
          {
            response: { 200: EmptyReply },
            detail: {
              summary: "Unlink the identity at the code host",
              description: "A bonus that was claimed stays claimed, by this account and with that identity.",
            },
          },
        ),
    )
    .use(
      new Elysia({ prefix: "/api/v1/wallet" })
        .use(signedIn(credentials, "wallet.read"))
        .get(
          "/codehost-bonus",
          async ({ caller }) =>
            ok("Code-host bonus", await readBonusStatus(db, caller.userId, codehostBonus)),
          {
            response: { 200: BonusStatusReply },
            detail: {
              summary: "The bonus for an identity at the code host",
              description:
                "The reply does not need the code host. When the offer has ended, `enabled` is false, and an earlier claim is still shown.",
            },
          },
        ),
    )
    .use(
      new Elysia({ prefix: "/api/v1/wallet" }).use(signedIn(credentials, "wallet.spend")).post(
        "/codehost-bonus/claim",
        async ({ caller, operation, set }) => {
          enforceLimit(claims, caller.userId, set.headers);
          const { value } = await actors
            .codehost_account(caller.userId)
            .claim({}, operation)
            .catch((error) => ({ value: outcomeOf(error) }));
          return ok("Code-host bonus", value);
        },
        {
          response: { 200: ClaimReply, ...errors("RATE_LIMITED") },
          detail: {
            summary: "Claim the bonus for the linked identity",
            "x-reply-not-kept": "its actor keeps the outcome, and `retry` and `error` are none",
            description:
              "One claim for each account and for each identity. `result` tells the outcome. The same idempotency key returns the first outcome again.",
          },
        },
      ),
    )
    .use(
      new Elysia()
        .use(
          open(
            "a browser returns from the code host without a token; `state` and a cookie identify the user",
          ),
        )
        .get(
          CODEHOST_CALLBACK,
          async (ctx) => {
            if (!prefersHtml(ctx.request.headers.get("accept"))) return ok("Linked", await completeLink(ctx));
            // A person comes back to the console, which says what came of it.
            const outcome = await completeLink(ctx).then(
              () => "linked",
              (error) => {
                if (error instanceof DomainError) return error.code.toLowerCase();
                throw error;
              },
            );
            ctx.set.headers.location = `/wallet?codehost=${outcome}`;
            // The schema describes what programs get.
            return new Response(null, { status: SEE_OTHER }) as never;
          },
          {
            query: CallbackQuery,
            response: {
              200: LinkedReply,
              ...errors(
                "CODEHOST_NOT_CONFIGURED",
                "RATE_LIMITED",
                "CODEHOST_DENIED",
                "CODEHOST_LINK_INVALID",
                "CODEHOST_FAILED",
              ),
            },
            detail: {
              summary: "Callback of the code host",
              description:
                "Valid once, for ten minutes, in the browser in which the link began or with the account's own access token. A browser is sent on to the console's wallet (303).",
            },
          },
        ),
    );

  async function completeLink(ctx: Returned): Promise<Linked> {
    const client = configured();
    enforceLimit(callbacks, addressOf(ctx), ctx.set.headers);
    const { query, request } = ctx;
    const { state = "" } = query;
    const [, userId] = STATE.exec(state) ?? [];
    if (userId === undefined)
      throw new ValidationError("query.state", "no link with this state was begun here");
    const actor = actors.codehost_account(userId);
    const isOwn = await isOwnToken(ctx, userId);
    const { value } = await actor.redeem_link({
      state_hash: hashOf(state),
      binding_hash: isOwn ? null : hashOf(bindingOf(request)),
    });
    ctx.set.headers["set-cookie"] = cookie("", 0);
    const identity = await client.identify(query, state, value.verifier).catch((error) => {
      if (error instanceof CodehostFailure) log.warn({ err: error.cause }, "the code host failed");
      throw error;
    });
    return (await actor.link({ identity_id: identity.id, username: identity.username })).value;
  }

  function outcomeOf(error: unknown): ClaimOutcome {
    if (error instanceof DomainError && TEMPORARY.has(error.code)) return { result: "retry" };
    if (error instanceof DomainError && error.code === "IDEMPOTENCY_KEY_REUSED") throw error;
    log.error({ err: error }, "a claim of the code-host bonus failed");
    return { result: "error" };
  }
};

const newSecret = (): string => randomBytes(SECRET_BYTES).toString("base64url");
const hashOf = (secret: string): string => createHash("sha256").update(secret).digest("hex");

/** The cookie that was set when the link began; empty in another browser. */
function bindingOf(request: Request): string {
  for (const pair of (request.headers.get("cookie") ?? "").split(";")) {
    const [name, value = ""] = pair.trim().split("=");
    if (name === COOKIE) return value;
  }
  return "";
}
