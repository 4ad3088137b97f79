import type { Registry } from "../../system/prometheus.ts";
import { Delivery } from "./delivery.ts";
import type { BusOptions } from "./desktop/bus.ts";
import { DISPLAY_RULE, displayName } from "./display.ts";
import { type Changed, History, type HistoryBounds } from "./history/history.ts";
import { readJson } from "./http/body.ts";
import { assertAllowedOrigin, corsHeaders, type OriginRules, preflight } from "./http/origin.ts";
import { readDisplay, readHistoryQuery, readQuery } from "./http/query.ts";
import { type Bucket, RateLimits } from "./http/rate-limit.ts";
import { hardened, invalid, json, Refusal, refused } from "./http/refusal.ts";
import { allow, METHODS, type Route, routeOf } from "./http/route.ts";
import { iconResponse } from "./icons/response.ts";
import { createMetrics } from "./metrics.ts";
import { homePage } from "./page/page.ts";
import { readDismiss } from "./schema.ts";
import { Streams } from "./streams.ts";

/** The rights of an admitted caller. */
export interface Authorization {
  /** The caller may only read notices and streams. */
  readonly readonly: boolean;
  /** Whose credential let them in, where that is known. */
  readonly user?: string | null;
}

export interface NotifierOptions extends OriginRules, Partial<Pick<BusOptions, "buses">> {
  /** The folder of the history; only one server may use it. */
  readonly folder: string;
  /** Starts programs on the machine of the displays. */
  readonly spawner: BusOptions["spawner"];
  /** Returns the caller's rights, or the response to a caller without access. Not called for health and preflights. */
  readonly authorize: (request: Request) => Authorization | Response | Promise<Authorization | Response>;
  /** Milliseconds since 1970. */
  readonly clock?: () => number;
  readonly bounds?: Partial<HistoryBounds>;
  readonly keepaliveMs?: number;
  readonly deliveryMsMax?: number;
  /** The arguments with which curl authenticates, for the example on the page; none if no authentication is needed. */
  readonly curlArguments?: string;
  /** Receives internal errors. */
  readonly report?: (error: unknown) => void;
}

export interface ClientInfo {
  /** The key of the rate limits: the client's address, or the caller's name. */
  readonly client: string;
}

export interface Notifier {
  /** Its figures, which `GET metrics` shows too. */
  readonly registry: Registry;
  /** What it needs and does not have; undefined when it can take notifications. */
  missing(): string | undefined;
  fetch(request: Request, info: ClientInfo): Promise<Response>;
  /** Ends streams and deliveries in progress, and closes the history. */
  close(): Promise<void>;
}

/**
 * The notification server (container services §4.3) as a request handler: standalone, or mounted for each container
 * by an agent, which provides the authorization and the displays.
 *
 *     const notifier = createNotifier({ folder, spawner: hostSpawner, authorize, origin, allowedOrigins: [] });
 *     Bun.serve({ port: 8092, fetch: (request, server) => notifier.fetch(request, { client: address }) });
 *
 * @throws HistoryUnavailable
 */
