import type { Caller, Credential } from "../../schemas/accounts/auth.ts";
import type { AddressOf, Connection } from "../http/client-address.ts";
import { enforceLimit, RateLimiter } from "../http/rate-limit.ts";

/** Requests are counted by user and kind of credential, and without a valid credential by network address. */
export const REQUEST_BUCKETS = [
  "account",
  "api_token",
  "impersonation",
  "realm",
  "anonymous",
  "callbacks",
] as const;
export type RequestBucket = (typeof REQUEST_BUCKETS)[number];

/** Requests a minute. */
export type RequestRates = Readonly<Record<RequestBucket, number>>;

const WINDOW_SECONDS = 60;
const MESSAGE = "Too many requests. Wait before the next one";

/** HTTP Basic carries an API token. */
const BUCKETS: Readonly<Record<Credential, RequestBucket>> = {
  account: "account",
  api_token: "api_token",
  basic: "api_token",
  impersonation: "impersonation",
  realm: "realm",
};

type Headers = Record<string, string | number>;

/**
 * Limits how many requests a caller makes (docs/limits.md). Each gateway counts for itself, in memory. A stream counts once, when it begins.
 */
export class RequestLimits {
  readonly #limiters: Readonly<Record<RequestBucket, RateLimiter>>;

  /** @param now milliseconds, monotonic; for tests */
  constructor(
    rates: RequestRates,
    readonly addressOf: AddressOf,
    now?: () => number,
  ) {
    const limiter = (name: RequestBucket) =>
      new RateLimiter({ name, limit: rates[name], windowSeconds: WINDOW_SECONDS, message: MESSAGE }, now);
    this.#limiters = Object.fromEntries(REQUEST_BUCKETS.map((name) => [name, limiter(name)])) as Record<
      RequestBucket,
      RateLimiter
    >;
  }

  /** Counts a request whose credential is valid. @throws RATE_LIMITED */
  countCaller({ credential, userId }: Caller, headers: Headers): void {
    enforceLimit(this.#limiters[BUCKETS[credential]], userId, headers);
  }

  /** Counts a request without a valid credential. @throws RATE_LIMITED */
  countAddress(from: Connection, headers: Headers, bucket: "anonymous" | "callbacks" = "anonymous"): void {
    enforceLimit(this.#limiters[bucket], this.addressOf(from), headers);
  }
}
