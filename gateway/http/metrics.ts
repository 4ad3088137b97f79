import { Elysia } from "elysia";
import type { Logger } from "pino";
import { Counter, Histogram, type Registry } from "../../system/prometheus.ts";
import type { EndedRequest } from "./traces.ts";

/** In seconds: from a cached read to a request that waited for its deadline. */
const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/**
 * Counts and times every request under its route's *pattern*. A request that matches no route counts under `none`: a
 * raw path as a label would let anyone fill the memory. At the level `debug` each is a line of the log too.
 */
export const metrics = (
  registry: Registry,
  {
    log,
    ended,
  }: { readonly log?: Logger; readonly ended?: ((request: EndedRequest) => void) | undefined } = {},
) => {
  const requests = new Counter({
    name: "http_requests_total",
    help: "HTTP requests with a response",
    labelNames: ["method", "route", "status"],
    registers: [registry],
  });
  const duration = new Histogram({
    name: "http_request_duration_seconds",
    help: "Time from a request's arrival to its response",
    labelNames: ["method", "route"],
    buckets: BUCKETS,
    registers: [registry],
  });
  return new Elysia({ name: "metrics" })
    .decorate("arrivedAt", 0)
    .onRequest((ctx) => {
      ctx.arrivedAt = performance.now();
    })
    .mapResponse({ as: "global" }, (ctx) => {
      const { method } = ctx.request;
      // Elysia inspects this function's source to learn that it needs `route`; a default value would hide the use.
      const route = ctx.route || "none";
      const status = String(ctx.set.status);
      const ms = performance.now() - ctx.arrivedAt;
      requests.inc({ method, route, status });
      duration.observe({ method, route }, ms / 1000);
      ended?.({ request: ctx.request, method, route, status });
      log?.debug({ method, route, status, ms }, "request");
      // Elysia's error handler uses the return value as the response, even if it is undefined.
      return ctx.responseValue as Response;
    });
};
