import { type Static, Type } from "@sinclair/typebox";
import { Reply } from "../envelope.ts";
import { CursorPagination, namedListQuery, TotalCount } from "../paging.ts";
import { PERMISSION_NAMES, PERMISSIONS, type Permission } from "../permissions.ts";
import { Id, IdempotencyKey, Nullable, Strict, Timestamp } from "../primitives.ts";
import { NAMED_OLDEST_FIRST } from "../sorting.ts";
import { Text } from "../text.ts";

/** API tokens and the other credentials that an account login can create (design §3 "Credentials"). */

/** `berth_<id>_<secret>`: the id finds the record, and only the secret's hash is stored. */
export const TOKEN_PREFIX = "berth_";
export const API_TOKEN = /^berth_([0-9a-f]{24})_[A-Za-z0-9_-]{43}$/;

export const PermissionName = Type.Unsafe<Permission>(
  Type.Union(
    PERMISSION_NAMES.map((name) => Type.Literal(name, { description: PERMISSIONS[name] })),
    { description: PERMISSION_NAMES.map((name) => `\`${name}\`: ${PERMISSIONS[name]}`).join("; ") },
  ),
);

export const NewTokenFields = {
  name: Text({ minLength: 1, maxLength: 100, pattern: "\\S" }),
  permissions: Type.Array(PermissionName, { maxItems: PERMISSION_NAMES.length, uniqueItems: true }),
  expires_at: Type.Optional(
    Nullable(Type.String({ description: "RFC 3339, in the future; without it the token does not expire" })),
  ),
  realm_id: Type.Optional(Nullable(Id)),
};
export const CreateToken = Strict({
  ...NewTokenFields,
  idempotency_key: Type.Optional(IdempotencyKey),
});

export const ApiToken = Type.Object({
  id: Id,
  name: Type.String(),
  permissions: Type.Array(PermissionName),
  realm_id: Nullable(Id),
  expires_at: Nullable(Timestamp),
  created_at: Timestamp,
});
export type ApiToken = Static<typeof ApiToken>;

export const TokenCreatedReply = Reply(
  Type.Composite([
    ApiToken,
    Type.Object({
      token: Nullable(
        Type.String({
          description: "shown only in this reply; null when the request was repeated under its key",
        }),
      ),
    }),
  ]),
);
export const TokensQuery = namedListQuery(NAMED_OLDEST_FIRST);
export const TokensReply = Reply(
  Type.Object({ tokens: Type.Array(ApiToken), count: TotalCount, pagination: CursorPagination }),
);

export const Impersonate = Strict({
  user_id: Id,
  reason: Text({ minLength: 1, maxLength: 500, pattern: "\\S" }),
});
export const RealmSession = Strict({ realm_id: Id });

/** An access token without a refresh token: after it has expired, the account login requests another. */
export const ShortTokenReply = Reply(
  Type.Object({
    access_token: Type.String({ description: "EdDSA JWT, for the header `Authorization: Bearer`" }),
    expires_in: Type.Integer({ description: "seconds until it expires" }),
  }),
);
