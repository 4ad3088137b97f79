/** The limits of a pipe server. Those of the protocol are constants; those of an installation can be set. */

/** Spec §8. */
export const PATH_CHARS_MAX = 1024;
export const RECEIVERS_MAX = 256;
export const CUSTOM_HEADER_BYTES_MAX = 8 * 1024;
export const FILENAME_CHARS_MAX = 255;

export const PART_HEAD_BYTES_MAX = 16 * 1024;
/** RFC 2046 allows 70. */
export const BOUNDARY_CHARS_MAX = 200;

/**
 * Buffered bytes of a waiting sender; at this limit its socket is not read. A smaller body is complete by then, so
 * that the sender's end is noticed.
 */
export const HELD_BYTES_MAX = 64 * 1024;

/** A refused request's body up to this size is read and dropped, so that the connection can be used again. */
export const DROPPED_BODY_BYTES_MAX = 64 * 1024;
export const DROPPED_BODY_MS_MAX = 10_000;

/** Pipelined requests that wait for a response. Real clients send less. */
export const PIPELINED_BYTES_MAX = 64 * 1024;

/** Unread data of a watcher; beyond this, progress events are skipped for it. */
export const WATCHER_BACKLOG_BYTES_MAX = 16 * 1024;

export interface Limits {
  /** How long an early peer waits for its counterpart (spec §8). */
  readonly waitMs: number;
  /** From the first byte of a request to the end of its header. */
  readonly headMs: number;
  /** Between two requests on a connection, and before the first. */
  readonly keepAliveMs: number;
  /** A transfer fails when its sender sends nothing for this long, although its receivers would accept data. */
  readonly senderIdleMs: number;
  /** The time limit for an incomplete line of the chunked coding, or trailer, while it could be read. */
  readonly lineMs: number;
  /** How long a client may keep sending after its response before its connection is reset. */
  readonly lingerMs: number;
  /** How often deadlines are checked and silent senders are probed. */
  readonly sweepMs: number;
  readonly progressMs: number;
  readonly keepaliveCommentMs: number;
  /** Senders, receivers and watchers, all together. */
  readonly peersMax: number;
  /** Peers of one address (a /64 network of IPv6 counts as one). */
  readonly peersPerAddressMax: number;
  /** Peers of a loopback address: behind a proxy on the same machine all clients have one. */
  readonly peersPerLoopbackMax: number;
  readonly connectionsMax: number;
  /** Buffered bytes of all waiting senders together. */
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
