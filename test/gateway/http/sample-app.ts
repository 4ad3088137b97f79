import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import pino from "pino";
import { createApp } from "../../../gateway/app.ts";
import { TokenIssuer, TokenVerifier } from "../../../gateway/auth/access-tokens.ts";
import { admin, open, signedIn } from "../../../gateway/auth/guards.ts";
import { REQUEST_BUCKETS, RequestLimits, type RequestRates } from "../../../gateway/auth/request-limits.ts";
import { clientAddresses } from "../../../gateway/http/client-address.ts";
import { created, done, errors, ok } from "../../../gateway/http/envelope.ts";
import type { Checks } from "../../../gateway/http/health.ts";
import { enforceLimit, RateLimiter } from "../../../gateway/http/rate-limit.ts";
import type { AccessClaims } from "../../../schemas/accounts/auth.ts";
import { EmptyReply, Reply } from "../../../schemas/envelope.ts";
import { DomainError } from "../../../schemas/errors.ts";
import { IdempotencyKey, IdParams, Strict } from "../../../schemas/primitives.ts";
import { Registry } from "../../../system/prometheus.ts";
import { trustedProxies } from "../../../system/trusted-proxies.ts";

const Boat = Strict({
  name: Type.String({ minLength: 1, maxLength: 20 }),
  masts: Type.Integer({ minimum: 1, maximum: 5 }),
  rig: Type.Optional(Type.Union([Type.Literal("sloop"), Type.Literal("ketch")])),
  papers: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
  idempotency_key: Type.Optional(IdempotencyKey),
});
const BoatQuery = Strict({
  limit: Type.Optional(Type.String({ pattern: "^[0-9]{1,9}$" })),
  search: Type.Optional(Type.String({ maxLength: 50 })),
  rigs: Type.Optional(Type.Array(Type.String())),
});
const Anything = Reply(Type.Unknown());
const BoatReply = Reply(
  Type.Object({
    name: Type.String(),
    masts: Type.Integer(),
    key: Type.String(),
    from_client: Type.Boolean(),
  }),
);

/** Routes as the gateway's own are written, of a noun that it does not have. */
const boatRoutes = (tokens: TokenVerifier) =>
  new Elysia({ prefix: "/api/v1/boats", tags: ["Boats"] })
    .use(signedIn(tokens, "resources.write"))
    .get("/", ({ caller, query }) => ok("Boats", { caller: caller.userId, query }), {
      query: BoatQuery,
      response: { 200: Anything },
      detail: { summary: "Boats" },
    })
    .get("/:id", ({ params, requestId }) => ok("Boat", { id: params.id, requestId }), {
      params: IdParams,
      response: { 200: Anything, ...errors("PROJECT_NOT_FOUND") },
      detail: { summary: "One boat" },
    })
    .post(
      "/",
      ({ body, operation: { key, hasClientKey } }) =>
        created("Boat built", { name: body.name, masts: body.masts, key, from_client: hasClientKey }),
      {
        body: Boat,
        response: { 201: BoatReply, ...errors("NAME_TAKEN", "INSUFFICIENT_BALANCE") },
        detail: { summary: "Builds a boat" },
      },
    )
    .post("/launch", () => done("Launched"), {
      response: { 200: EmptyReply },
      detail: { summary: "Needs no body" },
    })
    .delete("/:id", () => done("Sunk"), {
      params: IdParams,
      response: { 200: EmptyReply },
      detail: { summary: "Sinks" },
    });

const harbourRoutes = (tokens: TokenVerifier) =>
  new Elysia({ prefix: "/api/v1/harbour", tags: ["Harbour"] })
    .use(admin(tokens))
    .post("/close", () => done("Closed"), {
      response: { 200: EmptyReply },
      detail: { summary: "Closes the harbour" },
    });

