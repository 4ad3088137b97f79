import type { Server, WebSocketHandler } from "bun";
import { STATUS_TEXT } from "../../schemas/errors.ts";
import { Overloaded } from "../exec/concurrency-limiter.ts";
import { connectInside } from "../exec/relay.ts";
import type { ExecTarget } from "../exec/target.ts";
import { DisplayError, ensureDisplay } from "../exec/x-display.ts";
import { SECURITY_HEADERS } from "../web/security-headers.ts";
import { assets, displayPage } from "./pages.ts";
import { ASSETS_PATH, CLOSE, SOCKET_PATH } from "./protocol.ts";
import { newViewer, type ViewerState, viewerSockets } from "./socket.ts";

export interface DisplayOptions {
  /** Where its programs run. */
  readonly target: ExecTarget;
  /** Who may enter: what they may do, or the answer that they get instead. */
  readonly authorize: (request: Request) => Access | Response | Promise<Access | Response>;
  /** The origin under which a request reached this service, such as `https://…`; null when it is not its own. */
  readonly origin: (request: Request) => string | null;
  /** Whose programs a display shows that is started here; null: the service's own user. */
  readonly user: string | null;
  /** Whether other people use the machine. */
  readonly isShared: boolean;
  /** Starts a display in a way of the machine's own, and says on which port of it VNC is; null: there is no such way. Throws DisplayError. */
  readonly startDeclared?: (display: number) => Promise<number | null>;
  /** Takes what went wrong inside. */
  readonly report?: (error: unknown) => void;
}

export interface Access {
  /** Watch, and nothing else. */
  readonly readonly: boolean;
}

export interface DisplayService {
  fetch(request: Request, server: Server<ViewerState>): Promise<Response | undefined>;
  readonly websocket: WebSocketHandler<ViewerState>;
  close(): void;
}

/** `:0` to `:9999`: VNC's port of a display is its number and 5900. */
export const DISPLAY_MAX = 9_999;
const FIRST = 1;

/** The display that a page is of: `/display/<n>`; or `/`, with `?display=`, which is the first one unless told. */
const PAGE = /^\/display\/(\d{1,5})\/?$/;

/** Whether a path is this service's, where it is served beside another one. */
export const isDisplayPath = (path: string): boolean =>
  path.startsWith("/display/") || path.startsWith("/api/v1/display/");

/**
 * X displays of a machine in the browser, by noVNC: alone, or mounted by a service that knows who may enter and where programs run.
 *
 *     const display = createDisplay({ target, authorize, origin, user: null, isShared: true });
 *     Bun.serve({ port: 8093, fetch: display.fetch, websocket: display.websocket });
 */
export function createDisplay(options: DisplayOptions): DisplayService {
  const { target, user, isShared, report = () => undefined } = options;
  const sockets = viewerSockets({
    async connect(display) {
      const port = (await options.startDeclared?.(display)) ?? null;
      const server =
        port === null ? await ensureDisplay(target, display, { user, with: "session", isShared }) : { port };
      return connectInside(target, server, { user });
    },
    explain(error) {
      if (error instanceof DisplayError)
        return { code: error.isTemporary ? CLOSE.ended : CLOSE.unavailable, reason: error.message };
      if (error instanceof Overloaded)
        return { code: CLOSE.ended, reason: "too many programs are under way at once" };
      report(error);
      return { code: CLOSE.ended, reason: "its VNC server cannot be reached" };
    },
  });

  const route = async (request: Request, server: Server<ViewerState>): Promise<Response | undefined> => {
    const url = new URL(request.url);
    const origin = options.origin(request);
    if (origin === null) return refuse(403, "FORBIDDEN_HOST", "This is not the address of this service.");
    if (url.pathname.startsWith(ASSETS_PATH)) {
      return (await assets()).response(url.pathname) ?? notFound();
    }
    const who = await options.authorize(request);
    if (who instanceof Response) return who;
    const display = displayOf(url);
    if (display === null) return notFound();
    if (Number.isNaN(display))
      return refuse(400, "VALIDATION_ERROR", `display: must be a number of 0 to ${DISPLAY_MAX}`);
    const isReadonly = who.readonly || isOn(url.searchParams.get("readonly"));
    if (url.pathname === SOCKET_PATH) {
      if (request.headers.get("origin") !== origin)
        return refuse(403, "FORBIDDEN_ORIGIN", "Only this service's own pages may connect.");
      if (server.upgrade(request, { data: newViewer(display, isReadonly) })) return undefined;
      return refuse(400, "VALIDATION_ERROR", "This address takes WebSockets.");
    }
    if (request.method !== "GET" && request.method !== "HEAD")
      return refuse(405, "METHOD_NOT_ALLOWED", "Only GET and HEAD here.", { allow: "GET, HEAD" });
    return displayPage({ display, readonly: isReadonly }, await assets(), origin);
  };

  return {
    async fetch(request, server) {
      try {
        return await route(request, server);
      } catch (error) {
        report(error);
        return refuse(500, "INTERNAL_ERROR", "The display could not be opened.");
      }
    },
    websocket: sockets.handler,
    close: () => sockets.close(),
  };
}

/** The number that an address means; NaN where it is none, null where the address is no display's. */
function displayOf({ pathname, searchParams }: URL): number | null {
  const [, inPath] = PAGE.exec(pathname) ?? [];
  if (inPath === undefined && pathname !== "/" && pathname !== SOCKET_PATH) return null;
  const text = inPath ?? searchParams.get("display") ?? String(FIRST);
  const number = /^:?\d{1,5}$/.test(text) ? Number(text.replace(":", "")) : Number.NaN;
  return number <= DISPLAY_MAX ? number : Number.NaN;
}

/** As the terminal reads its parameters: the bare name is yes. */
const isOn = (text: string | null): boolean => text !== null && ["", "true", "1"].includes(text);

function refuse(
  status: number,
  code: string,
  message: string,
  headers: Record<string, string> = {},
): Response {
  const body = { statusCode: status, error: STATUS_TEXT[status] ?? "Error", message, code };
  return Response.json(body, { status, headers: { ...SECURITY_HEADERS, ...headers } });
}

const notFound = () => refuse(404, "ROUTE_NOT_FOUND", "There is nothing at this address.");
