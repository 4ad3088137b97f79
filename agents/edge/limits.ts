/** Bounds of an edge. */

/** A target's header; as much as of a request's. */
export const RESPONSE_HEAD_BYTES_MAX = 48 * 1024;
/** Interim answers before the answer: nobody needs more. */
export const INTERIM_MAX = 8;
/** What a client may send ahead while nobody takes it; past it, its socket is not read. */
export const HELD_BYTES_MAX = 64 * 1024;
/** What is still read of a client that was answered and goes on sending, so that it reads the answer before its bytes meet a closed door. */
export const LINGER_BYTES_MAX = 1024 * 1024;

export interface Limits {
  /** From the connection, or a request's first byte, to the end of its header. TLS's handshake counts. */
  readonly headMs: number;
  /** Between two requests on a connection. */
  readonly keepAliveMs: number;
  /** Until a target takes the connection. */
  readonly connectMs: number;
  /** From the end of a request to the begin of its answer. Long polls take their time. */
  readonly answerMs: number;
  /** A body, of a request or an answer, in which nothing moves for so long. */
  readonly idleMs: number;
  /** The same of an answer whose client has ended its side: it is gone, or only listens. */
  readonly halfClosedIdleMs: number;
  /** A WebSocket or an ssh connection over which nothing goes; the ends of those that are gone are found by TCP's own probes. */
  readonly tunnelIdleMs: number;
  /** How long an answered client may go on sending. */
  readonly lingerMs: number;
  /** Below the five seconds that many servers keep theirs. */
  readonly targetKeepAliveMs: number;
  /** Unused connections that are kept to one target. */
  readonly targetIdleMax: number;
  /** How often deadlines are looked at, and whether open connections may go on. */
  readonly sweepMs: number;
  readonly connectionsMax: number;
  /** Of one address (an IPv6 network of 64 bits counts as one). */
  readonly connectionsPerAddressMax: number;
  /** Behind a proxy on the same machine everybody has a loopback address. */
  readonly connectionsPerLoopbackMax: number;
}

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

export const LIMITS: Limits = {
  headMs: 15 * SECOND,
  keepAliveMs: 75 * SECOND,
  connectMs: 10 * SECOND,
  answerMs: 2 * MINUTE,
  idleMs: 10 * MINUTE,
  halfClosedIdleMs: 15 * SECOND,
  tunnelIdleMs: 24 * HOUR,
  lingerMs: 2 * SECOND,
  targetKeepAliveMs: 4 * SECOND,
  targetIdleMax: 32,
  sweepMs: SECOND / 2,
  connectionsMax: 20_000,
  connectionsPerAddressMax: 1_024,
  connectionsPerLoopbackMax: 20_000,
};
