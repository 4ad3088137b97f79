/** The limits of an edge. */

/** The size of a response header; the same limit as for requests. */
export const RESPONSE_HEAD_BYTES_MAX = 48 * 1024;
/** Interim responses before the final one. */
export const INTERIM_MAX = 8;
/** Buffered bytes from a client that are not forwarded yet. At this limit its socket is not read. */
export const HELD_BYTES_MAX = 64 * 1024;
/**
 * Bytes that are read after the response to a client that keeps sending, so that it can read the response before a
 * reset.
 */
export const LINGER_BYTES_MAX = 1024 * 1024;

export interface Limits {
  /** From the connection, or a request's first byte, to the end of its header. Includes the TLS handshake. */
  readonly headMs: number;
  /** Between two requests on a connection. */
  readonly keepAliveMs: number;
  /** Until a target accepts the connection. */
  readonly connectMs: number;
  /** From the end of a request to the beginning of its response. Long enough for long polls. */
  readonly answerMs: number;
  /** A stalled body, of a request or a response. */
  readonly idleMs: number;
  /** A stalled response whose client has half-closed the connection: the client is gone, or only listens. */
  readonly halfClosedIdleMs: number;
  /** An idle WebSocket or ssh connection. Dead ends are found earlier by TCP keepalives. */
  readonly tunnelIdleMs: number;
  /** How long a client may keep sending after its response. */
  readonly lingerMs: number;
  /** Less than the five seconds for which many servers keep idle connections. */
  readonly targetKeepAliveMs: number;
  /** Idle connections to one target. */
  readonly targetIdleMax: number;
  /** How often deadlines and the access of open connections are checked. */
  readonly sweepMs: number;
  readonly connectionsMax: number;
  /** Connections of one address (a /64 network of IPv6 counts as one). */
  readonly connectionsPerAddressMax: number;
  /** Connections of a loopback address or a trusted proxy, which stand for many clients. */
  readonly connectionsPerProxyMax: number;
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
  connectionsPerProxyMax: 20_000,
};
