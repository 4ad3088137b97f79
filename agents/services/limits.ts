import type { ConcurrencyLimits } from "../exec/concurrency-limiter.ts";

/** How much the terminals and files of containers do at the same time, by container and on the host. */

/** Short programs, of tens of milliseconds: a page of a browser asks for a few at once. */
export const RUN_LIMITS: ConcurrencyLimits = {
  perOwner: 8,
  total: 48,
  queuedPerOwner: 64,
  queueMsMax: 10_000,
};
/** Files on their way and folders that are listed: each holds a few processes, a file perhaps for hours. */
export const STREAM_LIMITS: ConcurrencyLimits = {
  perOwner: 64,
  total: 1_024,
  queuedPerOwner: 0,
  queueMsMax: 0,
};
/** Listings, from the folder to its reader, of tenths of a second: each may cost ten megabytes of memory, and people open one folder at a time. */
export const LISTING_LIMITS: ConcurrencyLimits = {
  perOwner: 2,
  total: 16,
  queuedPerOwner: 6,
  queueMsMax: 5_000,
};
