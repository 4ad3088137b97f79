import { createHash, randomBytes } from "node:crypto";
import { Elysia } from "elysia";
import { readUser } from "../../../actors/accounts/account/queries.ts";
import { readProject } from "../../../actors/accounts/project/queries.ts";
import { listTokens } from "../../../actors/accounts/token/queries.ts";
import {
  CreateToken,
  Impersonate,
  RealmSession,
  ShortTokenReply,
  TOKEN_PREFIX,
  TokenCreatedReply,
  TokensQuery,
  TokensReply,
} from "../../../schemas/accounts/token.ts";
import { EmptyReply } from "../../../schemas/envelope.ts";
import { DomainError, ValidationError } from "../../../schemas/errors.ts";
import { LIST_PAGE } from "../../../schemas/paging.ts";
import { IdParams } from "../../../schemas/primitives.ts";
import { NAMED_OLDEST_FIRST } from "../../../schemas/sorting.ts";
import { admin, firstParty } from "../../auth/guards.ts";
import type { GatewayContext } from "../../context.ts";
import { actorIdFor } from "../../http/actor-id.ts";
import { created, done, errors, ok } from "../../http/envelope.ts";
import { cursorPagination, listPage, ownList } from "../../http/paging.ts";
import { timeIn } from "../../http/time.ts";

const SECRET_BYTES = 32;
/** Each of these requests makes a new token: an idempotency key would have no effect. */
const WITHOUT_KEY = { "x-idempotency-key": false };

/** Credentials that are issued to an account login (design §3 "Credentials"). */
export const tokenRoutes = ({
  db,
  actors,
  credentials,
  issuer,
  newId,
  announceEndedSessions,
}: GatewayContext) => {
  const ownRealm = async (userId: string, realmId: string) => {
    if ((await readProject(db, userId, realmId)) === undefined) {
      throw new DomainError("PROJECT_NOT_FOUND", "You have no project with this id to bind the token to");
    }
  };

  const ofTheUser = new Elysia({ prefix: "/api/v1/auth" })
    .use(firstParty(credentials))
    .get(
      "/tokens",
      async ({ caller, query }) => {
        const page = listPage(ownList("tokens", caller), query, LIST_PAGE, NAMED_OLDEST_FIRST);
        const { rows: tokens, total, next } = await listTokens(db, caller.userId, page);
        return ok("Tokens", { tokens, count: total, pagination: cursorPagination(page, next) });
      },
      {
        query: TokensQuery,
        response: { 200: TokensReply },
        detail: { summary: "Your API tokens, oldest first" },
      },
    )
    .post(
      "/tokens",
      async ({ caller, body, operation }) => {
        const { name, permissions, realm_id = null } = body;
        const expiresAt = body.expires_at == null ? undefined : timeIn("body.expires_at", body.expires_at);
        if (expiresAt !== undefined && expiresAt.getTime() <= Date.now()) {
          throw new ValidationError("body.expires_at", "must be in the future");
        }
        if (realm_id !== null) await ownRealm(caller.userId, realm_id);
        const id = actorIdFor("api_token", caller.userId, operation, newId);
        const token = `${TOKEN_PREFIX}${id}_${randomBytes(SECRET_BYTES).toString("base64url")}`;
        const hash = createHash("sha256").update(token).digest("hex");
        const expires_at = expiresAt?.toISOString() ?? null;
        const { value } = await actors
          .token(caller.userId)
          .create({ id, hash, name, permissions, expires_at, realm_id }, operation);
        const { hash: kept, ...record } = value;
        // The secret of the first request counts. It is not stored, so a repeated request cannot return it.
        return created("Token created", { ...record, token: kept === hash ? token : null });
      },
      {
        body: CreateToken,
        response: {
          201: TokenCreatedReply,
          ...errors("PROJECT_NOT_FOUND", "QUOTA_EXCEEDED", "IDEMPOTENCY_KEY_REUSED"),
        },
        detail: {
          summary: "Create an API token; only this reply shows it",
          "x-shown-once": ["token"],
          description:
            "For `Authorization: Bearer`, or as the password of `Authorization: Basic` with your user name. It may do what its `permissions` " +
            "say, and with a `realm_id` (a project of yours) only in that project. It never manages tokens or administers.",
        },
      },
    )
    .delete(
      "/tokens/:id",
      async ({ caller, params, operation }) => {
        await actors.token(caller.userId).revoke({ token_id: params.id }, operation);
        await announceEndedSessions(caller.userId, [params.id]);
        return done("Token deleted");
      },
      {
        params: IdParams,
        response: { 200: EmptyReply, ...errors("TOKEN_NOT_FOUND") },
        detail: { summary: "Delete an API token: it is refused from now on" },
      },
    )
    .post(
      "/realm",
      async ({ caller, body }) => {
        await ownRealm(caller.userId, body.realm_id);
        const { userId: sub, sessionId: sid, role, username } = caller;
        const short = await issuer.issue({
          sub,
          sid,
          role,
          username,
          cred: "realm",
          realm_id: body.realm_id,
        });
        return created("Realm session", { access_token: short.token, expires_in: short.expiresIn });
      },
      {
        body: RealmSession,
        response: { 201: ShortTokenReply, ...errors("PROJECT_NOT_FOUND") },
        detail: {
          summary: "A short session that reaches one project and nothing else",
          description: "It ends with the session that asked for it.",
          ...WITHOUT_KEY,
        },
      },
    );

  const ofTheAdministrator = new Elysia({ prefix: "/api/v1/auth" }).use(admin(credentials)).post(
    "/impersonate",
    async ({ caller, body, operation, operator }) => {
      const user = await readUser(db, body.user_id);
      if (user === undefined) throw new DomainError("USER_NOT_FOUND", "User not found");
      await actors
        .account(user.id)
        .impersonate(
          { admin_id: caller.userId, admin: caller.username, reason: body.reason, operator },
          operation.hasClientKey ? {} : { key: operation.key },
        );
      const { id: sub, role, username } = user;
      const short = await issuer.issue({
        sub,
        sid: caller.sessionId,
        role,
        username,
        cred: "impersonation",
        act: { sub: caller.userId },
      });
      return created("Acting as the user", { access_token: short.token, expires_in: short.expiresIn });
    },
    {
      body: Impersonate,
      response: {
        201: ShortTokenReply,
        ...errors("USER_NOT_FOUND", "INSUFFICIENT_PERMISSIONS", "ACCOUNT_SUSPENDED"),
      },
      detail: {
        summary: "Act as a user for a while",
        description:
          "The user's event log names the administrator and the reason; the administrator's event log names the user. An impersonation cannot spend money, " +
          "delete events or manage tokens, and ends with the administrator's own session. " +
          "Administrators cannot be impersonated, and suspended users neither: an impersonation may do what its user may, which is nothing.",
        ...WITHOUT_KEY,
      },
    },
  );

  return new Elysia({ detail: { tags: ["Credentials"] } }).use(ofTheUser).use(ofTheAdministrator);
};
