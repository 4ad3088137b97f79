import { createHash } from "node:crypto";
import { type AnyElysia, ElysiaCustomStatusResponse, status } from "elysia";
import type { Caller } from "../../schemas/accounts/auth.ts";
import { DomainError } from "../../schemas/errors.ts";
import type { Operation } from "../idempotency.ts";
import type { KeptReply, ReplyStore } from "./kept-replies.ts";
import type { RunningRequests } from "./running-requests.ts";

/** What a handler gets, of which a plugin here knows only this. */
interface Handled {
  readonly request: Request;
  readonly caller?: Caller | null;
  readonly operation?: Operation;
  readonly body?: unknown;
  readonly set: { readonly headers: { etag?: string } & Record<string, unknown> };
}
type Handler = (ctx: Handled) => unknown;

/** What a route says in its `detail` about keys. */
export interface KeyDetail {
  /** False: a key has no effect. */
  readonly "x-idempotency-key"?: boolean;
  /** Why the first reply is not kept, although a key has an effect. */
  readonly "x-reply-not-kept"?: string;
  /** Fields of `data` that the first reply alone has: a repeated one has null in their place. */
  readonly "x-shown-once"?: readonly string[];
}

/**
 * Lets a request that comes again under its client's key get the reply that the first one got, whatever the state is by now: where a
 * check refuses it, and where its actor replies with a receipt. Both are known only afterwards, so a new key costs no look-up.
 *
 * The guards of a route run before, as for any request; and a reply is found by the credential's user, realm and administrator alone.
 */
export function answeringRepeated<T extends AnyElysia>(
  routes: T,
  replies: ReplyStore,
  running: RunningRequests,
): T {
  for (const route of routes.routes as {
    method: string;
    handler: unknown;
    hooks: { detail?: KeyDetail };
  }[]) {
    const detail = route.hooks.detail ?? {};
    const isExempt = detail["x-idempotency-key"] === false || detail["x-reply-not-kept"] !== undefined;
    if (route.method === "GET" || isExempt || typeof route.handler !== "function") continue;
    const handler = route.handler as Handler;
    const shownOnce = detail["x-shown-once"] ?? [];
    // Elysia awaits a handler that reads as asynchronous.
    route.handler = async (ctx: Handled) =>
      ctx.caller && ctx.operation?.hasClientKey
        ? answer({ ctx, handler, replies, running, shownOnce }, ctx.caller, ctx.operation)
        : handler(ctx);
  }
  return routes;
}

interface Answering {
  readonly ctx: Handled;
  readonly handler: Handler;
  readonly replies: ReplyStore;
  readonly running: RunningRequests;
  readonly shownOnce: readonly string[];
}

async function answer(answering: Answering, caller: Caller, operation: Operation): Promise<unknown> {
  const { ctx, handler, replies, running, shownOnce } = answering;
  const id = idOf(ctx.request, caller, operation.key);
  const fingerprint = fingerprintOf(ctx.body, operation.key);
  const end = running.begin(id);
  /** The first reply, for which a first request that is still in progress is awaited. */
  const first = async () => {
    end();
    await running.othersEnd(id);
    const kept = await replies.find(id);
    return kept?.fingerprint === fingerprint ? kept : undefined;
  };
  try {
    const reply = await handler(ctx);
    const sent = sentBy(reply);
    if (sent === undefined) return reply;
    if (operation.isReplayed && !saysReplayed(sent.body)) {
      const kept = await first();
      if (kept !== undefined) return sendAgain(ctx, kept);
    }
    const etag = ctx.set.headers.etag ?? null;
    await replies.keep(id, { fingerprint, etag, status: sent.status, body: without(shownOnce, sent.body) });
    return reply;
  } catch (error) {
    if (!isRefusal(error)) throw error;
    const kept = await first();
    if (kept === undefined) throw error;
    return sendAgain(ctx, kept);
  } finally {
    end();
  }
}

function sendAgain({ set }: Handled, { status: code, body, etag }: KeptReply) {
  if (etag !== null) set.headers.etag = etag;
  set.headers["idempotent-replayed"] = "true";
  return status(code as 200, body);
}

/** The status and body of a success that is JSON. */
function sentBy(reply: unknown): { status: number; body: object } | undefined {
  const isCoded = reply instanceof ElysiaCustomStatusResponse;
  const [code, body]: [number, unknown] = isCoded ? [reply.code, reply.response] : [200, reply];
  if (code >= 300 || typeof body !== "object" || body === null || body instanceof Response) return undefined;
  return { status: code, body };
}

/** Refusals of the client's request, other than of its credential. */
const isRefusal = (error: unknown): error is DomainError =>
  error instanceof DomainError && error.status >= 400 && error.status < 500 && error.status !== 401;

/** A reply that tells by itself that it comes again, as the spec asks of transfers (control plane §4.9). */
const saysReplayed = (body: object): boolean =>
  "data" in body && (body.data as { replayed?: unknown } | undefined)?.replayed === true;

function without(fields: readonly string[], body: object): object {
  if (fields.length === 0 || !("data" in body)) return body;
  return { ...body, data: { ...(body.data as object), ...Object.fromEntries(fields.map((f) => [f, null])) } };
}

/** The same for a repeated request of the same credential's user, realm and administrator. */
function idOf({ method, url }: Request, { userId, realmId, impersonatorId }: Caller, key: string): string {
  const address = url.slice(url.indexOf("/", url.indexOf("//") + 2));
  const parts = [userId, realmId ?? null, impersonatorId ?? null, method, address, key];
  return createHash("sha256").update(JSON.stringify(parts)).digest("hex");
}

/** The key, which is not kept itself, keeps a password in the body from being guessed. The key may stand in the body or in the header. */
function fingerprintOf(body: unknown, key: string): string {
  const hash = createHash("sha256").update(`${key}\0`);
  if (body instanceof Uint8Array) return hash.update(body).digest("hex");
  const { idempotency_key: _, ...fields } = { ...(body as object | undefined) } as Record<string, unknown>;
  return hash.update(JSON.stringify(fields)).digest("hex");
}
