import { Backoff } from "../../../system/backoff.ts";
import { HEADER_MS_MAX, REDIRECTS_MAX, RETRY_AFTER_MS_MAX, TRIES_MAX } from "./limits.ts";
import { assertPublicUrl } from "./public-address.ts";
import { PullError } from "./pull-error.ts";

/** Single requests to registries, with what is done when they fail for the moment. */

const WAIT_FIRST_MS = 500;
const WAIT_MAX_MS = 15_000;
const PASSING = [408, 425, 429, 500, 502, 503, 504];
const REDIRECTS = [301, 302, 303, 307, 308];

export interface Request {
  readonly url: URL;
  readonly isTrusted: boolean;
  readonly headers: Readonly<Record<string, string>>;
  /** Goes to the first server alone, never where that one sends us. */
  readonly authorization: string | null;
  readonly signal: AbortSignal;
}

/**
 * Sends a GET until there is an answer that is not a passing failure.
 *
 * @throws PullError when there is none, or the server wants us to wait for longer than anybody would
 */
export async function send(request: Request): Promise<Response> {
  const backoff = new Backoff(WAIT_FIRST_MS, WAIT_MAX_MS);
  for (;;) {
    const { response, error } = await once(request);
    request.signal.throwIfAborted();
    if (response && !PASSING.includes(response.status)) return response;
    const waitMs = Math.max(backoff.next(), response ? retryAfterMs(response) : 0);
    const why = response ? describe(response) : describeError(error);
    await response?.body?.cancel();
    if (backoff.failures >= TRIES_MAX || waitMs > RETRY_AFTER_MS_MAX) {
      const later = waitMs > RETRY_AFTER_MS_MAX ? `, for another ${Math.ceil(waitMs / 1_000)} s` : "";
      throw new PullError(`${request.url.host} ${why}${later}`, { cause: error });
    }
    await wait(waitMs, request.signal);
  }
}

const describe = ({ status }: Response): string =>
  status === 429 ? "limits how much is pulled from it (429)" : `fails with ${status}`;

/** Bun names the reason in a code, and some in the text alone. */
function describeError(error: unknown): string {
  if (!(error instanceof Error)) return "does not answer";
  if (error.name === "TimeoutError") return "does not answer";
  return `cannot be reached: ${(error as NodeJS.ErrnoException).code ?? error.message}`;
}

async function once(request: Request): Promise<{ response?: Response; error?: unknown }> {
  let url = request.url;
  for (let redirects = 0; redirects <= REDIRECTS_MAX; redirects += 1) {
    if (!request.isTrusted) await assertPublicUrl(url);
    const { authorization } = request;
    const isOwn = url.origin === request.url.origin;
    const response = await fetchHeader(url, {
      ...request,
      headers: {
        ...request.headers,
        ...(authorization !== null && isOwn ? { authorization } : {}),
      },
    });
    if (!("response" in response)) return response;
    const location = response.response.headers.get("location");
    if (!REDIRECTS.includes(response.response.status) || location === null) return response;
    await response.response.body?.cancel();
    if (!URL.canParse(location, url.href)) throw new PullError(`${url.host} sends us to what is no address`);
    url = new URL(location, url);
    if (!["http:", "https:"].includes(url.protocol))
      throw new PullError(`${request.url.host} sends us to another protocol than HTTP`);
  }
  throw new PullError(`${request.url.host} sends us from one place to the next`);
}

/** The time limit is for the header: a body takes as long as it takes. */
async function fetchHeader(
  url: URL,
  { headers, signal }: Pick<Request, "headers" | "signal">,
): Promise<{ response: Response } | { error: unknown }> {
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(new DOMException("no answer", "TimeoutError")), HEADER_MS_MAX);
  try {
    const response = await fetch(url.href, {
      redirect: "manual",
      // A blob is wanted as it is stored.
      decompress: false,
      headers: { "accept-encoding": "identity", "user-agent": "berth", ...headers },
      signal: AbortSignal.any([signal, late.signal]),
    });
    return { response };
  } catch (error) {
    return { error };
  } finally {
    clearTimeout(timer);
  }
}

/** Seconds, or a date. */
function retryAfterMs({ headers }: Response): number {
  const text = headers.get("retry-after") ?? "";
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1_000;
  const at = Date.parse(text);
  return Number.isNaN(at) ? 0 : at - Date.now();
}

async function wait(ms: number, signal: AbortSignal): Promise<void> {
  const ended = Promise.withResolvers<void>();
  const timer = setTimeout(ended.resolve, ms);
  const stop = () => ended.resolve();
  signal.addEventListener("abort", stop, { once: true });
  await ended.promise;
  clearTimeout(timer);
  signal.removeEventListener("abort", stop);
  signal.throwIfAborted();
}
