import { afterAll, beforeAll, expect, test } from "bun:test";
import { PERMISSION_NAMES, type Permission } from "../../../schemas/permissions.ts";
import { type SharedStack, sharedStack } from "../../harness/shared-stack.ts";
import { apiToken, basic, impersonate, realmToken } from "../routes/accounts/token/credentials.ts";
import { EXPECTED_ACCESS, type ExpectedAccess } from "./expected-access.ts";

const IN_FLIGHT_MAX = 8;
const SOME_ID = "0123456789abcdef01234567";

/** A way to come: the header, and whether a route with this access takes it. */
interface Visitor {
  readonly name: string;
  readonly authorization: string | undefined;
  mayUse(access: ExpectedAccess): boolean;
}

let stack: SharedStack;
let visitors: Visitor[];
beforeAll(async () => {
  stack = await sharedStack();
  visitors = await everyVisitor();
});
afterAll(() => stack.stop());

async function everyVisitor(): Promise<Visitor[]> {
  const user = await stack.user();
  const admin = await stack.user({ role: "admin" });
  const project = await stack.call("POST", "/api/v1/projects", {
    token: user.token,
    body: { name: "realm" },
  });
  const realm_id: string = project.body.data.id;
  const bearer = (token: string) => `Bearer ${token}`;
  const ofKind = (kind: "impersonation" | "realm", token: string): Visitor => ({
    name: kind,
    authorization: bearer(token),
    mayUse: ({ credentials }) => credentials.includes(kind),
  });
  const byPermission = async (name: string, permissions: readonly Permission[], fields = {}) => {
    const { token } = await apiToken(stack, user, permissions, fields);
    const has = ({ permission }: ExpectedAccess) => permissions.some((one) => one === permission);
    const isBound = "realm_id" in fields;
    const mayUse = (access: ExpectedAccess) =>
      has(access) && (!isBound || access.credentials.includes("realm"));
    return [
      { name: `api_token ${name}`, authorization: bearer(token), mayUse },
      { name: `basic ${name}`, authorization: basic(user.username, token).authorization, mayUse },
    ];
  };
  const tokens = await Promise.all([
    byPermission("without a permission", []),
    byPermission("of a realm", PERMISSION_NAMES, { realm_id }),
    ...PERMISSION_NAMES.map((one) => byPermission(`with ${one}`, [one])),
    ...PERMISSION_NAMES.map((one) =>
      byPermission(
        `without ${one}`,
        PERMISSION_NAMES.filter((name) => name !== one),
      ),
    ),
  ]);
  return [
    { name: "nobody", authorization: undefined, mayUse: () => false },
    {
      name: "account",
      authorization: bearer(user.token),
      mayUse: ({ permission }) => permission !== "administrator",
    },
    { name: "administrator", authorization: bearer(admin.token), mayUse: () => true },
    ofKind("impersonation", await impersonate(stack, admin, user.id)),
    ofKind("realm", await realmToken(stack, user, realm_id)),
    ...tokens.flat(),
  ];
}

/** Spellings of a path that a router, or something before it, might take for the same route. */
const SPELLINGS: Readonly<Record<string, (path: string) => string>> = {
  "a trailing slash": (path) => (path.endsWith("/") ? path.slice(0, -1) : `${path}/`),
  "two trailing slashes": (path) => `${path.replace(/\/$/, "")}//`,
  "a double slash": (path) => path.replace(/\/([^/]+)\/?$/, "//$1"),
  "a double slash at the front": (path) => `/${path}`,
  "an encoded slash": (path) => path.replace(/\/([^/]+)\/?$/, "%2F$1"),
  "an encoded letter": (path) =>
    path.replace(/\/([a-z])([^/]*)\/?$/, (_, first, rest) => `/${encoded(first)}${rest}`),
  "upper case": (path) => path.toUpperCase(),
  "a capital at the end": (path) =>
    path.replace(/\/([a-z])([^/]*)\/?$/, (_, first, rest) => `/${first.toUpperCase()}${rest}`),
  "a path parameter": (path) => `${path};x`,
  "a path parameter with a slash": (path) => `${path};x/`,
  "an encoded question mark": (path) => `${path}%3Fx`,
};
const encoded = (letter: string) => `%${letter.charCodeAt(0).toString(16)}`;

