/** How requests are sent: again where that is safe, and never for longer than their deadline. */
export interface RetryOptions {
  /** From the call to its reply, all attempts together. */
  readonly deadlineMs?: number;
  readonly attemptsMax?: number;
  readonly fetch?: (request: Request) => Promise<Response>;
}

const DEADLINE_MS = 30_000;
const ATTEMPTS_MAX = 4;
const BACKOFF_MS = 200;
const BACKOFF_MS_MAX = 5_000;
/** Nothing was done, or the same key makes sure that it is done once. */
const RETRIED = new Set([429, 502, 503, 504]);
const READS = new Set(["GET", "HEAD"]);

/**
 * A fetch that sends a request again after 429, 502, 503, 504 and a broken connection, as late as `Retry-After` says. Every attempt of a
 * call has one idempotency key, so that a change whose reply was lost is not made twice.
 */
export function retryingFetch(options: RetryOptions = {}): (request: Request) => Promise<Response> {
  const { deadlineMs = DEADLINE_MS, attemptsMax = ATTEMPTS_MAX, fetch: send = fetch } = options;
  return async (given) => {
    const request = withKey(given);
    const until = performance.now() + deadlineMs;
    /** What the attempt before was answered: the last that is known when time ends a later one. */
    let refusal: Response | undefined;
    for (let attempt = 1; ; attempt++) {
      const signal = AbortSignal.any([
        request.signal,
        // Node takes whole milliseconds only.
        AbortSignal.timeout(Math.max(1, Math.ceil(until - performance.now()))),
      ]);
      const outcome = await send(new Request(request.clone() as Request, { signal })).catch(
        (error: unknown) => ({
          error,
        }),
      );
      const isFailed = "error" in outcome;
      const waitMs = isFailed ? backoffMs(attempt) : (retryAfterMs(outcome) ?? backoffMs(attempt));
      const isOver = attempt >= attemptsMax || request.signal.aborted || performance.now() + waitMs >= until;
      if (isFailed && refusal !== undefined && signal.aborted && !request.signal.aborted) return refusal;
      if (isFailed && (isOver || signal.aborted)) throw outcome.error;
      if (!isFailed && (isOver || !RETRIED.has(outcome.status))) return outcome;
      refusal = isFailed ? undefined : await withoutConnection(outcome);
      await new Promise((resolve) => setTimeout(resolve, waitMs));
    }
  };
}

/** The response with its whole body, so that its connection is free. Only errors come here, which are short. */
const withoutConnection = async (response: Response): Promise<Response> =>
  new Response(await response.arrayBuffer(), response);

function withKey(request: Request): Request {
  if (READS.has(request.method) || request.headers.has("idempotency-key")) return request;
  const headers = new Headers(request.headers);
  headers.set("idempotency-key", crypto.randomUUID());
  return new Request(request, { headers });
}

/** Seconds, as the API sends it. */
function retryAfterMs(response: Response): number | undefined {
  const text = response.headers.get("retry-after") ?? "";
  return /^\d{1,6}$/.test(text) ? Number(text) * 1_000 : undefined;
}

/** Spread, so that clients that failed together do not come back together. */
const backoffMs = (attempt: number): number =>
  Math.min(BACKOFF_MS * 2 ** (attempt - 1), BACKOFF_MS_MAX) * (0.5 + Math.random() / 2);