/** Each fails in its own way. */
const wreckRoutes = () => {
  const signIns = new RateLimiter({ name: "sign-in", limit: 2, windowSeconds: 60 });
  const documented = { response: { 200: Anything }, detail: { summary: "Fails" } };
  return new Elysia({ prefix: "/wrecks" })
    .use(open("a test"))
    .get(
      "/fault",
      () => {
        throw new Error("connect ECONNREFUSED postgres://berth:hunter2@10.0.0.1");
      },
      documented,
    )
    .get(
      "/nothing-thrown",
      () => {
        throw undefined;
      },
      documented,
    )
    .get("/bad-reply", () => ok("A boat", { name: "password of somebody" }) as never, {
      ...documented,
      response: { 200: BoatReply },
    })
    .get("/unserialisable", () => ok("A boat", { masts: 3n }), documented)
    .get(
      "/taken",
      () => {
        throw new DomainError("NAME_TAKEN", "That name is taken", { name: "Argo" });
      },
      documented,
    )
    .get(
      "/away",
      () => {
        throw new Error("database is away");
      },
      documented,
    )
    .get(
      "/overloaded",
      () => {
        throw new DomainError("OVERLOADED", "Too busy");
      },
      documented,
    )
    .post(
      "/sign-in",
      (ctx) => {
        enforceLimit(signIns, "anyone", ctx.set.headers);
        return done("Signed in");
      },
      { response: { 200: EmptyReply, ...errors("RATE_LIMITED") }, detail: { summary: "Limited" } },
    );
};

const rawRoutes = () =>
  new Elysia({ prefix: "/raw" })
    .use(open("a test", { body: "bytes", bodyBytesMax: 10 }))
    .post("/", ({ body }) => ok("Bytes", { bytes: [...body] }), {
      body: Type.Uint8Array(),
      response: { 200: Anything },
      detail: { summary: "Takes bytes" },
    });

const claims: AccessClaims = { sub: "a".repeat(24), sid: "b".repeat(24), role: "user", username: "demo" };

/** More requests than any test makes. */
export const UNLIMITED = Object.fromEntries(REQUEST_BUCKETS.map((bucket) => [bucket, 1e9])) as RequestRates;

/** The made-up app on a port of its own. `health`, `sessions` and `logged` are for a test to change and to read. */
export async function startMadeUpApp(rates: RequestRates = UNLIMITED) {
  const issuer = await TokenIssuer.create(await TokenIssuer.generateKey());
  const sessions = { areAway: false };
  const tokens = new (class extends TokenVerifier {
    override verify(token: string) {
      return sessions.areAway ? Promise.reject(new Error("database is away")) : super.verify(token);
    }
  })(issuer.jwks(), async () => false);
  const logged: Record<string, unknown>[] = [];
  const registry = new Registry();
  const health = { postgres: async () => {}, nats: async () => {} } satisfies Checks;
  const draining = { now: false };
  const app = createApp({
    isDraining: () => draining.now,
    routes: [boatRoutes(tokens), harbourRoutes(tokens), wreckRoutes(), rawRoutes()],
    log: pino({ level: "info" }, { write: (line) => logged.push(JSON.parse(line)) }),
    ready: { postgres: () => health.postgres(), nats: () => health.nats() },
    registry,
    isUnavailable: (error) => error instanceof Error && error.message === "database is away",
    version: "1.2.3",
    requestLimits: new RequestLimits(rates, clientAddresses(trustedProxies("127.0.0.1"))),
  });
  app.listen({ port: 0, hostname: "127.0.0.1" });
  const port = app.server?.port ?? 0;
  const { token } = await issuer.issue(claims);
  const adminToken = (await issuer.issue({ ...claims, role: "admin" })).token;
  const request = async (path: string, init: RequestInit = {}) => {
    const response = await fetch(`http://127.0.0.1:${port}${path}`, init);
    const text = await response.text();
    return {
      status: response.status,
      headers: response.headers,
      text,
      body: text === "" ? null : JSON.parse(text),
    };
  };
  const bearer = { authorization: `Bearer ${token}` };
  return {
    port,
    token,
    adminToken,
    logged,
    sessions,
    registry,
    health,
    draining,
    issuer,
    claims,
    /** Without a token. */
    request,
    get: (path: string, headers: Record<string, string> = {}) =>
      request(path, { headers: { ...bearer, ...headers } }),
    post: (path: string, body?: string | Uint8Array | ReadableStream, headers: Record<string, string> = {}) =>
      request(path, {
        method: "POST",
        ...(body === undefined ? {} : { body }),
        headers: { ...bearer, "content-type": "application/json", ...headers },
      }),
    stop: () => app.stop(true),
  };
}
