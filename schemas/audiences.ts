import type { EventRecord } from "./events.ts";

/**
 * Who may read an event besides the user in whose log it is: whoever may read the thing that it tells of, at the moment of reading
 * (docs/decisions/0046-shared-events.md).
 */
export type Audience = `${AudienceKind}:${string}` | typeof EVERYBODY_AUDIENCE;
export type AudienceKind = "server" | "pool" | "pool-admins";

/** Whoever may read the containers of a server. */
export const serverAudience = (serverId: string): Audience => `server:${serverId}`;
/** The members of a pool. Its owner has every event of the pool in a log of their own. */
export const poolAudience = (poolId: string): Audience => `pool:${poolId}`;
/** Members who may see its invitations. */
export const poolAdminsAudience = (poolId: string): Audience => `pool-admins:${poolId}`;
/** Every user. */
export const EVERYBODY_AUDIENCE = "everybody";

/** The ids of one kind among audiences. */
export const idsOf = (kind: AudienceKind, audiences: readonly string[]): string[] =>
  audiences
    .filter((audience) => audience.startsWith(`${kind}:`))
    .map((audience) => audience.slice(kind.length + 1));

/** A change of a pool is also in the logs of who made it and of whom it concerns: they do not read the owner's event as well. */
export const hasOwnCopy = (
  { resource_type, data }: Pick<EventRecord, "resource_type" | "data">,
  userId: string,
): boolean => resource_type === "pool" && (data.by === userId || data.user_id === userId);
