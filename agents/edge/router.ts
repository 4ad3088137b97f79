import { serverDomain } from "../../schemas/addresses.ts";
import type { ErrorCode } from "../../schemas/errors.ts";
import { CHALLENGE_PATH, CHALLENGE_TOKEN } from "../../schemas/hosting/certificate.ts";
import { BoundedMap } from "../../system/bounded-map.ts";
import type { TrustedProxies } from "../../system/trusted-proxies.ts";
import type { RequestHead } from "../http1/head.ts";
import { Refusal } from "../http1/refusal.ts";
import type { Fields } from "../http1/response.ts";
import { terminalBeside } from "../web/framing.ts";
import { type Access, type ProtectedResource, refuseCredentials, type Verdict } from "./auth/access.ts";
import type { Principal } from "./auth/sessions.ts";
import type { ConnectionService, Decision, DownstreamConnection } from "./downstream.ts";
import { FRAME_FIELD, type RequestRewrite, USER_FIELD } from "./headers.ts";
import {
  framedBy,
  isFramed,
  type LocalResponse,
  localErrorResponse,
  notFound,
  type ResponseFormatter,
  redirect,
} from "./local-response.ts";
import { type Host, normaliseHost, readName } from "./names.ts";
import { targetPath } from "./paths.ts";
import { findRoute, type Route, type RouteTable } from "./routes.ts";
import type { Endpoint } from "./upstream.ts";
import { webSocketKey } from "./websocket.ts";

/** The target of a service for one container. */
export type ServiceTarget =
  | {
      readonly kind: "file";
      readonly path: string;
      /** Where the address begins that has no `target_path`; null: at `/`. */
      readonly begin?: string | null;
      /** A program of the container's own: it is not told who was let in. */
      readonly isForeign?: boolean;
    }
  | { readonly kind: "connections"; readonly service: ConnectionService }
  | {
      readonly kind: "absent";
      readonly status: number;
      readonly code: ErrorCode;
      readonly message: string;
      readonly fields?: Fields;
    };

/** The services of each container: terminal, pipe, notifications, files, its display, and the programs that its image declares. */
export interface EdgeServices {
  /** The target of a service; the service is started at its first use. */
  open(containerId: string, service: string, instance: number): ServiceTarget | Promise<ServiceTarget>;
  /** Whether a request needs no credential. */
  isOpen(service: string, request: RequestHead): boolean;
  /**
   * Formats a response of the edge at a service's address like that service. It depends on the address only, whether
   * or not the container exists.
   */
  shape(service: string, request: RequestHead, answer: LocalResponse): LocalResponse;
}

export interface RouterOptions extends RouteTable {
  readonly services: EdgeServices;
  readonly access: Access;
  /** The answer to a challenge of an ACME authority; null if the control plane waits for none with this token. */
  challengeAnswer?(token: string): Promise<string | null>;
  /** Those in front of the edge: what they say of a client's address is believed. */
  readonly proxies: TrustedProxies;
}

