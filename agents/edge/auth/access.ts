import type { ErrorCode } from "../../../schemas/errors.ts";
import type { RequestHead } from "../../http1/head.ts";
import { initiatorOf, isNavigation, isTopLevelNavigation } from "../../web/origin.ts";
import { cookiesOf } from "../headers.ts";
import { isFramed, type LocalResponse, localErrorResponse, notFound, redirect } from "../local-response.ts";
import type { EdgeContainer } from "../routes.ts";
import type { EndedSessionList } from "./ended-sessions.ts";
import { type ForeignCredential, findCredential } from "./foreign-credentials.ts";
import { type EdgeSessions, FRAME_COOKIE, type Principal, SESSION_COOKIE } from "./sessions.ts";
import { SHARE_PARAMETER, type Share, Shares } from "./shares.ts";
import type { ContainerGrant, ContainerTokens } from "./tokens.ts";

/** The resource that a request asks for. */
export interface ProtectedResource {
  readonly containerId: string;
  /** The service or program that the address leads to. */
  readonly service: string;
  /** The host name, without a port. */
  readonly name: string;
  /** `https://<name>[:<port>]`, as the client reached it. */
  readonly origin: string;
  /** The origin of the container's terminal, whose panel may show the pages of this address; null where it has none. */
  readonly terminal: string | null;
  /** False: there is nothing behind the name. It still asks for a credential, so that it looks like any other. */
  readonly exists: boolean;
}

export type Verdict =
  | { readonly kind: "enter"; readonly principal: Principal }
  | { readonly kind: "answer"; readonly answer: LocalResponse };

const HOW_TO_ENTER =
  "This address is for people with access to its container. In a browser, open it from the page of its container in the console. A program asks " +
  "the API for a token: `POST /api/v1/containers/{id}/access`. It sends `Authorization: Bearer …`, or opens the address once with `?access_token=…`.";
const API_CREDENTIAL =
  "This request holds a credential of the API (an account token, a refresh token or an API token), which no address of a container takes. " +
  "Nothing of it was passed on. Use a token for this one container: `POST /api/v1/containers/{id}/access` of the API makes one.";
const CONTAINER_CREDENTIAL =
  "This request holds a token for a container. It is for the container's terminal, pipe, notifications and files, and this address leads to a " +
  "port. Nothing of it was passed on.";
const SHARE_IS_OVER =
  "This link was shared to receive from one path, for an hour at most. It is for another path, or its time is over. Ask whoever sent it for a new one.";
const IN_A_PANEL =
  "Nobody is signed in at this address: each address of a container has a sign-in of its own, also within a panel. ";
const PARAMETER = "access_token";
/** Session cookies that are checked in a request: each costs the verification of a signature. */
const SESSIONS_READ_MAX = 4;

/** Who may enter a container's own services (design §4 "Who may enter"). */
export class Access {
  readonly #shares: Shares;

  /**
   * @param container the users with access to a container; undefined if it is not on this host. Called on every
   * request, so that a user who is removed from the list is refused at once
   */
  constructor(
    private readonly tokens: Pick<ContainerTokens, "read">,
    private readonly sessions: EdgeSessions,
    private readonly ended: Pick<EndedSessionList, "has" | "waiting">,
    private readonly container: (id: string) => Pick<EdgeContainer, "grants" | "limitedGrants"> | undefined,
  ) {
    this.#shares = new Shares(sessions);
  }

  /** Checks a request; without waiting if its credential is cached. */
  check(request: RequestHead, resource: ProtectedResource): Verdict | Promise<Verdict> {
    const { waiting } = this.ended;
    return waiting === undefined
      ? this.#check(request, resource)
      : waiting.then(() => this.#check(request, resource));
  }

  /**
   * A share token for one path of this address, on behalf of the caller. Undefined if the request itself has no
   * access, or has it only by a share token: shares cannot be passed on.
   *
   * @param path decoded
   */
  async share(request: RequestHead, resource: ProtectedResource, path: string): Promise<Share | undefined> {
    const verdict = await this.#checkOwn(request, resource);
    if (verdict.kind !== "enter") return undefined;
    return this.#shares.issue(verdict.principal, placeOf(resource), path);
  }

  /**
   * Whether a principal still has access to a service: the session has not ended, its time is not over, and the container's
   * list has the user.
   */
  isStillAuthorized(
    principal: Principal,
    resource: Pick<ProtectedResource, "containerId" | "service">,
  ): boolean {
    return this.#isGood(principal) && this.#hasAccess(principal.userId, resource);
  }

  #check(request: RequestHead, resource: ProtectedResource): Verdict | Promise<Verdict> {
    const foreign = refuseCredentials(request, ["api"]);
    if (foreign !== undefined) return { kind: "answer", answer: foreign };
    return this.#byShare(request, resource) ?? this.#checkOwn(request, resource);
  }

