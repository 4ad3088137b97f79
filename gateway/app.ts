import { type AnyElysia, Elysia } from "elysia";
import type { Logger } from "pino";
import type { Registry } from "../system/prometheus.ts";
import type { Tracing } from "../system/tracing/tracing.ts";
import { gateOf } from "./auth/guards.ts";
import type { RequestLimits } from "./auth/request-limits.ts";
import { drainingConnections } from "./http/draining.ts";
import { errorHandler, fallbackHandler, type UnknownPage } from "./http/errors.ts";
import { type Checks, health } from "./http/health.ts";
import type { ReplyStore } from "./http/kept-replies.ts";
import { links } from "./http/links.ts";
import { metrics } from "./http/metrics.ts";
import { answeringRepeated } from "./http/repeated-requests.ts";
import { requestIds } from "./http/request-id.ts";
import type { RunningRequests } from "./http/running-requests.ts";
import { strict } from "./http/strict.ts";
import { requestTraces } from "./http/traces.ts";
import { openapi } from "./openapi/routes.ts";

/**
 * How long a connection may be silent. Longer than clients and proxies keep theirs for the next request (75 s at most): where
 * the server ends it first, the end can cross a request, which then has no answer. Bun's own 10 s also ended slow answers.
 */
export const IDLE_SECONDS = 120;

export interface AppOptions {
  /** One plugin for each noun. Its routes state who may call them: `signedIn`, `firstParty`, `admin` or `open`. */
  readonly routes: readonly AnyElysia[];
  readonly log: Logger;
  /** The components that this process needs. A check resolves when its component is available. */
  readonly ready: Checks;
  /** Whether this process is about to stop, and its requests are to go elsewhere. */
  readonly isDraining?: () => boolean;
  readonly registry: Registry;
  readonly tracing?: Tracing | undefined;
  /** Whether an error means that a component is unavailable: such a request gets 503, not 500. */
  readonly isUnavailable?: (error: unknown) => boolean;
  readonly version: string;
  readonly requestLimits: RequestLimits;
  /** Where the first replies under clients' keys are kept. Without it a repeated request gets what its handler replies. */
  readonly replies?: { readonly kept: ReplyStore; readonly running: RunningRequests };
  /** What a browser gets where no route is. Without it, or where it gives none: the error, as programs do. */
  readonly unknownPage?: UnknownPage;
}

/**
 * Everything that HTTP needs around the routes (design §3): request ids, the envelope of errors, metrics, health and
 * the API's description. The caller listens: `createApp(options).listen(port)`.
 */
export function createApp(options: AppOptions): AnyElysia {
  const {
    routes,
    log,
    ready,
    registry,
    version,
    isUnavailable,
    requestLimits,
    unknownPage,
    tracing,
    replies,
  } = options;
  const isDraining = options.isDraining ?? (() => false);
  const traces = tracing && requestTraces(tracing);
  const app: AnyElysia = new Elysia({
    aot: true,
    // A route is compiled at its first request: all of them at once are two thirds of the time that a start takes.
    precompile: false,
    normalize: false,
    // Elysia otherwise looks for the path after the eleventh character, which a short host name does not reach.
    handler: { standardHostname: false },
    serve: {
      development: false,
      idleTimeout: IDLE_SECONDS,
      // Bodies are bounded where they are read, after authentication and with an answer in the envelope.
      maxRequestBodySize: Number.MAX_SAFE_INTEGER,
      error: fallbackHandler(log),
    },
  })
    .headers({ "x-content-type-options": "nosniff", "cache-control": "no-store" })
    .decorate("requestLimits", requestLimits)
    // The plugin that wraps last is the outermost: a span is made within its request's origin.
    .use(traces?.plugin ?? new Elysia())
    .use(requestIds())
    .use(errorHandler({ log, routes: () => app.routes, requestLimits, unknownPage, isUnavailable }))
    .use(links())
    .use(metrics(registry, { log, ended: traces?.ended }))
    .use(drainingConnections(isDraining))
    .use(health(ready, isDraining))
    .use(openapi(() => app.routes, version));
  for (const plugin of routes) {
    if (replies !== undefined) answeringRepeated(plugin, replies.kept, replies.running);
    app.use(strict(plugin));
  }
  // Each route that the app serves has its guard, whichever plugin it comes from.
  for (const route of app.routes) gateOf(route);
  return app;
}