const ABSOLUTE = /^https?:\/\/([^/?#]*)/i;
/** Where a trusted proxy asks which names this edge serves (docs/operations/front.md). */
const SERVES_PATH = "/.well-known/berth/serves";
/** Host fields that are kept with what they mean: an edge serves a few names again and again. */
const HOSTS_MAX = 1_000;
const ALLOWED = "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS";
const AS_IT_IS = { withheld: new Set<string>(), userId: undefined, framedBy: undefined };
/** Fields that are not forwarded to services: they need no credential, and programs of a container must not see it. */
const CREDENTIALS: ReadonlySet<string> = new Set(["authorization", USER_FIELD, FRAME_FIELD]);

/** Routes each request. The table of routes is read for every request. */
export class Router {
  /** By Host field. */
  readonly #hosts = new BoundedMap<string, Host>(HOSTS_MAX);

  /** @param publicHttpsPort the port of `https` for clients */
  constructor(
    private readonly options: RouterOptions,
    private readonly publicHttpsPort: () => number,
  ) {}

  find(name: string): Route | undefined {
    return findRoute(name, this.options);
  }

  /** Whether a name still has this route. */
  holds(name: string, route: Route): boolean {
    const now = this.find(name);
    return now !== undefined && now.key === route.key && now.container.address === route.container.address;
  }

  decide(head: RequestHead, client: DownstreamConnection): Decision | Promise<Decision> {
    const { challengeAnswer, proxies } = this.options;
    if (client.scheme === "http" && head.path === SERVES_PATH && isOfProxy(head, client, proxies))
      return respond({ status: this.#serves(head) ? 200 : 404, fields: {}, body: "" });
    const token = client.scheme === "http" && head.method === "GET" ? challengeToken(head.path) : undefined;
    if (token === undefined || challengeAnswer === undefined) return this.#decide(head, client);
    // A program of a container may have certificates of its own: what is not ours is passed on.
    return challengeAnswer(token).then((answer) =>
      answer === null
        ? this.#decide(head, client)
        : respond({ status: 200, fields: { "Content-Type": "application/octet-stream" }, body: answer }),
    );
  }

  /** Whether the name in `domain` leads to a container of this host: a proxy asks before it gets a certificate for it. */
  #serves(head: RequestHead): boolean {
    const asked = new URLSearchParams(head.target.split("?", 2)[1]).get("domain") ?? "";
    const host = normaliseHost(asked);
    return host !== undefined && this.find(host.name) !== undefined;
  }

  #decide(head: RequestHead, client: DownstreamConnection): Decision | Promise<Decision> {
    const host = this.#hostOf(head.headers.get("host") ?? "");
    if (host === undefined) return respond(notFound(head));
    const route = this.find(host.name);
    const decision = this.#decideAt(head, client, host, route);
    const service = this.#serviceAt(host.name, route);
    if (service === undefined) return decision;
    const terminal = terminalOf(host, route);
    const shape: ResponseFormatter = (own) =>
      framedBy(this.options.services.shape(service, head, own), terminal);
    return decision instanceof Promise ? decision.then((one) => shaped(one, shape)) : shaped(decision, shape);
  }

  /** The host of a Host field; undefined when it is none. */
  #hostOf(field: string): Host | undefined {
    const known = this.#hosts.get(field);
    if (known !== undefined) return known;
    const host = normaliseHost(field);
    if (host !== undefined) this.#hosts.set(field, host);
    return host;
  }

  #serviceAt(name: string, route: Route | undefined): string | undefined {
    if (route !== undefined) return route.to.kind === "service" ? route.to.service : undefined;
    const { serverName, containerDomain } = this.options;
    const asked = readName(name, serverDomain(serverName, containerDomain));
    return asked?.kind === "service" ? asked.service : undefined;
  }

  #decideAt(
    head: RequestHead,
    client: DownstreamConnection,
    host: Host,
    route: Route | undefined,
  ): Decision | Promise<Decision> {
    // Two different names are ambiguous: different proxies could use different ones (RFC 9112 §3.2.2).
    const named = head.target.startsWith("/") ? undefined : ABSOLUTE.exec(head.target)?.[1];
    if (named !== undefined && normaliseHost(named)?.name !== host.name) {
      return respond(localErrorResponse(head, 400, "BAD_REQUEST", "The request names two hosts."));
    }
    // TRACE would return header fields that a page must not read, such as cookies.
    if (head.method === "TRACE") {
      return respond(
        localErrorResponse(head, 405, "METHOD_NOT_ALLOWED", "There is no TRACE here.", { Allow: ALLOWED }),
      );
    }
    const foreign = refuseCredentials(head, route?.to.kind === "port" ? ["api", "container"] : ["api"]);
    if (foreign !== undefined) return respond(foreign);
    if (route === undefined) return this.#decideAbsent(head, client, host);
    const routed: RoutedRequest = {
      head,
      client,
      name: host.name,
      port: host.port,
      host: `${host.name}${host.port}`,
      route,
    };
    const { to } = route;
    if (to.kind === "service") return this.#decideService(routed, to.service, to.instance);
    if (to.protocol === "ssh") {
      const message = `This name leads to ssh: \`ssh -o ProxyCommand='openssl s_client -quiet -verify_quiet -connect %h:${this.publicHttpsPort()} -servername %h' <user>@${host.name}\``;
      return respond(localErrorResponse(head, 421, "NOT_HTTP", message));
    }
    // With Max-Forwards 0 the edge is the recipient (RFC 9110 §7.6.2).
    if (head.method === "OPTIONS" && head.headers.get("max-forwards") === "0") {
      return respond({ status: 200, fields: { Allow: ALLOWED }, body: "" });
    }
    const endpoint = endpointOf(route, to.port, to.protocol === "https");
    return this.#forward(routed, endpoint, route.allowPathOverride, AS_IT_IS, () => true);
  }

  #decideService(routed: RoutedRequest, service: string, instance: number): Decision | Promise<Decision> {
    const { head, client, name, host, route } = routed;
    const { services, access } = this.options;
    if (client.scheme === "http") return respond(this.#toHttps(head, name));
    const { containerId } = route;
    const proceed = (principal?: Principal): Decision | Promise<Decision> => {
      const answered = services.open(containerId, service, instance);
      return answered instanceof Promise
        ? answered.then((one) => this.#toService(routed, one, principal))
        : this.#toService(routed, answered, principal);
    };
    if (services.isOpen(service, head)) return proceed();
    const resource: ProtectedResource = {
      containerId,
      service,
      name,
      origin: `https://${host}`,
      terminal: terminalOf(routed, route),
      exists: true,
    };
    return whenChecked(access.check(head, resource), (verdict) =>
      verdict.kind === "answer"
        ? { kind: "respond", response: verdict.answer, note: { name: route.label } }
        : proceed(verdict.principal),
    );
  }

  /**
   * An address of a service asks for a credential whether or not the container exists, which only users with access
   * may learn (decision 0030).
   */
  #decideAbsent(
    head: RequestHead,
    client: DownstreamConnection,
    { name, port }: Host,
  ): Decision | Promise<Decision> {
    const { serverName, containerDomain, services, access } = this.options;
    const asked = readName(name, serverDomain(serverName, containerDomain));
    if (asked?.kind !== "service") return respond(notFound(head));
    if (client.scheme === "http") return respond(this.#toHttps(head, name));
    if (services.isOpen(asked.service, head)) return respond(notFound(head));
    const { containerId } = asked;
    const resource: ProtectedResource = {
      containerId,
      service: asked.service,
      name,
      origin: `https://${name}${port}`,
      terminal: terminalOf({ name, port }, undefined),
      exists: false,
    };
    return whenChecked(access.check(head, resource), (verdict) =>
      respond(verdict.kind === "answer" ? verdict.answer : notFound(head)),
    );
  }

  /** @param principal the admitted user; undefined for public requests */
  #toService(routed: RoutedRequest, service: ServiceTarget, principal: Principal | undefined): Decision {
    const { head, name, route } = routed;
    const { containerId, to } = route;
    const mayUse = () =>
      principal === undefined ||
      (to.kind === "service" &&
        this.options.access.isStillAuthorized(principal, { containerId, service: to.service }));
    // In a tab of its own a page is nobody's frame, whatever session it is opened with.
    const frame = isFramed(head) ? (principal?.framedBy ?? null) : null;
    if (service.kind === "absent") {
      const { status, code, message, fields } = service;
      return respond(framedBy(localErrorResponse(head, status, code, message, fields), frame));
    }
    if (service.kind === "connections") {
      const isStillAuthorized = () => this.holds(name, route) && mayUse();
      return { kind: "hijack", service: service.service, note: { name: route.label }, isStillAuthorized };
    }
    // A base path replaces the address's root only; other pages have their own paths.
    const base = head.path === "/" ? (route.targetPath ?? service.begin ?? null) : null;
    return this.#forward(
      { ...routed, route: { ...route, targetPath: base } },
      { kind: "file", path: service.path },
      base === null,
      {
        withheld: CREDENTIALS,
        userId: service.isForeign ? undefined : principal?.userId,
        framedBy: service.isForeign ? undefined : (frame ?? undefined),
      },
      mayUse,
    );
  }

  #forward(
    { head, client, name, host, route }: RoutedRequest,
    endpoint: Endpoint,
    override: boolean,
    rewrite: RequestRewrite,
    mayUse: () => boolean,
  ): Decision {
    const local = head.target.startsWith("/") ? head.target : head.target.replace(ABSOLUTE, "") || "/";
    const key = webSocketKey(head);
    try {
      const target = targetPath(local.startsWith("?") ? `/${local}` : local, route.targetPath, override);
      const origin = { address: client.address, scheme: client.scheme, host };
      const headBytes = client.rewriter.rewrite(target, {
        head,
        origin,
        rewrite,
        isWebSocket: key !== undefined,
      });
      return {
        kind: "forward",
        options: { head, host, headBytes, webSocketKey: key, endpoint, owner: route.containerId },
        note: { name: route.label },
        isStillAuthorized: () => this.holds(name, route) && mayUse(),
      };
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      return respond(localErrorResponse(head, error.status, "PATH_LEAVES_TARGET", error.message));
    }
  }

  /** Redirects to https: credentials must not be sent over plain HTTP. */
  #toHttps(head: RequestHead, name: string): LocalResponse {
    const port = this.publicHttpsPort();
    const origin = `https://${name}${port === 443 ? "" : `:${port}`}`;
    if ((head.method === "GET" || head.method === "HEAD") && head.headers.get("upgrade") === undefined) {
      return redirect(`${origin}${head.target.startsWith("/") ? head.target : "/"}`);
    }
    return localErrorResponse(head, 403, "HTTPS_REQUIRED", `This address is at \`${origin}\`.`);
  }
}

