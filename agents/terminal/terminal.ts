import type { Server, WebSocketHandler } from "bun";
import { Overloaded } from "../exec/concurrency-limiter.ts";
import { DisplayError } from "../exec/x-display.ts";
import { OPENAPI_JSON, OPENAPI_YAML, SPECIFICATION_FILE } from "./openapi.ts";
import type { Authorization, TerminalOptions } from "./options.ts";
import { UNSAFE_CHARACTERS } from "./parameters/control-characters.ts";
import { ParameterError, parseRequest, type TerminalRequest } from "./parameters/parse.ts";
import { isLonger } from "./parameters/values.ts";
import { DISPLAY_MS_MAX, isDisplayReady, waitForDisplay } from "./process/display.ts";
import { assets } from "./server/assets.ts";
import { confirmPage } from "./server/confirm-page.ts";
import { terminalErrorResponse } from "./server/error-page.ts";
import { isCrossSiteRequest, isForeign, isOwn, isSpeculative } from "./server/fetch-metadata.ts";
import { transferFile } from "./server/files.ts";
import { HARDENING } from "./server/html.ts";
import { bootOf, terminalPage } from "./server/pages.ts";
import { describeSession, describeSessions } from "./server/session-list.ts";
import { newSocketState, type SocketState, socketHandler, type TokenGrant } from "./server/socket.ts";
import { Tokens } from "./server/tokens.ts";
import { adoptSessions } from "./session/adopt.ts";
import { preparer } from "./session/prepare.ts";
import type { Session } from "./session/session.ts";
import { ENDED_KEPT_MS, Sessions, TooManySessions } from "./session/sessions.ts";
import { SshError } from "./ssh/connect.ts";
import { HostKeyChanged } from "./ssh/known-hosts.ts";

export const SOCKET_PATH = "/api/v1/terminal/ws";
export const SESSIONS_PATH = "/api/v1/terminal/sessions";

/** A page connects within seconds of loading, or within minutes over a slow network. */
const PAGE_TOKEN_MS = 5 * 60 * 1000;
const SWEEP_MS = 60_000;
const NAME_CHARS_MAX = 200;
const SMALL_BYTES_MAX = 4096;

export interface TerminalService {
  readonly sessions: Sessions;
  fetch(request: Request, server: Server<SocketState>): Promise<Response | undefined>;
  readonly websocket: WebSocketHandler<SocketState>;
  /** Settles when the sessions of the previous process are adopted. Requests wait for it. */
  readonly adopted: Promise<void>;
  /** Ends all sessions. */
  close(): void;
  /** Leaves its sessions to the next process that serves this terminal, if they are hosted outside this process. */
  leave(): void;
}

/**
 * The web terminal (container services §4.1) as a handler for `Bun.serve`: alone, or mounted by a service that
 * authorizes users and chooses the namespaces in which programs run.
 *
 *     const terminal = createTerminal({ target, authorize, origin, ssh });
 *     Bun.serve({ port: 8091, fetch: terminal.fetch, websocket: terminal.websocket });
 */
