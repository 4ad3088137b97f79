import { type Quotas, quotaExceeded } from "../../../schemas/accounts/quota.ts";
import { DomainError, ValidationError } from "../../../schemas/errors.ts";
import type { EventType } from "../../../schemas/events.ts";
import type { AliasToCreate, AliasToPatch } from "../../../schemas/hosting/alias.ts";
import { expiryOf } from "./expiry.ts";
import { assertLabel, isReserved } from "./names.ts";
import { targetPathOf } from "./path.ts";
import { type Target, targetOf } from "./target.ts";

/** An alias as its actor holds it. */
export interface AliasEntry extends Target {
  readonly id: string;
  readonly serverName: string;
  /** The part of the server that its container is on; null: the server itself. */
  readonly subserverId: string | null;
  readonly subserverName: string | null;
  readonly userId: string;
  readonly projectId: string;
  readonly containerId: string;
  readonly alias: string;
  readonly targetPath: string | null;
  readonly allowPathOverride: boolean;
  readonly expiresAt: Date | null;
  /** As last recorded. An alias that has expired since counts as disabled: see `lapse`. */
  readonly enabled: boolean;
  /** Users' own domains that lead to it. */
  readonly domains: readonly string[];
  /** The server's count of changes at the time of this change. */
  readonly revision: number;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** All aliases of a server, by id. */
export interface AliasServer {
  readonly revision: number;
  readonly aliases: ReadonlyMap<string, AliasEntry>;
}

export const NO_ALIASES: AliasServer = { revision: 0, aliases: new Map() };

export type AliasQuotas = Pick<Quotas, "aliases_per_container" | "aliases_per_server">;

/** The alias's owner and place, as the gateway has read them. */
export type Placement = Pick<
  AliasEntry,
  "id" | "serverName" | "subserverId" | "subserverName" | "userId" | "projectId" | "containerId" | "revision"
>;

/** What a change of one alias needs. */
export interface Circumstances {
  readonly now: Date;
  /** The label for an alias without a chosen one. */
  readonly generated: string;
  readonly reserved: ReadonlySet<string>;
  readonly quotas: AliasQuotas;
}

/** @throws INVALID_ALIAS_FORMAT, ALIAS_RESERVED, ALIAS_IN_USE, QUOTA_EXCEEDED, ValidationError */
export function makeAlias(
  server: AliasServer,
  placement: Placement,
  asked: AliasToCreate,
  around: Circumstances,
): AliasEntry {
  const { now } = around;
  const alias = freeLabel(server, asked.alias ?? false, placement, around);
  const expiresAt = expiryOf(asked.expires_at ?? null);
  if (isPast(expiresAt, now)) throw pastExpiry();
  assertQuotas(server, placement.containerId, around.quotas);
  return {
    ...placement,
    ...targetOf(asked),
    alias,
    targetPath: pathOf(asked.target_path ?? null),
    allowPathOverride: asked.allow_path_override ?? true,
    expiresAt,
    enabled: asked.enabled ?? true,
    domains: [],
    createdAt: now,
    updatedAt: now,
  };
}

/**
 * An alias with the requested changes. The caller sets its revision and time of change.
 *
 * @throws INVALID_ALIAS_FORMAT, ALIAS_RESERVED, ALIAS_IN_USE, ALIAS_EXPIRED, ValidationError
 */
export function changeAlias(
  server: AliasServer,
  before: AliasEntry,
  asked: AliasToPatch,
  around: Circumstances,
): AliasEntry {
  const { now, reserved } = around;
  const keepsLabel = asked.alias === undefined || asked.alias === before.alias;
  const alias = keepsLabel ? before.alias : freeLabel(server, asked.alias ?? false, before, around);
  const expiresAt = asked.expires_at === undefined ? before.expiresAt : expiryOf(asked.expires_at);
  // A client may send back unchanged values.
  if (isPast(expiresAt, now) && !same(expiresAt, before.expiresAt)) throw pastExpiry();
  const hasExpired = isPast(expiresAt, now);
  if (asked.enabled === true && hasExpired) throw expired(asked);
  const enabled = (asked.enabled ?? before.enabled) && !hasExpired;
  if (enabled && !before.enabled && isReserved(alias, reserved)) throw reservedName();
  return {
    ...before,
    ...targetOf(asked, before),
    alias,
    targetPath: asked.target_path === undefined ? before.targetPath : pathOf(asked.target_path),
    allowPathOverride: asked.allow_path_override ?? before.allowPathOverride,
    expiresAt,
    enabled,
  };
}

/** An alias at a time: an expired one is disabled, whether or not that is recorded yet. */
export const lapse = (alias: AliasEntry, now: Date): AliasEntry =>
  alias.enabled && isPast(alias.expiresAt, now) ? { ...alias, enabled: false } : alias;

/** When the next of a server's aliases expires, in milliseconds since 1970; infinity when none does. */
export function nextExpiryMs({ aliases }: AliasServer): number {
  let next = Number.POSITIVE_INFINITY;
  for (const { enabled, expiresAt } of aliases.values()) {
    if (enabled && expiresAt !== null) next = Math.min(next, expiresAt.getTime());
  }
  return next;
}

/** The fields whose change is an update event; `enabled` has events of its own. */
const FIELDS = {
  alias: "alias",
  program: "program",
  index: "index",
  targetPath: "target_path",
  allowPathOverride: "allow_path_override",
  expiresAt: "expires_at",
} as const satisfies Partial<Record<keyof AliasEntry, string>>;

/** What happened between two states of an alias, as events with the fields that were changed. */
export function eventsBetween(
  before: AliasEntry,
  after: AliasEntry,
  now: Date,
): { type: EventType; changed?: string[] }[] {
  const changed = Object.entries(FIELDS)
    .filter(([field]) => !same(before[field as keyof AliasEntry], after[field as keyof AliasEntry]))
    .map(([, name]) => name);
  return [
    ...(changed.length > 0 ? [{ type: "proxy_alias.updated" as const, changed }] : []),
    ...(before.enabled === after.enabled ? [] : [{ type: switched(after, now) }]),
  ];
}

const switched = ({ enabled, expiresAt }: AliasEntry, now: Date): EventType => {
  if (enabled) return "proxy_alias.enabled";
  return isPast(expiresAt, now) ? "proxy_alias.expired" : "proxy_alias.disabled";
};

const same = (a: unknown, b: unknown): boolean =>
  a instanceof Date && b instanceof Date ? a.getTime() === b.getTime() : a === b;

const isPast = (time: Date | null, now: Date): boolean => time !== null && time <= now;

const pathOf = (asked: string | null): string | null => (asked === null ? null : targetPathOf(asked));

/** The requested label, which must be free on this server. */
function freeLabel(
  { aliases }: AliasServer,
  asked: string | false,
  { id, userId, projectId }: Placement,
  { generated, reserved }: Circumstances,
): string {
  if (asked === false) return generated;
  assertLabel(asked);
  if (isReserved(asked, reserved)) throw reservedName();
  for (const other of aliases.values()) {
    if (other.alias !== asked || other.id === id) continue;
    const isOwn = other.userId === userId && other.projectId === projectId;
    throw new DomainError(
      "ALIAS_IN_USE",
      isOwn
        ? "this project has an alias of this name on the server; change that one, or delete it first"
        : "the alias is used by another user or project on this server",
    );
  }
  return asked;
}

/** @throws QUOTA_EXCEEDED */
function assertQuotas({ aliases }: AliasServer, containerId: string, quotas: AliasQuotas): void {
  let own = 0;
  for (const alias of aliases.values()) if (alias.containerId === containerId) own += 1;
  assertBelow("aliases_per_container", own, quotas);
  assertBelow("aliases_per_server", aliases.size, quotas);
}

function assertBelow(quota: keyof AliasQuotas, used: number, { [quota]: limit }: AliasQuotas): void {
  if (used >= limit) throw quotaExceeded(quota, limit, used);
}

const pastExpiry = () => new ValidationError("body.expires_at", "must lie in the future");

const reservedName = () =>
  new DomainError(
    "ALIAS_RESERVED",
    "this name is reserved: an alias of it can neither be made nor enabled; choose another one, or delete it",
    { field: "body.alias" },
  );

function expired({ expires_at }: AliasToPatch): DomainError {
  return expires_at === undefined
    ? new DomainError("ALIAS_EXPIRED", "the alias has expired: give it a later expires_at, or null")
    : new ValidationError("body.expires_at", "must lie in the future for an alias that is to be enabled");
}
