import type { ErrorCode } from "../../../schemas/errors.ts";
import type { RequestHead } from "../../http1/head.ts";
import { cookiesOf } from "../headers.ts";
import { errorResponse, type LocalResponse, notFound, redirect } from "../local-response.ts";
import { BRIEF_SESSION_SECONDS, type EdgeSessions, SESSION_COOKIE, SESSION_SECONDS } from "./sessions.ts";
import type { Bearer, EdgeTokens } from "./tokens.ts";

/** Where somebody wants to enter. */
export interface ProtectedResource {
  readonly containerId: string;
  /** The host name, without a port. */
  readonly name: string;
  /** `https://<name>[:<port>]`, as the client reached it. */
  readonly origin: string;
  /** False: there is nothing behind it, and nobody enters. It asks for a credential like any other. */
  readonly leadsIn: boolean;
}

export type Verdict =
  | { readonly kind: "enter"; readonly userId: string }
  | { readonly kind: "answer"; readonly answer: LocalResponse };

const HOW_TO_ENTER =
  "This address is for people with access to the container. Open it once with `?access_token=…`, or send `Authorization: Bearer …`; " +
  "`POST /api/v1/containers/{id}/access` of the API gives a token, and `npm start` prints a link.";
const PARAMETER = "access_token";
/** Cookies of the session's name that are looked at in a request: each is a signature to check. */
const SESSIONS_READ_MAX = 4;

/** Who may enter a container's own services (design §4 "Who may enter"). */
export class Access {
  /**
   * @param container whose project it is of, and who may use it; undefined when it is not on this host. Asked on every request, so that
   *   whoever is taken off the list is refused at once
   */
  constructor(
    private readonly tokens: Pick<EdgeTokens, "read">,
    private readonly sessions: EdgeSessions,
    private readonly container: (id: string) => { projectId: string; grants: readonly string[] } | undefined,
  ) {}

  /** At once where nothing has to be verified that was not seen before. */
  check(request: RequestHead, resource: ProtectedResource): Verdict | Promise<Verdict> {
    const bearer = /^bearer +(\S+)$/i.exec(request.headers.get("authorization") ?? "")?.[1];
    if (bearer !== undefined)
      return this.#byToken(bearer, request, resource, ({ userId }) => ({ kind: "enter", userId }));
    const asked = request.query.get(PARAMETER);
    if (asked !== null && (request.method === "GET" || request.method === "HEAD")) {
      return this.#byToken(asked, request, resource, (bearer) => this.#exchange(bearer, request, resource));
    }
    return this.#bySession(request, resource);
  }

  /** Whether a user who entered may go on. */
  mayUse(userId: string, containerId: string): boolean {
    return this.container(containerId)?.grants.includes(userId) ?? false;
  }

  #byToken(
    token: string,
    request: RequestHead,
    { containerId, leadsIn }: ProtectedResource,
    enter: (bearer: Bearer) => Verdict,
  ): Verdict | Promise<Verdict> {
    const decide = (bearer: Bearer | undefined): Verdict => {
      if (bearer === undefined) {
        const message = `The access token is invalid or expired. ${HOW_TO_ENTER}`;
        return refused(request, 401, "INVALID_TOKEN", message);
      }
      // Another tenant's container answers as one that is not there.
      const { projectId } = this.container(containerId) ?? {};
      const isFor =
        (bearer.containerId ?? containerId) === containerId && (bearer.projectId ?? projectId) === projectId;
      if (!leadsIn || !isFor || !this.mayUse(bearer.userId, containerId))
        return { kind: "answer", answer: notFound(request) };
      return enter(bearer);
    };
    const read = this.tokens.read(token);
    return read instanceof Promise ? read.then(decide) : decide(read);
  }

  /** The token leaves the address bar, the history and the logs; a session of this host name takes its place. */
  #exchange({ userId, lasting }: Bearer, request: RequestHead, resource: ProtectedResource): Verdict {
    const seconds = lasting ? SESSION_SECONDS : BRIEF_SESSION_SECONDS;
    const value = this.sessions.issue(userId, placeOf(resource), seconds);
    // Lax: a link of another site leads here with it, which is how a console opens a terminal; requests from other pages do not have it.
    const cookie = `${SESSION_COOKIE}=${value}; Path=/; Secure; HttpOnly; SameSite=Lax; Max-Age=${seconds}`;
    return { kind: "answer", answer: redirect(withoutToken(request.target), { "Set-Cookie": cookie }) };
  }

  #bySession(request: RequestHead, resource: ProtectedResource): Verdict {
    // One that somebody else has put beside the right one keeps nobody out.
    const userId = cookiesOf(request.headers, SESSION_COOKIE, SESSIONS_READ_MAX)
      .map((value) => this.sessions.read(value, placeOf(resource)))
      .find((found) => found !== undefined);
    if (userId === undefined) return refused(request, 401, "MISSING_TOKEN", HOW_TO_ENTER);
    if (!isOwn(request, resource.origin)) {
      return refused(request, 403, "FORBIDDEN_ORIGIN", "Only this address's own pages may ask this.");
    }
    if (!resource.leadsIn || !this.mayUse(userId, resource.containerId))
      return { kind: "answer", answer: notFound(request) };
    return { kind: "enter", userId };
  }
}

const placeOf = ({ name, containerId }: ProtectedResource): string => `${name}\n${containerId}`;

const refused = (request: RequestHead, status: number, code: ErrorCode, message: string): Verdict => ({
  kind: "answer",
  answer: errorResponse(
    request,
    status,
    code,
    message,
    status === 401 ? { "WWW-Authenticate": "Bearer" } : {},
  ),
});

/**
 * A browser sends its cookie also for pages of other origins, siblings under this very domain among them, where anybody's program
 * may run. So a page of another origin is served nothing, whatever it may be allowed to read, and a WebSocket has to say whose it is.
 */
function isOwn({ method, headers }: RequestHead, origin: string): boolean {
  const from = headers.get("origin");
  if (headers.get("upgrade") !== undefined && from !== origin) return false;
  if (from !== undefined && from !== origin) return false;
  const site = headers.get("sec-fetch-site");
  if (site === undefined || site === "same-origin" || site === "none") return true;
  return (
    method === "GET" &&
    headers.get("sec-fetch-mode") === "navigate" &&
    headers.get("sec-fetch-dest") === "document"
  );
}

/** The path and the query without the token, as they were sent otherwise. Relative to the host, whatever the path begins with. */
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
