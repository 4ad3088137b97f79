import { expect, test } from "bun:test";
import { credentialsFor } from "../../../gateway/auth/access.ts";
import { gateOf } from "../../../gateway/auth/guards.ts";
import { appRoutes } from "./app-routes.ts";
import { EXPECTED_ACCESS, type ExpectedAccess } from "./expected-access.ts";

test("every route has the permission, and takes the kinds of credential, that are expected of it", () => {
  const stated: Record<string, ExpectedAccess> = {};
  for (const route of appRoutes()) {
    const { access } = gateOf(route);
    const name = access.kind === "public" ? "none" : access.kind;
    stated[`${route.method} ${route.path}`] = {
      permission: name === "permission" && access.kind === "permission" ? access.permission : (name as never),
      credentials: credentialsFor(access),
    };
  }
  expect(stated).toEqual(EXPECTED_ACCESS);
});

test("each public route says why it is public", () => {
  for (const route of appRoutes()) {
    const { access } = gateOf(route);
    if (access.kind === "public") expect(access.reason.length).toBeGreaterThan(10);
  }
});
