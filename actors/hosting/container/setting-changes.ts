import { createHash } from "node:crypto";
import type { RestartReason } from "../../../schemas/hosting/container.ts";

/** A value that a setting has had: the desired revision in which it began, and its digest, since values may be long. */
type Value = readonly [revision: number, digest: string];

/**
 * The values that a setting had, oldest first. A number is from before there were values: the revision of the last change, whose value is
 * the present one.
 */
type Values = readonly Value[] | number;
export type SettingChanges = { readonly [K in RestartReason]?: Values };

/** Who changes a setting more often between two starts is told that a restart applies it, also after a change back. */
const VALUES_MAX = 16;

/** Of members in any order: the database has one of its own. */
const digestOf = (value: unknown) =>
  createHash("sha256").update(JSON.stringify(value, sortMembers)).digest("base64url");

const sortMembers = (_key: string, value: unknown) =>
  typeof value !== "object" || value === null || Array.isArray(value)
    ? value
    : Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));

/** @param values those before the change; undefined for a setting that has not changed */
export function withChange(
  values: Values | undefined,
  change: { readonly from: unknown; readonly to: unknown; readonly revision: number },
): Values {
  const since = typeof values === "number" ? values : 0;
  const before = typeof values === "object" ? values : ([[since, digestOf(change.from)]] as const);
  return [...before, [change.revision, digestOf(change.to)] as const].slice(-VALUES_MAX);
}

/** Whether a container that was started with a revision runs with another value than the present one. */
export function isPending(values: Values | undefined, startedRevision: number): boolean {
  if (values === undefined) return false;
  if (typeof values === "number") return values > startedRevision;
  const running = values.findLast(([revision]) => revision <= startedRevision);
  return running?.[1] !== values.at(-1)?.[1];
}
