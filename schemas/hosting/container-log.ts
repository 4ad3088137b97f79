import { type Static, Type } from "@sinclair/typebox";
import { Reply } from "../envelope.ts";
import { limitQuery, QueryFlag, QueryInteger } from "../paging.ts";
import { Id, Nullable, OneOf, Strict, Timestamp } from "../primitives.ts";
import { isText } from "../text.ts";

/** A container's log: what its programs have written to stdout and stderr, kept by its host. */

/** How many lines a page has when the query does not say, and at most. */
export const LOG_PAGE = { standard: 100, max: 1_000 };
/** A longer line comes in pieces. */
export const LOG_LINE_BYTES_MAX = 16 * 1024;

/** A position in a log: the number of a file of the log, and a byte in it. */
const POSITION = /^\d{1,12}\.\d{1,10}$/;
export const LogPosition = Type.String({ pattern: POSITION.source });
/** Before the first line that a container may ever have written. */
export const LOG_BEGINNING = "0.0";

/** A position as clients have it, with the container: a position in one log means nothing in another. */
export const LogCursor = Type.String({ pattern: "^[0-9a-f]{24}\\.\\d{1,12}\\.\\d{1,10}$" });
export const logCursor = (containerId: string, position: string) => `${containerId}.${position}`;

/** The position of a cursor; undefined where it is not a cursor of this container's log. */
export const positionOf = (containerId: string, cursor: string): string | undefined =>
  isText(LogCursor, cursor) && cursor.startsWith(`${containerId}.`)
    ? cursor.slice(containerId.length + 1)
    : undefined;

export const LogStreamName = OneOf(["stdout", "stderr"]);
export type LogStreamName = Static<typeof LogStreamName>;

export const LogLine = Type.Object({
  time: Timestamp,
  stream: LogStreamName,
  text: Type.String({
    description: "without the line break; bytes that are not UTF-8 are replaced by U+FFFD",
  }),
  partial: Type.Boolean({
    description: `true: the line has no end yet. It goes on in the next one of the same stream; a line longer than ${LOG_LINE_BYTES_MAX / 1024} KiB comes in such pieces`,
  }),
});
export type LogLine = Static<typeof LogLine>;

const count = (description: string) => Type.Optional(Type.Unsafe<string>({ ...QueryInteger, description }));

/** Query of `GET /api/v1/containers/{id}/logs`. */
export const LogsQuery = Strict({
  tail: count(
    `how many of the newest lines to begin with, ${LOG_PAGE.max} at most; without it, \`since\` and \`cursor\`: ${LOG_PAGE.standard}`,
  ),
  since: Type.Optional(Type.String({ description: "RFC 3339: no lines from before this time" })),
  stream: Type.Optional(
    Type.Unsafe<LogStreamName>({ ...LogStreamName, description: "lines of this stream alone" }),
  ),
  follow: Type.Optional(
    Type.Unsafe<Static<typeof QueryFlag>>({
      ...QueryFlag,
      description: "`true`: a stream of Server-Sent Events that goes on with each new line",
    }),
  ),
  ...limitQuery(LOG_PAGE),
  cursor: Type.Optional(
    Type.Unsafe<string>({
      ...LogCursor,
      description:
        "`cursor` of an earlier reply about this container: the lines after those. Not with `tail` or `since`",
    }),
  ),
});
export type LogsQuery = Static<typeof LogsQuery>;

export const ContainerLog = Type.Object({
  lines: Type.Array(LogLine, { description: "oldest first" }),
  cursor: Type.String({
    description: "the place after the last line. Send it to read on, now or when there are new lines",
  }),
  has_more: Type.Boolean({ description: "true: there are more lines after `cursor` already" }),
  dropped: Type.Boolean({
    description:
      "true: lines between `cursor` of the request and the first line here are lost, since the log was full",
  }),
});
export type ContainerLog = Static<typeof ContainerLog>;
export const ContainerLogReply = Reply(ContainerLog);

/** A request to a host's agent for lines of a container's log. */
export const HostLogsRequest = Type.Object({
  container_id: Id,
  /** The lines after this position; null: as `tail` and `since` say. */
  after: Nullable(LogPosition),
  tail: Nullable(Type.Integer({ minimum: 0, maximum: LOG_PAGE.max })),
  /** Milliseconds since the epoch. */
  since_ms: Nullable(Type.Integer()),
  stream: Nullable(LogStreamName),
  limit: Type.Integer({ minimum: 1, maximum: LOG_PAGE.max }),
  /** How long the reply may wait for the first line. */
  wait_ms: Type.Integer({ minimum: 0, maximum: 30_000 }),
});
export type HostLogsRequest = Static<typeof HostLogsRequest>;

const PositionedLine = Type.Composite([
  LogLine,
  /** The position after the line. */
  Type.Object({ position: LogPosition }),
]);
export type PositionedLine = Static<typeof PositionedLine>;

/** The reply of the agent: a page of the log. */
export const HostLogsReply = Type.Object({
  lines: Type.Array(PositionedLine, { maxItems: LOG_PAGE.max }),
  /** The position after the page. */
  position: LogPosition,
  has_more: Type.Boolean(),
  dropped: Type.Boolean(),
});
export type HostLogsReply = Static<typeof HostLogsReply>;