  /** Checks a share token. An expired or unsuitable one is ignored, since the caller may have access otherwise. */
  #byShare(request: RequestHead, resource: ProtectedResource): Verdict | undefined {
    const token = request.query.get(SHARE_PARAMETER);
    const principal = token === null ? undefined : this.#shares.read(token, placeOf(resource), request);
    if (principal === undefined || this.ended.has(principal) || !resource.exists) return undefined;
    return this.#hasAccess(principal.userId, resource) ? { kind: "enter", principal } : undefined;
  }

  #checkOwn(request: RequestHead, resource: ProtectedResource): Verdict | Promise<Verdict> {
    const authorization = request.headers.get("authorization");
    if (authorization !== undefined) {
      const token = /^bearer +(\S+)$/i.exec(authorization)?.[1] ?? "";
      return this.#byToken(token, request, resource, ({ principal }) => ({ kind: "enter", principal }));
    }
    const asked = request.query.get(PARAMETER);
    if (asked !== null && (request.method === "GET" || request.method === "HEAD")) {
      return this.#byToken(asked, request, resource, (grant) => this.#exchange(grant, request, resource));
    }
    return this.#bySession(request, resource);
  }

  #isGood(principal: Principal): boolean {
    return principal.expiresAtMs > Date.now() && !this.ended.has(principal);
  }

  #hasAccess(
    userId: string,
    { containerId, service }: Pick<ProtectedResource, "containerId" | "service">,
  ): boolean {
    const container = this.container(containerId);
    if (container === undefined) return false;
    const { grants, limitedGrants = [] } = container;
    if (grants.includes(userId)) return true;
    return limitedGrants.some((one) => one.user_id === userId && one.services.includes(service));
  }

  #byToken(
    token: string,
    request: RequestHead,
    resource: ProtectedResource,
    enter: (grant: ContainerGrant) => Verdict,
  ): Verdict | Promise<Verdict> {
    const decide = (grant: ContainerGrant | undefined): Verdict => {
      if (grant === undefined || !this.#isGood(grant.principal)) {
        const message = `The token is invalid or expired, or its session has ended. ${HOW_TO_ENTER}`;
        return refused(request, 401, "INVALID_TOKEN", message);
      }
      // Another tenant's container gets the same response as a missing one.
      const isFor =
        grant.containerId === resource.containerId && this.#hasAccess(grant.principal.userId, resource);
      if (!resource.exists || !isFor) return { kind: "answer", answer: notFound(request) };
      return enter(grant);
    };
    const read = this.tokens.read(token);
    return read instanceof Promise ? read.then(decide) : decide(read);
  }

  /**
   * Replaces the token in the URL by a cookie of this host name, so that it leaves the address bar, the history and
   * the logs.
   */
  #exchange(
    { principal, consoleOrigin }: ContainerGrant,
    request: RequestHead,
    resource: ProtectedResource,
  ): Verdict {
    const target = withoutToken(request.target);
    const seconds = Math.ceil((principal.expiresAtMs - Date.now()) / 1_000);
    const cookie = (name: string, framedBy: string | null, sameSite: string) =>
      `${name}=${this.sessions.issue({ ...principal, framedBy }, placeOf(resource))}; Path=/; Secure; HttpOnly; SameSite=${sameSite}; Max-Age=${seconds}`;
    if (isFrameOf(request, consoleOrigin)) {
      // Partitioned: browsers keep it for frames of the console's site alone, and also where they refuse the cookies of frames. The
      // request that follows has to name the console as well.
      const fields = {
        "Set-Cookie": cookie(FRAME_COOKIE, consoleOrigin, "None; Partitioned"),
        "Referrer-Policy": "strict-origin",
      };
      return { kind: "answer", answer: redirect(target, fields) };
    }
    // Lax: browsers send it when a link of another site leads here, as from a console to a terminal, but not with
    // other requests of that site.
    const fields = { "Set-Cookie": cookie(SESSION_COOKIE, null, "Lax") };
    return { kind: "answer", answer: redirect(target, fields) };
  }

  #bySession(request: RequestHead, resource: ProtectedResource): Verdict {
    // Another container's page may have set a second cookie of the same name: it must not lock the user out.
    const principal = [FRAME_COOKIE, SESSION_COOKIE]
      .flatMap((name) => cookiesOf(request.headers, name, SESSIONS_READ_MAX))
      .map((value) => this.sessions.read(value, placeOf(resource)))
      .find((found) => found !== undefined && !this.ended.has(found));
    if (principal === undefined) {
      const isShared = request.query.get(SHARE_PARAMETER) !== null;
      const why = isShared ? `${SHARE_IS_OVER} ` : isFramed(request) ? IN_A_PANEL : "";
      return refused(request, 401, "MISSING_TOKEN", `${why}${HOW_TO_ENTER}`);
    }
    if (!isOwn(request, resource.origin) && !this.#isFramedByOurs(request, resource, principal)) {
      return refused(request, 403, "FORBIDDEN_ORIGIN", "Only this address's own pages may ask this.");
    }
    if (!resource.exists || !this.#hasAccess(principal.userId, resource))
      return { kind: "answer", answer: notFound(request) };
    return { kind: "enter", principal };
  }

  /** Whether the panel of the container's terminal opens the address, or the console for whom the session was made. */
  #isFramedByOurs(request: RequestHead, { terminal }: ProtectedResource, { framedBy }: Principal): boolean {
    return isFrameOf(request, terminal) || isFrameOf(request, framedBy);
  }
}

