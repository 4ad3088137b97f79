/** Bounds of a pipe server. Those of the protocol are constants; those of an installation can be set. */

/** Spec §8. */
export const PATH_CHARS_MAX = 1024;
export const RECEIVERS_MAX = 256;
export const CUSTOM_HEADER_BYTES_MAX = 8 * 1024;
export const FILENAME_CHARS_MAX = 255;

export const PART_HEAD_BYTES_MAX = 16 * 1024;
/** RFC 2046 has 70. */
export const BOUNDARY_CHARS_MAX = 200;

/** What a waiting sender may have sent ahead; past it, it is not read. Small bodies are whole by then, and their sender's end is seen. */
export const HELD_BYTES_MAX = 64 * 1024;

/** A refused request's body up to this size is read and dropped, so that the connection can be used again. */
export const DROPPED_BODY_BYTES_MAX = 64 * 1024;
export const DROPPED_BODY_MS_MAX = 10_000;

/** Pipelined requests that wait behind an answer; a client that sends more is not one of ours. */
export const PIPELINED_BYTES_MAX = 64 * 1024;

/** What a watcher of progress may leave unread before single events are left out for it. */
export const WATCHER_BACKLOG_BYTES_MAX = 16 * 1024;

export interface Limits {
  /** How long an early peer waits for its counterpart (spec §8). */
  readonly waitMs: number;
  /** From the first byte of a request to the end of its header. */
  readonly headMs: number;
  /** Between two requests on a connection, and before the first. */
  readonly keepAliveMs: number;
  /** A transfer whose sender sends nothing for so long, although its receivers would take it, has failed. */
  readonly senderIdleMs: number;
  /** How long a begun line of the chunked coding, or a begun trailer, may stay without its end while it would be read. */
  readonly lineMs: number;
  /** How long an answered client may go on sending before its connection is cut. */
  readonly lingerMs: number;
  /** How often deadlines are looked at and silent senders are asked whether they are there. */
  readonly sweepMs: number;
  readonly progressMs: number;
  readonly keepaliveCommentMs: number;
  /** Senders, receivers and watchers, all together. */
  readonly peersMax: number;
  /** Of one address (an IPv6 network of 64 bits counts as one). */
  readonly peersPerAddressMax: number;
  /** Behind a proxy on the same machine everybody has a loopback address. */
  readonly peersPerLoopbackMax: number;
  readonly connectionsMax: number;
  /** What all waiting senders together may have sent ahead. */
  readonly heldBytesMax: number;
}

const SECOND = 1_000;
const MINUTE = 60 * SECOND;

export const LIMITS: Limits = {
  waitMs: 5 * MINUTE,
  headMs: 10 * SECOND,
  keepAliveMs: MINUTE,
  senderIdleMs: 5 * MINUTE,
  lineMs: 30 * SECOND,
  lingerMs: 2 * SECOND,
  sweepMs: SECOND / 2,
  progressMs: SECOND / 2,
  keepaliveCommentMs: 15 * SECOND,
  peersMax: 20_000,
  peersPerAddressMax: 1_024,
  peersPerLoopbackMax: 20_000,
  connectionsMax: 30_000,
  heldBytesMax: 256 * 1024 * 1024,
};
