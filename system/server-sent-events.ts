/** Server-Sent Events as text (HTML, "Server-sent events"). */

export const EVENT_STREAM_TYPE = "text/event-stream; charset=utf-8";

/** A comment, which clients ignore and proxies count as traffic. */
export const KEEPALIVE_FRAME = ": keepalive\n\n";

/** Tells clients how soon to reconnect after their connection has ended. */
export const retryFrame = (ms: number): string => `retry: ${ms}\n\n`;

export interface ServerSentEvent {
  readonly event: string;
  /** What the client sends as `Last-Event-ID` when it reconnects. */
  readonly id?: number | string;
  /** JSON, which contains no line breaks. */
  readonly data: string;
}

export const eventFrame = ({ event, id, data }: ServerSentEvent): string =>
  `event: ${event}\n${id === undefined ? "" : `id: ${id}\n`}data: ${data}\n\n`;
