import type { TSchema } from "@sinclair/typebox";
import { status } from "elysia";
import { ErrorReply } from "../../schemas/envelope.ts";
import { ERROR_STATUS, type ErrorCode } from "../../schemas/errors.ts";

/** The success envelope (spec, control plane §1.2): status 200 with data. */
export const ok = <const M extends string, D>(message: M, data: D) => ({ statusCode: 200, message, data });

/** Status 200 without data, as for some deletions. */
export const done = (message: string) => ({ statusCode: 200, message });

/** Status 201 with data. */
export const created = <D>(message: string, data: D) => status(201, { statusCode: 201, message, data });

type StatusOf<C extends ErrorCode> = (typeof ERROR_STATUS)[C];

/** Status 202: what was asked for happens later, if at all. */
export const accepted = (message: string) => status(202, { statusCode: 202, message });

/**
 * The error replies of a route, for its `response` beside the success: `{ 200: Reply, ...errors("NAME_TAKEN") }`.
 * List only the codes of the route's own domain: common errors (validation, token, overload) are documented for all
 * routes.
 */
export function errors<const C extends ErrorCode>(...codes: C[]): { [S in StatusOf<C>]: typeof ErrorReply } {
  const byStatus: Record<number, TSchema> = {};
  for (const status of new Set(codes.map((code) => ERROR_STATUS[code]))) {
    const named = codes.filter((code) => ERROR_STATUS[code] === status);
    byStatus[status] = { ...ErrorReply, description: named.join(", ") };
  }
  return byStatus as { [S in StatusOf<C>]: typeof ErrorReply };
}
