import { Elysia } from "elysia";
import type { Caller } from "../../schemas/accounts/auth.ts";
import { DomainError } from "../../schemas/errors.ts";
import type { Permission } from "../../schemas/permissions.ts";
import type { Connection } from "../http/client-address.ts";
import { BODY_BYTES_MAX, readBytes, readJson } from "../http/json-body.ts";
import { collectRepeatedParameters } from "../http/repeated-query.ts";
import { readOperation } from "../idempotency.ts";
import { type Access, denialOf, type GuardedAccess } from "./access.ts";
import { invalidToken } from "./access-tokens.ts";
import type { RequestLimits } from "./request-limits.ts";

/** Maps a credential to its caller. Each method throws INVALID_TOKEN. */
interface Verifier {
  verify(token: string, from: Connection): Caller | Promise<Caller>;
  /**
   * Verifies a user name and an API token of `Authorization: Basic`. Without this method every such credential is
   * refused.
   */
  verifyBasic?(credentials: string, from: Connection): Caller | Promise<Caller>;
  /** Throws SECOND_FACTOR_SETUP_REQUIRED for an administrator who must have a second factor and has none. */
  assertSetUp?(caller: Caller): Promise<void> | undefined;
}

/** The rate limit that counts the requests of a route: the caller's, that of payment processors, or none. */
type Counted = "caller" | "callbacks" | "none";

export interface BodyOptions {
  /** `json` (the default), or `bytes`: the handler's `body` is the Uint8Array that was sent, of any content type. */
  readonly body?: "json" | "bytes";
  readonly bodyBytesMax?: number;
}

export interface CallerOptions extends BodyOptions {
  /** Whether the routes also serve an administrator who has yet to set up the second factor that the operator requires. */
  readonly beforeSetUp?: boolean;
}

export interface OpenOptions extends BodyOptions {
  readonly counted?: Counted;
}

export interface PermissionOptions extends CallerOptions {
  /** Whether a credential that is bound to a realm may use the routes, which then must keep it inside its realm. */
  readonly realm?: boolean;
}

/** A request before its handler. `requestLimits` comes from the app. */
interface Incoming extends Connection {
  readonly set: { readonly headers: Record<string, string | number> };
  readonly requestLimits: RequestLimits;
}

/** What a route requires of its caller, and how it reads a body. The documentation is made from it. */
export interface Gate {
  readonly access: Access;
  readonly body: "json" | "bytes";
  readonly bodyBytesMax: number;
  readonly counted: Counted;
}

/**
 * The routes after it accept a caller whose credential has `permission`. They get `caller`, `operation` and
 * `requestId`. MISSING_TOKEN, INVALID_TOKEN and INSUFFICIENT_PERMISSIONS are thrown before a byte of the body is read
 * (spec, control plane §5.1, §5.2).
 *
 *     new Elysia().use(signedIn(credentials, "wallet.spend")).post("/:id/rent", …)
 */
export const signedIn = (
  verifier: Verifier,
  permission: Permission,
  { realm = false, ...body }: PermissionOptions = {},
) => guarded(verifier, { kind: "permission", permission, realm }, body);

/** The routes after it accept account logins only (spec, control plane §5.3, §5.4). */
export const firstParty = (verifier: Verifier, body: CallerOptions = {}) =>
  guarded(verifier, { kind: "account login" }, body);

/**
 * The routes after it accept administrators with an account login. They also get `operator`, which goes with each command to an
 * actor, for the audit log.
 */
export const admin = (verifier: Verifier, body: BodyOptions = {}) =>
  guarded(verifier, { kind: "administrator" }, body).derive({ as: "scoped" }, (ctx) => {
    const { caller, requestId, request, server, requestLimits } = ctx as typeof ctx &
      Pick<Incoming, "requestLimits">;
    return {
      operator: {
        id: caller.userId,
        request_id: requestId,
        address: requestLimits.addressOf({ request, server }),
      },
    };
  });

/** The routes after it are public, for the given reason. They get `operation` and `requestId`; `caller` is null. */
export const open = (reason: string, { counted = "caller", ...body }: OpenOptions = {}) =>
  requests({ kind: "public", reason }, (incoming) => countAddress(incoming, counted), body, counted);

const guarded = (
  verifier: Verifier,
  access: GuardedAccess,
  { beforeSetUp = false, ...body }: CallerOptions,
) =>
  requests(
    access,
    async (incoming) => {
      const caller = assertAllowed(await countedCaller(verifier, incoming), access);
      if (!beforeSetUp) await verifier.assertSetUp?.(caller);
      return caller;
    },
    body,
    "caller",
  );