export function createTerminal(options: TerminalOptions): TerminalService {
  const { ptyStore, target, report = () => undefined } = options;
  const sessions: Sessions = new Sessions(
    preparer(options, () => sessions),
    ptyStore?.location,
  );
  const adopted =
    ptyStore === undefined ? Promise.resolve() : adoptSessions(ptyStore, target, sessions, report);
  const tokens = new Tokens<TokenGrant>();
  const isOver = ({ session }: TokenGrant) =>
    performance.now() - (session.endedAt ?? Infinity) > ENDED_KEPT_MS;
  const sweeping = setInterval(() => tokens.removeIf(isOver), SWEEP_MS);
  sweeping.unref();

  const open = async (request: Request, who: Authorization, origin: string, server: Server<SocketState>) => {
    const url = new URL(request.url);
    const terminalRequest = parseRequest(url.searchParams, { urlArg: options.urlArg ?? false, origin });
    if (isSpeculative(request)) return new Response(null, { status: 503, headers: HARDENING });
    const framedBy = options.framedBy?.(request) ?? null;
    if (framedBy === null && isCrossSiteRequest(request, origin))
      return confirmPage(terminalRequest, origin, isForeign(request, origin));
    if (who.readonly && startsSomething(terminalRequest, sessions)) {
      return terminalErrorResponse(
        request,
        403,
        "INSUFFICIENT_PERMISSIONS",
        "You may watch sessions, not start them.",
      );
    }
    const target =
      terminalRequest.redirect === null
        ? null
        : displayTarget(options, terminalRequest.redirect.display, request);
    await ensureDisplay(options, terminalRequest);
    const { session, isNew } = await sessions.ensure(terminalRequest);
    if (isNew) options.opened?.(session.id, who);
    if (terminalRequest.redirect !== null && target !== null) {
      server.timeout(request, 0);
      return toDisplay(options, terminalRequest.redirect, target, request);
    }
    const isReadonly = terminalRequest.readonly || who.readonly;
    const token = tokens.issue({ session, readonly: isReadonly }, PAGE_TOKEN_MS);
    const boot = bootOf(
      terminalRequest,
      { id: session.id, token, readonly: isReadonly, framedBy },
      { socket: SOCKET_PATH, sessions: SESSIONS_PATH },
    );
    return terminalPage(boot, await assets(), origin);
  };

  const route = async (request: Request, server: Server<SocketState>): Promise<Response | undefined> => {
    const { pathname } = new URL(request.url);
    const origin = options.origin(request);
    if (origin === null)
      return terminalErrorResponse(
        request,
        403,
        "FORBIDDEN_HOST",
        "This is not the address of this service.",
      );
    if (pathname === OPENAPI_JSON || pathname === OPENAPI_YAML) {
      return allowed(request, "GET", "HEAD") ?? specification(request, pathname, options.specificationFile);
    }
    const asset = pathname.startsWith("/api/v1/terminal/assets/")
      ? (await assets()).response(pathname)
      : null;
    if (asset !== null) return allowed(request, "GET", "HEAD") ?? asset;

    const who = await options.authorize(request);
    if (who instanceof Response) return who;
    // A client that returns before adoption is over must find its session, not start a new one.
    await adopted;
    if (pathname === "/") return allowed(request, "GET") ?? open(request, who, origin, server);
    if (pathname === SOCKET_PATH) {
      if (request.headers.get("origin") !== origin) {
        return terminalErrorResponse(
          request,
          403,
          "FORBIDDEN_ORIGIN",
          "Only this service's own pages may connect.",
        );
      }
      if (server.upgrade(request, { data: newSocketState(who.readonly) })) return undefined;
      return terminalErrorResponse(request, 400, "VALIDATION_ERROR", "This address takes WebSockets.");
    }
    if (pathname === SESSIONS_PATH || pathname.startsWith(`${SESSIONS_PATH}/`)) {
      // A file transfer may take long.
      server.timeout(request, 0);
      return manage(request, pathname, who, origin, { ...options, sessions, tokens });
    }
    return terminalErrorResponse(request, 404, "ROUTE_NOT_FOUND", "There is nothing at this address.");
  };

  return {
    sessions,
    adopted,
    async fetch(request, server) {
      try {
        return await route(request, server);
      } catch (error) {
        if (error instanceof ParameterError)
          return terminalErrorResponse(request, 400, "VALIDATION_ERROR", error.message);
        if (error instanceof TooManySessions)
          return terminalErrorResponse(request, 503, "OVERLOADED", error.message);
        if (error instanceof Overloaded) return overloaded(request, error);
        if (error instanceof HostKeyChanged)
          return terminalErrorResponse(request, 502, "HOST_KEY_CHANGED", error.message);
        if (error instanceof SshError)
          return terminalErrorResponse(request, 502, "SSH_UNAVAILABLE", error.message);
        report(error);
        return terminalErrorResponse(request, 500, "INTERNAL_ERROR", "The terminal could not be opened.");
      }
    },
    websocket: socketHandler(tokens),
    close() {
      clearInterval(sweeping);
      sessions.close();
    },
    leave() {
      clearInterval(sweeping);
      sessions.leave();
    },
  };
}

