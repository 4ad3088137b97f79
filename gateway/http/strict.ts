import { Type } from "@sinclair/typebox";
import type { AnyElysia } from "elysia";
import { Strict } from "../../schemas/primitives.ts";
import { gateOf } from "../auth/guards.ts";
import { requestSchema } from "./request-schema.ts";

/** A route without a query takes none: a mistyped filter must not read as "no filter". */
export const NoQuery = Strict({});
/** A route without a body takes none, or `{}`, which some clients send with every POST. */
export const NoBody = Type.Optional(Strict({}));

/**
 * Checks at start what a route must say for itself, and gives it the strict defaults for what it left out. It happens
 * before the routes join the app, since Elysia lets a guard's schema win over a route's own one level further up.
 * Throws at start, never on a request.
 */
export function strict<T extends AnyElysia>(routes: T): T {
  for (const route of routes.routes) {
    const { method, path, hooks } = route;
    const mustSay = (what: string, isSaid: boolean) => {
      if (!isSaid) throw new Error(`${method} ${path} must say ${what}`);
    };
    const gate = gateOf(route);
    const isHidden = hooks.detail?.hide === true;
    mustSay("its params", hooks.params !== undefined || !/[:*]/.test(path));
    mustSay("its response", hooks.response !== undefined || isHidden);
    mustSay("its detail.summary", hooks.detail?.summary !== undefined || isHidden);
    hooks.query ??= NoQuery;
    if (gate.body === "json") hooks.body ??= NoBody;
    for (const place of ["params", "query", "body"] as const) {
      const schema = hooks[place];
      if (schema !== undefined && schema !== NoBody) hooks[place] = requestSchema(schema);
    }
  }
  return routes;
}
