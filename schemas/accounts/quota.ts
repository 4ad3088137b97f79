import { type Static, Type } from "@sinclair/typebox";
import { Reply } from "../envelope.ts";
import { DomainError } from "../errors.ts";
import { Id, Nullable, OneOf, Strict } from "../primitives.ts";

/** Quotas: how many of a thing a user, project, pool, server or container may have at once (docs/limits.md). */

export const QUOTA_SCOPES = ["user", "project", "pool", "server", "container"] as const;
export type QuotaScope = (typeof QUOTA_SCOPES)[number];

interface Quota {
  readonly scope: QuotaScope;
  /** The limit unless the operator sets another one. */
  readonly standard: number;
  /** The most that an operator may set: the memory of one actor and the size of one message are bounded. */
  readonly max: number;
  readonly description: string;
}

export const QUOTAS = {
  projects_per_user: { scope: "user", standard: 100, max: 100_000, description: "projects" },
  pools_per_user: {
    scope: "user",
    standard: 50,
    max: 10_000,
    description: "pools that the user owns, the default pool not counted",
  },
  containers_per_user: {
    scope: "user",
    standard: 100,
    max: 100_000,
    description: "containers that the user created and has not deleted",
  },
  api_tokens_per_user: { scope: "user", standard: 50, max: 1_000, description: "API tokens that are valid" },
  webhooks_per_user: { scope: "user", standard: 20, max: 500, description: "webhooks" },
  payment_methods_per_user: { scope: "user", standard: 50, max: 500, description: "payment methods" },
  sessions_per_user: {
    scope: "user",
    standard: 50,
    max: 500,
    description: "account sessions; a new sign-in ends the oldest session instead of being refused",
  },
  pending_invitations_per_user: {
    scope: "user",
    standard: 100,
    max: 10_000,
    description: "pool invitations that the user sent and that wait for an answer",
  },
  open_reservations_per_user: {
    scope: "user",
    standard: 50,
    max: 10_000,
    description: "reservations that are being paid for or wait for delivery",
  },
  open_top_ups_per_user: {
    scope: "user",
    standard: 50,
    max: 10_000,
    description: "payment intents that are pending",
  },
  domains_per_user: { scope: "user", standard: 50, max: 10_000, description: "own domains of proxy aliases" },
  containers_per_project: {
    scope: "project",
    standard: 100,
    max: 100_000,
    description: "containers that are not deleted",
  },
  storage_shares_per_project: {
    scope: "project",
    standard: 50,
    max: 10_000,
    description: "storage shares that are not deleted",
  },
  members_per_pool: {
    scope: "pool",
    standard: 200,
    max: 2_000,
    description: "members and pending invitations, the owner not counted",
  },
  containers_per_server: {
    scope: "server",
    standard: 500,
    max: 20_000,
    description: "containers, including deleted containers that the server has not removed yet",
  },
  storage_shares_per_server: {
    scope: "server",
    standard: 500,
    max: 10_000,
    description: "storage shares, including deleted shares that the server has not removed yet",
  },
  aliases_per_server: { scope: "server", standard: 20_000, max: 50_000, description: "proxy aliases" },
  aliases_per_container: { scope: "container", standard: 1_000, max: 20_000, description: "proxy aliases" },
  firewall_rules_per_container: {
    scope: "container",
    standard: 100,
    max: 10_000,
    description: "firewall rules",
  },
} as const satisfies Record<string, Quota>;

export type QuotaName = keyof typeof QUOTAS;
export const QUOTA_NAMES = Object.keys(QUOTAS) as QuotaName[];

/** The limit of every quota. */
export type Quotas = Readonly<Record<QuotaName, number>>;

/** The data of the refusal. `used` is the count before the refused request. */
export const QuotaExceeded = Type.Object({
  quota: OneOf(QUOTA_NAMES),
  scope: OneOf(QUOTA_SCOPES),
  limit: Type.Integer(),
  used: Type.Integer(),
});

/** The refusal of a request that would exceed a quota. */
export const quotaExceeded = (quota: QuotaName, limit: number, used: number): DomainError => {
  const { scope, description } = QUOTAS[quota];
  return new DomainError(
    "QUOTA_EXCEEDED",
    `the quota ${quota} is reached: ${used} of ${limit} (${description})`,
    { quota, scope, limit, used } satisfies Static<typeof QuotaExceeded>,
  );
};

export const QuotaQuery = Strict({
  project_id: Type.Optional(Id),
  pool_id: Type.Optional(Id),
  server_id: Type.Optional(Id),
  container_id: Type.Optional(Id),
});

export const QuotaUse = Type.Object({
  quota: OneOf(QUOTA_NAMES, "name of the quota"),
  description: Type.String({ description: "what the quota counts" }),
  scope: OneOf(QUOTA_SCOPES, "what has the limit: each user, project, pool, server or container"),
  scope_id: Nullable(Type.String({ description: "id of the user, project, pool, server or container" })),
  limit: Type.Integer({ description: "the most there may be at once" }),
  used: Nullable(
    Type.Integer({ description: "how many there are now; null where the query names none of the scope" }),
  ),
});
export type QuotaUse = Static<typeof QuotaUse>;

export const QuotasReply = Reply(Type.Object({ quotas: Type.Array(QuotaUse), count: Type.Integer() }));