/** The refusal of a request that holds a credential of one of these kinds; undefined if it holds none. */
export function refuseCredentials(
  request: RequestHead,
  kinds: readonly ForeignCredential[],
): LocalResponse | undefined {
  const found = findCredential(request);
  if (found === undefined || !kinds.includes(found)) return undefined;
  const message = found === "api" ? API_CREDENTIAL : CONTAINER_CREDENTIAL;
  return localErrorResponse(request, 401, "CONTAINER_TOKEN_REQUIRED", message, CHALLENGE);
}

const CHALLENGE = { "WWW-Authenticate": "Bearer" };

const placeOf = ({ name, containerId }: ProtectedResource): string => `${name}\n${containerId}`;

const refused = (request: RequestHead, status: number, code: ErrorCode, message: string): Verdict => ({
  kind: "answer",
  answer: localErrorResponse(request, status, code, message, status === 401 ? CHALLENGE : {}),
});

/**
 * Whether a request comes from a page of this origin. Browsers also send the cookie for pages of other origins, such
 * as other containers under the same domain. So those get nothing, and a WebSocket must name its origin.
 */
function isOwn({ method, headers }: RequestHead, origin: string): boolean {
  const fields = (name: string) => headers.get(name);
  if (headers.get("upgrade") !== undefined && fields("origin") !== origin) return false;
  if (initiatorOf(fields, origin) !== "foreign") return true;
  return fields("origin") === undefined && method === "GET" && isTopLevelNavigation(fields);
}

/**
 * Whether a page of this origin opens the address in a frame: only its requests name it, since browsers let no page choose its `Referer`.
 * That no other page is around it is what the page's own policy of frames says.
 */
function isFrameOf({ method, headers }: RequestHead, origin: string | null): boolean {
  const fields = (name: string) => headers.get(name);
  if (
    origin === null ||
    method !== "GET" ||
    fields("upgrade") !== undefined ||
    fields("origin") !== undefined
  )
    return false;
  const referrer = URL.parse(fields("referer") ?? "");
  return isFramed({ headers }) && isNavigation(fields) && referrer?.origin === origin;
}

/**
 * The path and query without the token, otherwise unchanged. Always relative to this host, whatever the path begins
 * with.
 */
function withoutToken(target: string): string {
  const local = target.replace(/^https?:\/\/[^/?#]*/i, "");
  const mark = local.indexOf("?");
  const path = (mark === -1 ? local : local.slice(0, mark)).replace(/^[/\\]+/, "/") || "/";
  const kept = (mark === -1 ? "" : local.slice(mark + 1))
    .split("&")
    .filter((one) => nameOf(one) !== PARAMETER && one !== "");
  return kept.length === 0 ? path : `${path}?${kept.join("&")}`;
}

const nameOf = (parameter: string): string | undefined => [...new URLSearchParams(parameter).keys()][0];
