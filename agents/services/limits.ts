import type { ConcurrencyLimits } from "../exec/concurrency-limiter.ts";

/** The concurrency limits of the terminals and files of containers, by container and for the host. */

/** Short programs that take tens of milliseconds: a page requests a few at a time. */
export const RUN_LIMITS: ConcurrencyLimits = {
  perOwner: 8,
  total: 48,
  queuedPerOwner: 64,
  queueMsMax: 10_000,
};
/** File transfers and listings: each needs a few processes, a transfer perhaps for hours. */
export const STREAM_LIMITS: ConcurrencyLimits = {
  perOwner: 64,
  total: 1_024,
  queuedPerOwner: 0,
  queueMsMax: 0,
};
/**
 * Listings, until they are read: each takes tenths of a second and up to ten megabytes of memory, and people open one
 * folder at a time.
 */
export const LISTING_LIMITS: ConcurrencyLimits = {
  perOwner: 2,
  total: 16,
  queuedPerOwner: 6,
  queueMsMax: 5_000,
};
