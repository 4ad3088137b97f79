import { Type } from "@sinclair/typebox";
import { ApiToken, NewTokenFields } from "../../../schemas/accounts/token.ts";
import { DomainError } from "../../../schemas/errors.ts";
import type { EventType } from "../../../schemas/events.ts";
import { Id, Nullable, Strict } from "../../../schemas/primitives.ts";
import { deletedAccountConflict } from "../../platform/deleted-account.ts";
import { announceEndedSessions } from "../../platform/ended-sessions.ts";
import { quotaConflicts } from "../../platform/quota-conflicts.ts";
import { recordAudit } from "../../platform/record-audit.ts";
import { recordEvent } from "../../platform/record-event.ts";
import { actor, type Context, command } from "../../runtime/definition.ts";
import { apiTokenTable, type HeldToken, type TokenHolder, tokenHolderTable } from "./table.ts";

type Ctx = Context<TokenHolder>;

const CreateInput = Strict({
  id: Id,
  hash: Type.String({ pattern: "^[0-9a-f]{64}$", description: "SHA-256 of the token" }),
  ...NewTokenFields,
});
const TokenRef = Strict({ token_id: Id });
const Done = Type.Object({});

/** A user's API tokens. Keyed by user. */
export const tokenActor = actor("token", {
  table: tokenHolderTable,
  hasTasks: true,
  empty: (): TokenHolder => ({ tokens: [] }),
  conflicts: { ...quotaConflicts("api_tokens_per_user"), ...deletedAccountConflict() },
  on: {
    /** Creates a token. The reply holds its hash, from which the gateway sees whether its secret is the token's. */
    create: command(
      CreateInput,
      Type.Composite([ApiToken, Type.Object({ hash: Type.String() })]),
      ({ tokens }: TokenHolder, input, ctx: Ctx) => {
        const token: HeldToken = {
          id: input.id,
          name: input.name,
          hash: input.hash,
          permissions: input.permissions,
          realmId: input.realm_id ?? null,
          expiresAt: input.expires_at == null ? null : new Date(input.expires_at),
          createdAt: ctx.now,
        };
        ctx.setState({ tokens: [...tokens, token] });
        ctx.insert("api_tokens", apiTokenTable.row(ctx.actorId, token, { endedAt: null }));
        if (token.expiresAt !== null) {
          ctx.setTimer(expiryOf(token), { at: token.expiresAt, op: "expire", input: { token_id: token.id } });
        }
        tokenEvent(ctx, "auth_token.created", token);
        return {
          id: token.id,
          name: token.name,
          permissions: [...token.permissions],
          realm_id: token.realmId,
          expires_at: token.expiresAt?.toISOString() ?? null,
          created_at: token.createdAt.toISOString(),
          hash: token.hash,
        };
      },
      // Each attempt brings a new secret, which is no part of the request.
      {
        fingerprint: ({ name, permissions, expires_at, realm_id }) =>
          JSON.stringify([name, permissions, expires_at ?? null, realm_id ?? null]),
      },
    ),

    revoke: command(TokenRef, Done, ({ tokens }: TokenHolder, { token_id }, ctx: Ctx) => {
      const token = tokens.find(({ id }) => id === token_id);
      if (token === undefined || (token.expiresAt !== null && token.expiresAt <= ctx.now)) {
        throw new DomainError("TOKEN_NOT_FOUND", "Token not found");
      }
      if (ctx.isPending(expiryOf(token))) ctx.clearTimer(expiryOf(token));
      endToken(tokens, token, ctx, "auth_token.revoked");
      return {};
    }),

    /** Ends all tokens, since the account was suspended. */
    revoke_all: command(
      Strict({ by_id: Nullable(Id) }),
      Done,
      ({ tokens }: TokenHolder, { by_id }, ctx: Ctx) => {
        let left = tokens;
        for (const token of tokens) {
          if (ctx.isPending(expiryOf(token))) ctx.clearTimer(expiryOf(token));
          left = endToken(left, token, ctx, "auth_token.revoked", by_id ?? ctx.actorId);
        }
        return {};
      },
    ),

    expire: command(TokenRef, Done, ({ tokens }: TokenHolder, { token_id }, ctx: Ctx) => {
      const token = tokens.find(({ id }) => id === token_id);
      if (token !== undefined) endToken(tokens, token, ctx, "auth_token.expired");
      return {};
    }),
  },
});

const expiryOf = (token: HeldToken) => `expiry-${token.id}`;

/** Ends a token. Returns those that are left. */
function endToken(
  tokens: readonly HeldToken[],
  token: HeldToken,
  ctx: Ctx,
  event: EventType,
  by = ctx.actorId,
): readonly HeldToken[] {
  const left = tokens.filter(({ id }) => id !== token.id);
  ctx.setState({ tokens: left });
  ctx.update("api_tokens", apiTokenTable.row(ctx.actorId, token, { endedAt: ctx.now }));
  announceEndedSessions(ctx, ctx.actorId);
  tokenEvent(ctx, event, token, by);
  return left;
}

function tokenEvent(ctx: Ctx, event_type: EventType, token: HeldToken, by = ctx.actorId): void {
  const { id, name, permissions, realmId } = token;
  recordEvent(ctx, {
    event_type,
    resource_id: id,
    user_id: ctx.actorId,
    data: { name, permissions, realm_id: realmId },
  });
  const act = event_type === "auth_token.created" ? "token_created" : "token_ended";
  const data = { token_id: id, name, permissions, realm_id: realmId, event: event_type };
  recordAudit(ctx, { act, userId: ctx.actorId, by, data });
}