const overloaded = (request: Request, { retryAfterSeconds }: Overloaded) =>
  terminalErrorResponse(
    request,
    503,
    "OVERLOADED",
    "Too many programs or files of this container, or of this host, are under way at once. Try again soon.",
    { "retry-after": String(retryAfterSeconds) },
  );

/** Whether a request would do more than show an existing session. */
function startsSomething(terminalRequest: TerminalRequest, sessions: Sessions): boolean {
  return (
    terminalRequest.reset ||
    terminalRequest.terminalId === null ||
    sessions.get(terminalRequest.terminalId) === undefined
  );
}

function allowed(request: Request, ...methods: string[]): Response | null {
  if (methods.includes(request.method)) return null;
  const message = `Only ${methods.join(" and ")} here.`;
  return terminalErrorResponse(request, 405, "METHOD_NOT_ALLOWED", message, { allow: methods.join(", ") });
}

async function specification(request: Request, path: string, file = SPECIFICATION_FILE): Promise<Response> {
  const text = await Bun.file(file)
    .text()
    .catch(() => null);
  if (text === null)
    return terminalErrorResponse(request, 404, "SPEC_NOT_FOUND", "OpenAPI specification file missing");
  if (path === OPENAPI_JSON) return new Response(text, { headers: { "content-type": "application/json" } });
  const yaml = Bun.YAML.stringify(JSON.parse(text), null, 2);
  return new Response(`${yaml}\n`, { headers: { "content-type": "application/yaml" } });
}

function displayTarget(options: TerminalOptions, display: number, request: Request): string {
  const target = options.displayUrl?.(display, request) ?? null;
  if (target === null)
    throw new ParameterError("redirect", "this server does not know where displays are shown");
  return target;
}

/** Before the session, whose desktop needs its X server. @throws ParameterError */
async function ensureDisplay(
  { ensureDisplay: ensure }: TerminalOptions,
  { redirect, launch }: TerminalRequest,
): Promise<void> {
  const { desktop, ssh, user, env } = launch;
  const display = redirect?.display ?? (desktop === null ? null : numberOf(env.DISPLAY));
  if (ensure === undefined || display === null || ssh !== null) return;
  try {
    // A desktop brings a window manager; single windows need one to be moved.
    await ensure(display, { user, with: desktop === null ? "windows" : "nothing" });
  } catch (error) {
    if (!(error instanceof DisplayError)) throw error;
    throw new ParameterError("display", `cannot be had: ${error.message}`);
  }
}

const numberOf = (display: string | undefined): number | null => {
  const [, number] = /^:(\d{1,5})$/.exec(display ?? "") ?? [];
  return number === undefined ? null : Number(number);
};

async function toDisplay(
  options: TerminalOptions,
  { display, delaySeconds }: { display: number; delaySeconds: number },
  target: string,
  request: Request,
): Promise<Response> {
  const isReady = options.isDisplayReady ?? isDisplayReady;
  const waiting = { signal: request.signal, withinMs: options.displayMsMax ?? DISPLAY_MS_MAX };
  if (!(await waitForDisplay(() => isReady(display), waiting))) {
    return terminalErrorResponse(
      request,
      504,
      "DISPLAY_NOT_READY",
      `Display :${display} did not answer in time.`,
    );
  }
  await Bun.sleep(delaySeconds * 1000);
  return new Response(null, { status: 302, headers: { location: target, ...HARDENING } });
}

