import { Elysia, ValidationError as ElysiaValidationError, NotFoundError, ParseError } from "elysia";
import type { Logger } from "pino";
import { DomainError, STATUS_TEXT } from "../../schemas/errors.ts";
import type { RequestLimits } from "../auth/request-limits.ts";
import type { Connection } from "./client-address.ts";
import { methodsAt } from "./methods.ts";
import { validationErrorOf } from "./validation.ts";

/** The response to a failed request: the error envelope (spec, control plane §1.3) and its headers. */
interface Failure {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: {
    statusCode: number;
    error: string;
    message: string;
    code: string;
    data?: Record<string, unknown>;
  };
}

/** A client that was refused for overload may retry after this time. */
const RETRY_AFTER_SECONDS = "1";

function failureOf(error: DomainError): Failure {
  const { status, code, message, data } = error;
  return {
    status,
    headers: headersOf(error),
    body: {
      statusCode: status,
      error: STATUS_TEXT[status] ?? "Error",
      message,
      code,
      ...(data === undefined ? {} : { data }),
    },
  };
}

function headersOf(error: DomainError): Record<string, string> {
  if (error.code === "INVALID_TOKEN") return { "www-authenticate": 'Bearer error="invalid_token"' };
  // RFC 9110 §11.6.1: every 401 names the authentication scheme.
  if (error.status === 401) return { "www-authenticate": "Bearer" };
  if (error.code === "RATE_LIMITED") {
    return { "retry-after": String(error.data?.retry_after_seconds ?? RETRY_AFTER_SECONDS) };
  }
  if (error.code === "METHOD_NOT_ALLOWED" && Array.isArray(error.data?.allow)) {
    return { allow: error.data.allow.join(", ") };
  }
  if (error.status === 503) return { "retry-after": RETRY_AFTER_SECONDS };
  return {};
}

const unavailable = () => new DomainError("UNAVAILABLE", "The service is unavailable; try again shortly");
const internal = () => new DomainError("INTERNAL_ERROR", "Something went wrong on our side");

/** The error to reply with, or undefined if the error is a fault of the gateway. */
function toDomainError(error: unknown, method: string, allowed: () => string[]): DomainError | undefined {
  if (error instanceof DomainError) return error;
  if (error instanceof ParseError) return toDomainError(error.cause, method, allowed);
  // The path belongs to another route, which lacks this method; it only matches the pattern of a route with an id.
  if (error instanceof ElysiaValidationError && error.type === "params" && !allowed().includes(method)) {
    return notFound(allowed());
  }
  if (error instanceof ElysiaValidationError && error.type === "params") return recordNotFound(error);
  if (error instanceof ElysiaValidationError && error.type !== "response") return validationErrorOf(error);
  if (error instanceof NotFoundError) return notFound(allowed());
  return undefined;
}

/** An id in another form cannot exist, so the reply is "not found"; it names the part of the path. */
function recordNotFound(error: ElysiaValidationError): DomainError {
  const { field, message } = validationErrorOf(error);
  return new DomainError("RECORD_NOT_FOUND", `No record has such an id: ${message}`, { field });
}

function notFound(allow: string[]): DomainError {
  if (allow.length === 0) return new DomainError("ROUTE_NOT_FOUND", "No such route");
  return new DomainError("METHOD_NOT_ALLOWED", `This path allows ${allow.join(", ")}`, { allow });
}

/** The loggable form of a fault: the message of Elysia's validation error would hold the whole value. */
function causeOf(error: unknown): unknown {
  if (error instanceof ElysiaValidationError) {
    const first = error.valueError;
    return new Error(
      `the response breaks its schema at ${first?.path || "/"}: ${first?.message ?? "no such status"}`,
    );
  }
  return error instanceof ParseError ? (error.cause ?? error) : error;
}

/** What a browser gets where no route is, or the address is damaged; undefined: the error, as programs do. */
export type UnknownPage = (request: Request, refusal: DomainError) => Promise<Response | undefined>;

interface ErrorHandlerOptions {
  readonly log: Logger;
  readonly routes: () => readonly { method: string; path: string }[];
  readonly requestLimits: RequestLimits;
  readonly unknownPage?: UnknownPage | undefined;
  readonly isUnavailable?: ((error: unknown) => boolean) | undefined;
}

/** The one place where an error becomes a response. Faults are logged with their stack; refusals are not. */
export const errorHandler = ({
  log,
  routes,
  requestLimits,
  unknownPage,
  isUnavailable = () => false,
}: ErrorHandlerOptions) =>
  new Elysia({ name: "failures" }).onError({ as: "global" }, async (ctx) => {
    const { error, set, route } = ctx;
    // Who asks is found out before the body is read, and the framework wraps what fails until then.
    const cause = error instanceof ParseError ? (error.cause ?? error) : error;
    let refusal = isUnavailable(cause)
      ? unavailable()
      : toDomainError(error, ctx.request.method, () => methodsAt(routes(), ctx.path));
    // A request that matches no route passes no guard, so it is counted here.
    if (!route) refusal = countUnmatched(requestLimits, ctx) ?? refusal;
    if (refusal === undefined || refusal.code === "INTERNAL_ERROR") {
      const { requestId } = ctx as { requestId?: string };
      const request = { request_id: requestId, method: ctx.request.method, route };
      log.error({ err: causeOf(error), ...request }, "a request failed");
    }
    const page = !route && refusal !== undefined ? await unknownPage?.(ctx.request, refusal) : undefined;
    if (page !== undefined) return page;
    const failure = failureOf(refusal ?? internal());
    set.status = failure.status;
    for (const name in failure.headers) set.headers[name] = failure.headers[name] ?? "";
    return failure.body;
  });

/** Counts a request by its address; returns the refusal if it exceeds the limit. */
function countUnmatched(
  requestLimits: RequestLimits,
  ctx: Connection & { set: { headers: Record<string, string | number> } },
): DomainError | undefined {
  try {
    requestLimits.countAddress(ctx, ctx.set.headers);
    return undefined;
  } catch (error) {
    if (error instanceof DomainError) return error;
    throw error;
  }
}

/** Handles errors outside the app's own error handling, of which there should be none: the envelope and a log line. */
export const fallbackHandler = (log: Logger) => (error: unknown) => {
  const requestId = crypto.randomUUID();
  log.error({ err: error, request_id: requestId }, "a request failed outside the routes");
  const { status, body } = failureOf(internal());
  return Response.json(body, { status, headers: { "x-request-id": requestId } });
};
