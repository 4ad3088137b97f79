import { Type } from "@sinclair/typebox";
import type { AnyElysia } from "elysia";
import { Strict } from "../../schemas/primitives.ts";
import { gateOf } from "../auth/guards.ts";
import { requestSchema } from "./request-schema.ts";

/** A route without a query schema refuses every parameter: a mistyped filter must not count as "no filter". */
export const NoQuery = Strict({});
/** A route without a body schema accepts no body, or `{}`, which some clients send with every POST. */
export const NoBody = Type.Optional(Strict({}));

/**
 * Checks at the start that each route declares what it must, and adds the strict defaults. It runs before the routes
 * join the app, since one level up Elysia lets a guard's schema override the route's own. Throws at the start, never
 * on a request.
 */
export function strict<T extends AnyElysia>(routes: T): T {
  for (const route of routes.routes) {
    const { method, path, hooks } = route;
    const mustDeclare = (what: string, isDeclared: boolean) => {
      if (!isDeclared) throw new Error(`${method} ${path} must declare ${what}`);
    };
    const gate = gateOf(route);
    const isHidden = hooks.detail?.hide === true;
    mustDeclare("its params", hooks.params !== undefined || !/[:*]/.test(path));
    mustDeclare("its response", hooks.response !== undefined || isHidden);
    mustDeclare("its detail.summary", hooks.detail?.summary !== undefined || isHidden);
    hooks.query ??= NoQuery;
    if (gate.body === "json") hooks.body ??= NoBody;
    for (const place of ["params", "query", "body"] as const) {
      const schema = hooks[place];
      if (schema !== undefined && schema !== NoBody) hooks[place] = requestSchema(schema);
    }
  }
  return routes;
}