interface Request {
  readonly what: string;
  readonly method: string;
  readonly path: string;
  readonly authorization: string | undefined;
}

async function send({ method, path, authorization }: Request): Promise<{ status: number; code: string }> {
  const isBodiless = method === "GET";
  const response = await fetch(stack.url + path, {
    method,
    redirect: "manual",
    headers: {
      ...(authorization === undefined ? {} : { authorization }),
      ...(isBodiless ? {} : { "content-type": "application/json" }),
    },
    ...(isBodiless ? {} : { body: "{}" }),
  });
  if (response.status < 400) {
    await response.body?.cancel();
    return { status: response.status, code: "" };
  }
  const { code, data } = (await response.json()) as { code: string; data?: { field?: string } };
  return { status: response.status, code: code === "VALIDATION_ERROR" ? `${code} ${data?.field}` : code };
}

/** Does the same with each, so many at once and no more. */
async function forEach<T>(all: Iterable<T>, act: (one: T) => Promise<void>): Promise<void> {
  const left = all[Symbol.iterator]();
  const worker = async () => {
    for (let next = left.next(); !next.done; next = left.next()) await act(next.value);
  };
  await Promise.all(Array.from({ length: IN_FLIGHT_MAX }, worker));
}

const guarded = Object.entries(EXPECTED_ACCESS)
  .filter(([, { permission }]) => permission !== "none")
  .map(([route, access]) => {
    const [method = "", pattern = ""] = route.split(" ");
    // A code is no id.
    const path = pattern.replace(":user_code", "BCDF-GHJK").replace(/:\w+/g, SOME_ID);
    return { route, method, access, path };
  });

test("each route takes the credentials that it should, and refuses all others", async () => {
  const wrong: string[] = [];
  const requests = guarded.flatMap(({ route, method, access, path }) =>
    visitors.map((visitor) => ({ visitor, access, what: `${route} as ${visitor.name}`, method, path })),
  );
  await forEach(requests, async ({ visitor, access, what, method, path }) => {
    // No route takes this query, and none looks at a query before it has asked who calls.
    const asked = {
      what,
      method,
      path: `${path}?nothing-takes-this=1`,
      authorization: visitor.authorization,
    };
    const { status, code } = await send(asked);
    const expected = visitor.mayUse(access)
      ? "VALIDATION_ERROR"
      : visitor.authorization === undefined
        ? "MISSING_TOKEN"
        : "INSUFFICIENT_PERMISSIONS";
    if (!code.startsWith(expected) && !(expected === "VALIDATION_ERROR" && code === "INVALID_IMAGE_ID"))
      wrong.push(`${what}: ${status} ${code}, not ${expected}`);
  });
  expect(wrong).toEqual([]);
  expect(requests.length).toBeGreaterThan(3_000);
});

/** Of API tokens those with every permission but the route's, which any fallback would let in; and one of each other kind. */
const isTelling = ({ name }: Visitor, { permission }: ExpectedAccess): boolean =>
  !/^(api_token|basic) with/.test(name) ||
  name.endsWith(` without ${permission}`) ||
  name.endsWith(" without a permission");

test("no other spelling of a path lets in whom the plain path refuses", async () => {
  const wrong: string[] = [];
  const requests: Request[] = guarded.flatMap(({ route, method, access, path }) =>
    visitors
      .filter((visitor) => !visitor.mayUse(access) && isTelling(visitor, access))
      .flatMap(({ name, authorization }) =>
        Object.entries(SPELLINGS).map(([how, spell]) => ({
          what: `${route} with ${how} as ${name}`,
          method,
          path: spell(path),
          authorization,
        })),
      ),
  );
  await forEach(requests, async (request) => {
    const { status, code } = await send(request);
    if (!isRefusal(code)) wrong.push(`${request.what}: ${request.path} answered ${status} ${code}`);
  });
  expect(wrong).toEqual([]);
  expect(requests.length).toBeGreaterThan(5_000);
});

/** No route, or one whose `:id` the path's last part is not: nothing else was reached, and nothing was done. */
const isRefusal = (code: string) =>
  /^(MISSING_TOKEN|INSUFFICIENT_PERMISSIONS|ROUTE_NOT_FOUND|METHOD_NOT_ALLOWED|RECORD_NOT_FOUND.*)$/.test(
    code,
  );
