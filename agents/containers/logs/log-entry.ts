import type { LogStreamName } from "../../../schemas/hosting/container-log.ts";

/** An entry of a log's file as conmon writes it: `<time> <stdout|stderr> <F|P> <text>`. */
export interface LogEntry {
  readonly timeMs: number;
  readonly stream: LogStreamName;
  /** P: the line goes on in the next entry of its stream. */
  readonly isPartial: boolean;
  readonly text: Buffer;
}

/** `2026-01-31T09:30:00.123456789+00:00 stdout F ` */
const HEADER_BYTES_MAX = 64;
const HEADER = /^(\S{20,40}) (stdout|stderr) ([FP]) /;

/** Null for what is no entry, such as the output that a former version of the agent has kept. */
export function parseEntry(line: Buffer): LogEntry | null {
  // The text may hold any bytes: only the header is read as characters.
  const [header, time = "", stream, tag] =
    HEADER.exec(line.subarray(0, HEADER_BYTES_MAX).toString("latin1")) ?? [];
  const timeMs = Date.parse(time);
  if (header === undefined || Number.isNaN(timeMs)) return null;
  return {
    timeMs,
    stream: stream as LogStreamName,
    isPartial: tag === "P",
    text: line.subarray(header.length),
  };
}
