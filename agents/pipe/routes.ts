import type { FieldMap } from "../http1/head.ts";
import { Refusal } from "../http1/refusal.ts";
import type { Fields } from "../http1/response.ts";
import { framedAlsoBy, terminalBeside } from "../web/framing.ts";
import { corsFields, preflightFields } from "./headers/cors.ts";
import { health } from "./health.ts";
import type { Exchange } from "./http/exchange.ts";
import {
  dashboardPage,
  helpText,
  homePage,
  ICON,
  noscriptPage,
  type Page,
  playerPage,
} from "./pages/index.ts";
import { HEALTH, pathProblem, RESERVED } from "./pipe-path.ts";
import { readFlag } from "./query.ts";
import type { PipeService, SignIn } from "./service.ts";
import { COMMON } from "./transfer/peer.ts";

/** The routes of a pipe (spec §4.2). */

export const PREFIX = "/api/v1/pipe";
/** An alternative path of the health record. */
const BARE_HEALTH = `/${HEALTH}`;
/** Outside the pipes' prefix, so that it reserves no name of a pipe. */
const SHARE = "/share";
const ALLOWED = "GET, POST, PUT, OPTIONS";
/** The methods of pages and the health record. */
const READ_ALONE = "GET, HEAD, OPTIONS";
const TEXT = { "Content-Type": "text/plain; charset=utf-8" };

export function route(service: PipeService, exchange: Exchange): void {
  const { method, path } = exchange.request;
  const within = withinPrefix(path);
  const page = within ?? path.slice(1);
  if (within === HEALTH) answerHealth(exchange);
  else if (method === "OPTIONS") preflight(exchange);
  else if (path === BARE_HEALTH) throw new Refusal(404, `The health record is at ${PREFIX}/health.`);
  else if (path === SHARE && method === "POST" && service.signIn !== undefined)
    share(service.signIn, exchange);
  else if (RESERVED.includes(page)) answerReserved(service, exchange, page);
  else if (within === undefined)
    throw new Refusal(404, `There is nothing here. Pipes are at ${PREFIX}/<path>.`);
  else if (method === "POST" || method === "PUT") send(service, exchange, pipeName(within));
  else if (method === "GET") receive(service, exchange, pipeName(within));
  else throw new Refusal(405, `This path takes ${ALLOWED}.`, { Allow: ALLOWED });
}

function send(service: PipeService, exchange: Exchange, name: string): void {
  if (exchange.request.headers.get("content-range") !== undefined) {
    throw new Refusal(400, "A part of a file can't be sent: Content-Range is not supported.");
  }
  service.pipes.send(name, exchange);
}

function receive(service: PipeService, exchange: Exchange, name: string): void {
  const { headers, query, framing } = exchange.request;
  if (headers.get("service-worker")?.toLowerCase() === "script") {
    throw new Refusal(400, "A pipe does not serve scripts of service workers.");
  }
  if (framing.kind !== "none") throw new Refusal(400, "A receiver has nothing to send: GET takes no body.");
  const wantsHtml = accepts(headers.get("accept"), "text/html");
  const video = readFlag(query, "video") === true;
  const progress = readFlag(query, "progress") === true;
  if (progress && wantsHtml && !accepts(headers.get("accept"), "text/event-stream")) {
    respondWithPage(exchange, dashboardPage(name));
  } else if (progress) {
    service.pipes.watch(name, exchange);
  } else if (video && wantsHtml) {
    respondWithPage(exchange, playerPage(name));
  } else {
    service.pipes.receive(name, exchange);
  }
}

function answerReserved(service: PipeService, exchange: Exchange, name: string): void {
  const { method, query } = exchange.request;
  if (method === "POST" || method === "PUT") {
    throw new Refusal(400, `"/${name}" is reserved and can't be used as a pipe.`);
  }
  if (method !== "GET" && method !== "HEAD") {
    throw new Refusal(405, `This path takes ${READ_ALONE}.`, { Allow: READ_ALONE });
  }
  const url = service.urlFor(exchange.request);
  if (name === "help")
    sendPage(exchange, { type: TEXT["Content-Type"], body: helpText(url, service.signIn) });
  else if (name === "noscript")
    sendPage(exchange, noscriptPage(query.get("path") ?? "", query.get("mode") ?? "file"));
  else if (name === "robots.txt")
    sendPage(exchange, { type: TEXT["Content-Type"], body: "User-agent: *\nDisallow: /\n" });
  else if (name === "favicon.ico") sendPage(exchange, { type: "image/svg+xml", body: ICON });
  else respondWithPage(exchange, homePage(service.signIn?.curlTrust));
}

