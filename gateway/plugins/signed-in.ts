import { Elysia } from "elysia";
import type { Caller } from "../../schemas/auth.ts";
import { DomainError } from "../../schemas/errors.ts";
import { BODY_BYTES_MAX, readBytes, readJson } from "./json-body.ts";
import { operationOf } from "./operation.ts";
import { keepRepeats } from "./repeated-query.ts";
import type { TokenVerifier } from "./tokens.ts";

type Verifier = Pick<TokenVerifier, "verify">;

export interface BodyOptions {
  /** `json` (the default), or `bytes`: the handler's `body` is the Uint8Array that was sent, of any content type. */
  readonly body?: "json" | "bytes";
  readonly bodyBytesMax?: number;
}

/** What a route asks of whoever calls it, and how it takes a body: what its documentation says. */
export interface Gate {
  readonly who: "signed in" | "admin" | "anyone";
  readonly body: "json" | "bytes";
}

/**
 * Who may: any caller with a valid access token. Gives the routes after it `caller`, `operation` and `requestId`, and
 * throws MISSING_TOKEN or INVALID_TOKEN before a byte of the body is read (spec, control plane §5.1, §5.2).
 */
export const signedIn = (tokens: Verifier, options: BodyOptions = {}) =>
  requests("signed in", (request) => callerOf(tokens, request), options);

/** Who may: administrators. Anyone else who signed in gets INSUFFICIENT_PERMISSIONS. */
export const admin = (tokens: Verifier, options: BodyOptions = {}) =>
  requests(
    "admin",
    async (request) => {
      const caller = await callerOf(tokens, request);
      if (caller.role === "admin") return caller;
      throw new DomainError("INSUFFICIENT_PERMISSIONS", "This is for administrators");
    },
    options,
  );

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
  callerOfRequest: (request: Request) => C | Promise<C>,
  { body = "json", bodyBytesMax = BODY_BYTES_MAX }: BodyOptions,
) {
  const read = body === "bytes" ? readBytes : readJson;
  const parse = async (ctx: { request: Request; known?: C }) => {
    ctx.known = await callerOfRequest(ctx.request);
    return read(ctx.request, bodyBytesMax);
  };
  gates.set(parse, { who, body });
  return new Elysia()
    .decorate("requestId", "")
    .onParse({ as: "scoped" }, parse)
    .derive({ as: "scoped" }, async (ctx) => {
      const { request, query, known } = ctx as typeof ctx & { known?: C };
      const caller = known === undefined ? await callerOfRequest(request) : known;
      keepRepeats(query, request.url);
      return { caller, operation: operationOf(request, ctx.body) };
    });
}

/** A scheme's name is written in any case (RFC 9110 §11.1), nearly always in this one. */
const SCHEME = "Bearer ";
const ANY_SCHEME = /^bearer +/i;

function callerOf(tokens: Verifier, request: Request): Caller | Promise<Caller> {
  const sent = request.headers.get("authorization") ?? "";
  if (sent.startsWith(SCHEME)) return tokens.verify(sent.slice(SCHEME.length).trimStart());
  if (ANY_SCHEME.test(sent)) return tokens.verify(sent.replace(ANY_SCHEME, ""));
  throw new DomainError("MISSING_TOKEN", "Authentication required");
}