interface Managing extends Pick<TerminalOptions, "target" | "fileMsMax"> {
  readonly sessions: Sessions;
  readonly tokens: Tokens<TokenGrant>;
}

/** Lists sessions; ends, renames and reconnects to one. */
async function manage(
  request: Request,
  pathname: string,
  who: Authorization,
  origin: string,
  { target, sessions, tokens, fileMsMax }: Managing,
): Promise<Response> {
  if (!isOwn(request, origin)) {
    return terminalErrorResponse(
      request,
      403,
      "FORBIDDEN_ORIGIN",
      "Only this service's own pages may ask this.",
    );
  }
  if (pathname === SESSIONS_PATH) {
    return allowed(request, "GET") ?? json({ sessions: await describeSessions(sessions.open, target) });
  }
  const [, number, rest] =
    /^\/(\d{1,5})(\/files|\/tokens)?$/.exec(pathname.slice(SESSIONS_PATH.length)) ?? [];
  const refusal = allowed(request, ...(METHODS[rest ?? ""] ?? []));
  if (refusal !== null) return refusal;
  if (rest === "/tokens") {
    const ended = number === undefined ? undefined : sessions.recent(Number(number));
    return ended === undefined ? noSession(request) : issueToken(request, ended, who, tokens);
  }
  if (who.readonly) {
    return terminalErrorResponse(
      request,
      403,
      "INSUFFICIENT_PERMISSIONS",
      "You may watch sessions, and nothing else.",
    );
  }
  const session = number === undefined ? undefined : sessions.get(Number(number));
  if (session === undefined) return noSession(request);
  if (rest !== undefined) return transferFile(request, session, target, fileMsMax);
  if (request.method === "DELETE") {
    session.end("it was ended from the list of sessions");
    return new Response(null, { status: 204 });
  }
  const name = await readName(request);
  if (name === undefined) {
    return terminalErrorResponse(
      request,
      400,
      "VALIDATION_ERROR",
      `name: text of at most ${NAME_CHARS_MAX} characters, none of which are controls, or null`,
    );
  }
  session.rename(name);
  return json(describeSession(session));
}

const METHODS: Readonly<Record<string, readonly string[]>> = {
  "": ["DELETE", "PATCH"],
  "/files": ["GET", "PUT"],
  "/tokens": ["POST"],
};

const noSession = (request: Request) =>
  terminalErrorResponse(request, 404, "SESSION_NOT_FOUND", "There is no such session.");

/**
 * Issues a new token to a page that an earlier process served, so that it can reconnect without reloading. A page
 * that only watches sends `{"readonly": true}`.
 */
async function issueToken(
  request: Request,
  session: Session,
  who: Authorization,
  tokens: Tokens<TokenGrant>,
): Promise<Response> {
  const body = (await readSmall(request)) as { readonly?: unknown } | undefined;
  const isReadonly = who.readonly || body?.readonly !== false;
  return json({ token: tokens.issue({ session, readonly: isReadonly }, PAGE_TOKEN_MS) });
}

const json = (value: unknown) => Response.json(value, { headers: HARDENING });

/** Reads a small body as a JSON object; undefined when it is not one. */
async function readSmall(request: Request): Promise<object | undefined> {
  if (Number(request.headers.get("content-length") ?? Infinity) > SMALL_BYTES_MAX) return undefined;
  const body: unknown = await request.json().catch(() => undefined);
  return typeof body === "object" && body !== null ? body : undefined;
}

/** Undefined when the body is not `{"name": …}`. */
async function readName(request: Request): Promise<string | null | undefined> {
  const { name } = ((await readSmall(request)) ?? {}) as { name?: unknown };
  if (name === null) return null;
  if (typeof name !== "string" || isLonger(name, NAME_CHARS_MAX) || UNSAFE_CHARACTERS.test(name))
    return undefined;
  return name.trim() || null;
}