export function createNotifier(options: NotifierOptions): Notifier {
  const clock = options.clock ?? Date.now;
  const startedAt = clock();
  const history = new History(options.folder, options.bounds);
  const streams = new Streams(history, options.keepaliveMs);
  const limits = new RateLimits(() => performance.now());
  const changed = ({ update }: Changed) => {
    if (update !== null) streams.publish(update);
  };
  const { spawner, buses = new Map(), deliveryMsMax } = options;
  const timing = deliveryMsMax === undefined ? {} : { deliveryMsMax };
  const delivery = new Delivery({ spawner, buses, history, clock, changed, ...timing });
  const metrics = createMetrics({
    streams: () => streams.size,
    running: () => delivery.running,
    stored: () => history.count(),
  });

  const notify = async (request: Request, { user = null }: Authorization) => {
    const asked = await readJson(request);
    const stop = metrics.delivery.startTimer();
    try {
      const record = await delivery.notify(asked, { program: programOf(request), userId: user });
      metrics.notifications.inc({ outcome: "shown" });
      stop();
      return json(201, record);
    } catch (error) {
      if (error instanceof Refusal && error.code === "NOTIFY_FAILED") {
        metrics.notifications.inc({ outcome: "failed" });
        stop();
      }
      throw error;
    }
  };

  const dismiss = async (request: Request) => {
    const { display, id } = readDismiss(await readJson(request));
    const number = readDisplay(display, "body.display");
    if (id === null) {
      const outcomes = history.dismissAll(number, request.method === "POST");
      for (const outcome of outcomes) changed(outcome);
      return json(200, { display: displayName(number), changed: outcomes.length });
    }
    const outcome = history.dismiss(number, id, request.method === "POST");
    if (outcome === null)
      throw new Refusal(404, "NOTIFICATION_NOT_FOUND", "this display has no such notification");
    changed(outcome);
    return json(200, outcome.record);
  };

  const stream = (request: Request, query: URLSearchParams, { client }: ClientInfo) => {
    const given = readQuery(query, ["display", "last_event_id"]);
    const last = request.headers.get("last-event-id") || (given.last_event_id ?? null);
    return streams.open(readDisplay(given.display, "query.display"), client, last);
  };

  const list = (display: number | null, query: URLSearchParams) => {
    if (display === null) throw invalid("path.display", DISPLAY_RULE);
    const { records, next } = history.list(display, readHistoryQuery(query));
    return json(200, { display: displayName(display), notifications: records, next_cursor: next });
  };

  /** Also those whose bus the operator named, before anything was shown on them. */
  const displays = () => {
    const known = new Map([...buses.keys()].map((display) => [display, 0]));
    for (const { display, active } of history.displays()) known.set(display, active);
    const sorted = [...known].sort(([one], [other]) => one - other);
    return json(200, {
      displays: sorted.map(([display, active]) => ({ display: displayName(display), active })),
    });
  };

  const icon = (request: Request, id: string) => {
    const found = history.icon(id);
    if (found === null) throw new Refusal(404, "ICON_NOT_FOUND", "there is no icon with this id");
    return iconResponse(request, found);
  };

  const health = () =>
    json(200, {
      status: "ok",
      service: "notifications",
      started: new Date(startedAt).toISOString(),
      uptime_seconds: Math.floor((clock() - startedAt) / 1_000),
    });

  const figures = async () =>
    new Response(await metrics.registry.metrics(), {
      headers: hardened({ "content-type": metrics.registry.contentType }),
    });

  const serve = (
    request: Request,
    route: Route,
    query: URLSearchParams,
    info: ClientInfo,
    who: Authorization,
  ) => {
    switch (route.name) {
      case "home":
        return homePage(options.curlArguments ?? "");
      case "notify":
        return notify(request, who);
      case "dismiss":
        return dismiss(request);
      case "stream":
        return stream(request, query, info);
      case "displays":
        return displays();
      case "icons":
        return icon(request, route.id);
      case "health":
        return health();
      case "metrics":
        return figures();
      case "history":
        return list(route.display, query);
      case "none":
        throw new Refusal(404, "ROUTE_NOT_FOUND", "there is nothing at this address");
    }
  };

  const answer = async (request: Request, route: Route, url: URL, info: ClientInfo): Promise<Response> => {
    const count = (bucket: Bucket) => {
      try {
        limits.count(bucket, info.client);
      } catch (error) {
        metrics.limited.inc({ bucket });
        throw error;
      }
    };
    // Probes have neither the right Host nor credentials.
    if (route.name === "health" && request.method !== "OPTIONS") {
      count(route.bucket);
      return allow(request, route) ?? health();
    }
    // Requests from pages of other origins do not count against the browser's user.
    assertAllowedOrigin(request, options);
    if (request.method === "OPTIONS") {
      count("preflight");
      return preflight();
    }
    const who = await options.authorize(request);
    const isRefused = who instanceof Response && who.status >= 400;
    count(isRefused ? "refused" : route.bucket);
    if (who instanceof Response) return who;
    const notAllowed = allow(request, route);
    if (notAllowed !== null) return notAllowed;
    if (who.readonly && !["GET", "HEAD"].includes(request.method)) {
      throw new Refusal(403, "INSUFFICIENT_PERMISSIONS", "you may read notifications, not change them");
    }
    return serve(request, route, url.searchParams, info, who);
  };

  const settled = async (request: Request, route: Route, url: URL, info: ClientInfo) => {
    try {
      return await answer(request, route, url, info);
    } catch (error) {
      if (error instanceof Refusal) return refused(error);
      options.report?.(error);
      return refused(new Refusal(500, "INTERNAL_ERROR", "this went wrong inside"));
    }
  };

  return {
    registry: metrics.registry,
    missing() {
      try {
        history.count();
        return undefined;
      } catch {
        return "the history";
      }
    },
    async fetch(request, info) {
      const url = new URL(request.url);
      const route = routeOf(url.pathname);
      const response = await settled(request, route, url, info);
      for (const [name, value] of Object.entries(corsHeaders(request, options)))
        response.headers.set(name, value);
      const method = METHODS.includes(request.method) ? request.method : "other";
      metrics.requests.inc({ method, route: route.name, status: String(response.status) });
      return response;
    },
    async close() {
      streams.close();
      await delivery.close();
      history.close();
    },
  };
}

/** The first product of `User-Agent`, such as `curl`; that of browsers is the same word for all. */
function programOf(request: Request): string | null {
  const [, product = null] = /^([\w.-]{1,64})(?:[/ ]|$)/.exec(request.headers.get("user-agent") ?? "") ?? [];
  return product === "Mozilla" ? null : product;
}