/** The gate of each parser made here. The app's start and the documentation look a route's gate up by its parser. */
const gates = new WeakMap<object, Gate>();

/** A route as Elysia lists it. */
interface Route {
  readonly method: string;
  readonly path: string;
  readonly hooks: { readonly parse?: readonly { fn: unknown }[] };
}

/** The gate of a route. @throws Error naming a route that has none, or more than one */
export function gateOf({ method, path, hooks }: Route): Gate {
  const found = (hooks.parse ?? []).flatMap(({ fn }) => {
    const gate = typeof fn === "function" ? gates.get(fn) : undefined;
    return gate === undefined ? [] : [gate];
  });
  const [gate] = found;
  if (gate === undefined)
    throw new Error(
      `${method} ${path} must say who may call: .use(signedIn(…)), .use(firstParty(…)), .use(admin(…)) or .use(open(…))`,
    );
  if (found.length > 1)
    throw new Error(`${method} ${path} has ${found.length} guards on its chain; it must have one`);
  return gate;
}

/**
 * Elysia parses a body before anything that a plugin can hook, save an earlier parser. So the parser asks who calls
 * first; a request without a body passes no parser, and is asked in `derive`, which is before validation.
 */
function requests<C extends Caller | null>(
  access: Access,
  callerOfRequest: (incoming: Incoming) => C | Promise<C>,
  { body = "json", bodyBytesMax = BODY_BYTES_MAX }: BodyOptions,
  counted: Counted,
) {
  const read = body === "bytes" ? readBytes : readJson;
  const parse = async (ctx: Omit<Incoming, "requestLimits"> & { known?: C }) => {
    const { request, server, set, requestLimits } = ctx as typeof ctx & Incoming;
    ctx.known = await callerOfRequest({ request, server, set, requestLimits });
    return read(request, bodyBytesMax);
  };
  gates.set(parse, { access, body, bodyBytesMax, counted });
  return new Elysia()
    .decorate("requestId", "")
    .onParse({ as: "scoped" }, parse)
    .derive({ as: "scoped" }, async (ctx) => {
      const { request, server, set, query, known, requestLimits } = ctx as typeof ctx &
        Pick<Incoming, "requestLimits"> & { known?: C };
      const incoming = { request, server, set, requestLimits };
      const caller = known === undefined ? await callerOfRequest(incoming) : known;
      collectRepeatedParameters(query, request.url);
      return { caller, operation: readOperation(request, ctx.body) };
    });
}

/** The usual spelling. Schemes are case-insensitive (RFC 9110 §11.1). */
const SCHEME = "Bearer ";
const ANY_SCHEME = /^(bearer|basic) +(.*)$/is;

/** The caller of a request's credential. @throws MISSING_TOKEN, INVALID_TOKEN */
export function callerOf(verifier: Verifier, from: Connection): Caller | Promise<Caller> {
  const sent = from.request.headers.get("authorization") ?? "";
  if (sent.startsWith(SCHEME)) return verifier.verify(sent.slice(SCHEME.length).trimStart(), from);
  const [, scheme, credentials = ""] = ANY_SCHEME.exec(sent) ?? [];
  if (scheme === undefined) throw new DomainError("MISSING_TOKEN", "Authentication required");
  if (scheme.toLowerCase() === "bearer") return verifier.verify(credentials, from);
  if (verifier.verifyBasic === undefined) throw invalidToken();
  return verifier.verifyBasic(credentials, from);
}

/** Counts the request and returns its caller. @throws RATE_LIMITED, MISSING_TOKEN, INVALID_TOKEN */
async function countedCaller(verifier: Verifier, incoming: Incoming): Promise<Caller> {
  const { requestLimits, set } = incoming;
  try {
    const caller = await callerOf(verifier, incoming);
    requestLimits.countCaller(caller, set.headers);
    return caller;
  } catch (error) {
    // Failed credentials are counted by address.
    if (error instanceof DomainError && error.status === 401) countAddress(incoming, "caller");
    throw error;
  }
}

function countAddress(incoming: Incoming, counted: Counted): null {
  const { requestLimits, set } = incoming;
  if (counted !== "none")
    requestLimits.countAddress(incoming, set.headers, counted === "callbacks" ? counted : "anonymous");
  return null;
}

/** @throws INSUFFICIENT_PERMISSIONS */
function assertAllowed(caller: Caller, access: GuardedAccess): Caller {
  const refusal = denialOf(access, caller);
  if (refusal !== undefined) throw refusal;
  return caller;
}