/** Whether a trusted proxy asks for itself: what it passes on for a client names the client. */
const isOfProxy = (head: RequestHead, client: DownstreamConnection, proxies: TrustedProxies): boolean =>
  proxies.isTrusted(client.address) && head.headers.get("x-forwarded-for") === undefined;

/** The token that an ACME authority asks about (RFC 8555 §8.3). */
function challengeToken(path: string): string | undefined {
  if (!path.startsWith(CHALLENGE_PATH)) return undefined;
  const token = path.slice(CHALLENGE_PATH.length);
  return CHALLENGE_TOKEN.test(token) ? token : undefined;
}

/** A request and its route. */
interface RoutedRequest {
  readonly head: RequestHead;
  readonly client: DownstreamConnection;
  readonly name: string;
  /** With its colon; empty where the request names none. */
  readonly port: string;
  readonly host: string;
  readonly route: Route;
}

/** The origin of the terminal of the container that an address belongs to, where the address or its route tells which. */
const terminalOf = ({ name, port }: Host, route: Route | undefined): string | null =>
  terminalBeside(`${name}${port}`, route && `${route.container.projectId}-${route.containerId}`);

const whenChecked = (
  verdict: Verdict | Promise<Verdict>,
  decide: (verdict: Verdict) => Decision | Promise<Decision>,
): Decision | Promise<Decision> => (verdict instanceof Promise ? verdict.then(decide) : decide(verdict));

function shaped(decision: Decision, shape: ResponseFormatter): Decision {
  if (decision.kind === "respond") return { ...decision, response: shape(decision.response) };
  return decision.kind === "forward" ? { ...decision, shape } : decision;
}

const respond = (response: LocalResponse): Decision => ({ kind: "respond", response });

export const endpointOf = ({ container }: Route, port: number, tls: boolean): Endpoint => ({
  kind: "port",
  host: container.address,
  from: container.edgeAddress,
  port,
  tls,
});
