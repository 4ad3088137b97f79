import { Elysia } from "elysia";
import type { Caller } from "../../schemas/accounts/auth.ts";
import { DomainError } from "../../schemas/errors.ts";
import { neededFor } from "../../schemas/permissions.ts";
import type { Connection } from "../http/client-address.ts";
import { BODY_BYTES_MAX, readBytes, readJson } from "../http/json-body.ts";
import { keepRepeats } from "../http/repeated-query.ts";
import { operationOf } from "../idempotency.ts";
import { invalidToken } from "./access-tokens.ts";

/** What knows whom a credential stands for. Each throws INVALID_TOKEN. */
interface Verifier {
  verify(token: string, from: Connection): Caller | Promise<Caller>;
  /** User name and API token, as `Authorization: Basic` has them. Without it none of them is good. */
  verifyBasic?(credentials: string, from: Connection): Caller | Promise<Caller>;
}

/** A request before its handler: where it comes from, and which path it is for. */
interface Incoming extends Connection {
  readonly path: string;
}

export interface BodyOptions {
  /** `json` (the default), or `bytes`: the handler's `body` is the Uint8Array that was sent, of any content type. */
  readonly body?: "json" | "bytes";
  readonly bodyBytesMax?: number;
}

/** What a route asks of whoever calls it, and how it takes a body: what its documentation says. */
export interface Gate {
  readonly who: "signed in" | "first party" | "admin" | "anyone";
  readonly body: "json" | "bytes";
}

/**
 * Who may: any caller with a valid credential. Gives the routes after it `caller`, `operation` and `requestId`, and
 * throws MISSING_TOKEN or INVALID_TOKEN before a byte of the body is read (spec, control plane §5.1, §5.2). A credential
 * other than an account login needs the permission that `schemas/permissions.ts` names for the route.
 */
export const signedIn = (tokens: Verifier, options: BodyOptions = {}) =>
  requests("signed in", (incoming) => through(callerOf(tokens, incoming), incoming, mayDo), options);

/**
 * Who may: account logins alone. API tokens, HTTP Basic, impersonation and sessions bound to a realm get
 * INSUFFICIENT_PERMISSIONS (spec, control plane §5.3, §5.4).
 */
export const firstParty = (tokens: Verifier, options: BodyOptions = {}) =>
  requests("first party", (incoming) => through(callerOf(tokens, incoming), incoming, isFirstParty), options);

/** Who may: administrators, by an account login. Anyone else who signed in gets INSUFFICIENT_PERMISSIONS. */
export const admin = (tokens: Verifier, options: BodyOptions = {}) =>
  requests("admin", (incoming) => through(callerOf(tokens, incoming), incoming, isAdmin), options);

/** Who may: anyone, without a token. Routes get `operation` and `requestId`; `caller` is null. */
export const anyone = (options: BodyOptions = {}) => requests("anyone", () => null, options);

/** The parsers made here, by which `strict` and the documentation know a route's gate. */
const gates = new WeakMap<object, Gate>();

/** The gate among the parsers of a route, if it has one. */
export function gateOf(parse: readonly { fn: unknown }[] = []): Gate | undefined {
  for (const { fn } of parse) {
    const gate = typeof fn === "function" ? gates.get(fn) : undefined;
    if (gate !== undefined) return gate;
  }
  return undefined;
}

/**
 * Elysia parses a body before anything that a plugin can hook, save an earlier parser. So the parser asks who calls
 * first; a request without a body passes no parser, and is asked in `derive`, which is before validation.
 */
function requests<C extends Caller | null>(
  who: Gate["who"],
  callerOfRequest: (incoming: Incoming) => C | Promise<C>,
  { body = "json", bodyBytesMax = BODY_BYTES_MAX }: BodyOptions,
) {
  const read = body === "bytes" ? readBytes : readJson;
  const parse = async (ctx: Incoming & { known?: C }) => {
    const { request, server, path } = ctx;
    ctx.known = await callerOfRequest({ request, server, path });
    return read(request, bodyBytesMax);
  };
  gates.set(parse, { who, body });
  return new Elysia()
    .decorate("requestId", "")
    .onParse({ as: "scoped" }, parse)
    .derive({ as: "scoped" }, async (ctx) => {
      const { request, server, path, query, known } = ctx as typeof ctx & { known?: C };
      const caller = known === undefined ? await callerOfRequest({ request, server, path }) : known;
      keepRepeats(query, request.url);
      return { caller, operation: operationOf(request, ctx.body) };
    });
}

/** A scheme's name is written in any case (RFC 9110 §11.1), nearly always in this one. */
const SCHEME = "Bearer ";
const ANY_SCHEME = /^(bearer|basic) +(.*)$/is;

/** Whom the request's credential stands for now. @throws MISSING_TOKEN, INVALID_TOKEN */
export function callerOf(tokens: Verifier, from: Connection): Caller | Promise<Caller> {
  const sent = from.request.headers.get("authorization") ?? "";
  if (sent.startsWith(SCHEME)) return tokens.verify(sent.slice(SCHEME.length).trimStart(), from);
  const [, scheme, credentials = ""] = ANY_SCHEME.exec(sent) ?? [];
  if (scheme === undefined) throw new DomainError("MISSING_TOKEN", "Authentication required");
  if (scheme.toLowerCase() === "bearer") return tokens.verify(credentials, from);
  if (tokens.verifyBasic === undefined) throw invalidToken();
  return tokens.verifyBasic(credentials, from);
}

type Rule = (caller: Caller, incoming: Incoming) => void;

/** A caller who is known already is let through, or refused, in the same turn. */
function through(caller: Caller | Promise<Caller>, incoming: Incoming, rule: Rule): Caller | Promise<Caller> {
  if (caller instanceof Promise) return caller.then((known) => through(known, incoming, rule));
  rule(caller, incoming);
  return caller;
}

const refused = (message: string, data?: Record<string, unknown>) =>
  new DomainError("INSUFFICIENT_PERMISSIONS", message, data);

const mayDo: Rule = (caller, { request, path }) => {
  if (caller.credential === "account") return;
  const { permission, realm } = neededFor(request.method, path);
  if (caller.realmId !== undefined && !realm) {
    throw refused("A credential that is bound to a realm does not reach this");
  }
  if (!caller.permissions?.includes(permission)) {
    throw refused(`The credential lacks the permission ${permission}`, { permission });
  }
};

const isFirstParty: Rule = (caller) => {
  if (caller.credential !== "account") throw refused("This takes an account login, and no other credential");
};

const isAdmin: Rule = (caller, incoming) => {
  if (caller.role !== "admin") throw refused("This is for administrators");
  isFirstParty(caller, incoming);
};
