import { RESPONSE_CHARACTERS_MAX } from "../../../schemas/activity/webhook.ts";
import type { Networks } from "../../../system/networks.ts";
import { signedHeaders } from "../../../system/standard-webhooks.ts";
import type { AttemptOutcome, ClaimedDelivery } from "./queue/queries.ts";
import { type LookUp, resolveTarget, TargetError } from "./target.ts";

const REDIRECTS_MAX = 3;
/** Redirects that keep the method and the body. */
const KEEPING_REDIRECTS = [307, 308];
/** Read of a response, of which the log keeps less. */
const RESPONSE_BYTES_MAX = 4_096;

type Message = Pick<ClaimedDelivery, "url" | "messageId" | "payload" | "secrets">;

/**
 * Makes one attempt: a signed POST. Any 2xx is success; it never throws.
 *
 * @param timeoutMs of the attempt in all, with looking up names and following redirects
 */
export async function sendDelivery(
  message: Message,
  allowed: Networks,
  timeoutMs: number,
  lookUp?: LookUp,
): Promise<AttemptOutcome> {
  const from = performance.now();
  const durationMs = () => Math.round(performance.now() - from);
  const abort = new AbortController();
  const timer = setTimeout(() => abort.abort(new TargetError(`no answer within ${timeoutMs} ms`)), timeoutMs);
  try {
    const response = await withinTime(post(message, allowed, abort.signal, lookUp), abort.signal);
    const isDelivered = response.status >= 200 && response.status < 300;
    return {
      isDelivered,
      responseStatus: response.status,
      responseBody: response.body,
      error: isDelivered ? null : `the receiver answered ${response.status}`,
      durationMs: durationMs(),
    };
  } catch (error) {
    const reason = describe(abort.signal.aborted ? abort.signal.reason : error);
    return {
      isDelivered: false,
      responseStatus: null,
      responseBody: null,
      error: reason,
      durationMs: durationMs(),
    };
  } finally {
    clearTimeout(timer);
    // Whatever is still under way ends.
    abort.abort();
  }
}

async function post(
  { url, messageId, payload, secrets }: Message,
  allowed: Networks,
  signal: AbortSignal,
  lookUp: LookUp | undefined,
): Promise<{ status: number; body: string }> {
  let next = url;
  for (let redirects = 0; ; redirects++) {
    const target = await resolveTarget(next, allowed, lookUp);
    signal.throwIfAborted();
    const response = await fetch(target.url, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        "user-agent": "Berth-Webhooks/1",
        "accept-encoding": "identity",
        host: target.host,
        ...signedHeaders(secrets, messageId, payload),
      },
      body: payload,
      redirect: "manual",
      // A connection belongs to the address that was checked, and to this attempt.
      keepalive: false,
      decompress: false,
      tls: { serverName: target.serverName },
      signal,
    } as RequestInit);
    const location = response.headers.get("location");
    if (location === null || !KEEPING_REDIRECTS.includes(response.status))
      return { status: response.status, body: await readStart(response) };
    await response.body?.cancel();
    if (redirects === REDIRECTS_MAX) throw new TargetError(`more than ${REDIRECTS_MAX} redirects`);
    if (!URL.canParse(location, next)) throw new TargetError("a redirect leads to no address");
    next = new URL(location, next).href;
  }
}

/** The start of a body as text that PostgreSQL can store. */
async function readStart(response: Response): Promise<string> {
  const reader = response.body?.getReader();
  const chunks: Uint8Array[] = [];
  let length = 0;
  while (reader !== undefined && length < RESPONSE_BYTES_MAX) {
    const { done, value } = await reader.read();
    if (done) break;
    chunks.push(value);
    length += value.length;
  }
  await reader?.cancel().catch(() => undefined);
  const text = Buffer.concat(chunks).subarray(0, RESPONSE_BYTES_MAX).toString("utf8");
  return text.replaceAll("\0", "\uFFFD").slice(0, RESPONSE_CHARACTERS_MAX).toWellFormed();
}

/** What a look-up or a connection does after the time is of no interest. */
function withinTime<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
    work.then(resolve, reject);
  });
}

const ERROR_CHARACTERS_MAX = 300;

function describe(error: unknown): string {
  if (error instanceof TargetError) return error.message;
  const { code, message = "failed" } = error as { code?: string; message?: string };
  // The address that was checked is the receiver's business; what went wrong is the code.
  return (typeof code === "string" ? `the connection failed: ${code}` : message).slice(
    0,
    ERROR_CHARACTERS_MAX,
  );
}