/** Responds with a page, whose script may have to be bundled first. */
function respondWithPage(exchange: Exchange, page: Promise<Page>): void {
  page.then(
    (ready) => exchange.isOver || sendPage(exchange, ready),
    () => exchange.isOver || refuse(exchange, new Refusal(500, "The page could not be made. Try again.")),
  );
}

function sendPage(exchange: Exchange, { type, body, policy }: Page): void {
  const terminal = terminalBeside(exchange.request.headers.get("host") ?? "");
  const fields = {
    ...COMMON,
    ...corsFields(exchange.request.headers),
    "Content-Type": type,
    // The response depends on whether a browser, a script or a receiver asks.
    Vary: "Origin, Accept",
    "Cache-Control": "no-store",
    "Referrer-Policy": "same-origin",
    ...(policy === undefined ? {} : { "Content-Security-Policy": framedAlsoBy(policy, terminal) }),
  };
  exchange.respond(200, fields, body);
}

function answerHealth(exchange: Exchange): void {
  const { method, headers } = exchange.request;
  const allow = { Allow: READ_ALONE };
  if (method === "OPTIONS") {
    exchange.respond(204, { ...COMMON, ...preflightFields(headers), ...allow });
  } else if (method === "GET" || method === "HEAD") {
    const record = health(exchange.address, headers.get("user-agent") ?? "");
    const fields = { "Content-Type": "application/json", "Cache-Control": "no-store" };
    exchange.respond(200, { ...COMMON, ...corsFields(headers), ...fields }, `${JSON.stringify(record)}\n`);
  } else {
    throw new Refusal(405, `This path takes ${READ_ALONE}.`, allow);
  }
}

function preflight(exchange: Exchange): void {
  exchange.respond(204, { ...COMMON, ...preflightFields(exchange.request.headers), Allow: ALLOWED });
}

/** The name of a pipe, also where its whole path was given. */
const sharedName = (path: string): string =>
  path.startsWith(`${PREFIX}/`) ? path.slice(PREFIX.length + 1) : path.replace(/^\//, "");

/** Responds with a token for one path, with which others can receive from it. */
function share(signIn: SignIn, exchange: Exchange): void {
  const { request } = exchange;
  const name = sharedName(request.query.get("path") ?? "");
  const problem = pathProblem(name);
  if (problem !== undefined) throw new Refusal(400, `path: ${problem}`);
  const fields = {
    ...commonFields(request.headers),
    "Content-Type": "application/json",
    "Cache-Control": "no-store",
  };
  signIn.share(request, `${PREFIX}/${name}`).then(
    (made) => {
      if (exchange.isOver) return;
      if (made === undefined)
        refuse(exchange, new Refusal(403, "Only those who may enter by themselves share a path."));
      else {
        const body = { share_token: made.token, expires_in: made.expiresInSeconds };
        exchange.respond(200, fields, `${JSON.stringify(body)}\n`);
      }
    },
    () => exchange.isOver || refuse(exchange, new Refusal(500, "The token could not be made. Try again.")),
  );
}

/** Refuses a request, with the header fields of every response of a pipe. */
export function refuse(exchange: Exchange, { status, message, headers }: Refusal): void {
  exchange.respond(
    status,
    { ...commonFields(exchange.request.headers), ...TEXT, ...headers },
    `[ERROR] ${message}\n`,
  );
}

/**
 * The header fields of every response at a pipe's address, even of a proxy in front of it (spec §4.2, rule 5 and
 * "CORS preflight").
 */
export const commonFields = (headers: FieldMap): Fields => ({ ...COMMON, ...corsFields(headers) });

/** Whether a request needs no credential: it reveals nothing about transfers. */
export const isOpen = ({ method, path }: { method: string; path: string }): boolean =>
  method === "OPTIONS" || path === BARE_HEALTH || withinPrefix(path) === HEALTH;

function withinPrefix(path: string): string | undefined {
  if (path === PREFIX) return "";
  return path.startsWith(`${PREFIX}/`) ? path.slice(PREFIX.length + 1) : undefined;
}

/** The name of a pipe, decoded, since sender and receiver may escape a path in different ways. @throws Refusal 400 */
function pipeName(raw: string): string {
  let name: string;
  try {
    name = decodeURIComponent(raw);
  } catch {
    name = raw;
  }
  const problem = pathProblem(name);
  if (problem !== undefined) throw new Refusal(400, problem);
  return name;
}

const accepts = (accept: string | undefined, type: string): boolean =>
  (accept ?? "").split(",").some((one) => one.split(";")[0]?.trim().toLowerCase() === type);
