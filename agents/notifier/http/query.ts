import { DISPLAY_RULE, displayNumber } from "../display.ts";
import { PAGE_DEFAULT, PAGE_MAX } from "../limits.ts";
import { invalid } from "./refusal.ts";

/**
 * The parameters of a request, each given once.
 *
 * @throws Refusal for one that the endpoint does not have, or that is repeated
 */
export function readQuery<Name extends string>(
  query: URLSearchParams,
  names: readonly Name[],
): Partial<Record<Name, string>> {
  const given: Partial<Record<Name, string>> = {};
  for (const [key, value] of query) {
    const name = names.find((one) => one === key);
    if (name === undefined) throw invalid(`query.${key}`, "unknown parameter");
    if (given[name] !== undefined) throw invalid(`query.${key}`, "must be given once");
    given[name] = value;
  }
  return given;
}

/** @throws Refusal */
export function readDisplay(text: string | undefined, field: string): number {
  if (text === undefined) throw invalid(field, "required");
  const display = displayNumber(text);
  if (display === null) throw invalid(field, DISPLAY_RULE);
  return display;
}

export interface HistoryQuery {
  readonly limit: number;
  /** Milliseconds since 1970; null for all. */
  readonly since: number | null;
  readonly dismissed: boolean | null;
  /** Only notices before this position in the history. */
  readonly before: number | null;
}

/** @throws Refusal */
export function readHistoryQuery(query: URLSearchParams): HistoryQuery {
  const given = readQuery(query, ["limit", "since", "dismissed", "cursor"]);
  return {
    limit: given.limit === undefined ? PAGE_DEFAULT : readLimit(given.limit),
    since: given.since === undefined ? null : readInstant(given.since),
    dismissed: given.dismissed === undefined ? null : readBoolean(given.dismissed),
    before: given.cursor === undefined ? null : readCursor(given.cursor),
  };
}

function readLimit(text: string): number {
  if (!/^\d{1,9}$/.test(text) || Number(text) === 0)
    throw invalid("query.limit", "must be an integer, 1 or more");
  return Math.min(Number(text), PAGE_MAX);
}

const ISO = /^(\d{4}-\d\d-\d\d)T([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d{1,9})?(Z|[+-]([01]\d|2[0-3]):[0-5]\d)$/;

function readInstant(text: string): number {
  if (/^\d{1,15}$/.test(text)) return Number(text);
  const [, day] = ISO.exec(text) ?? [];
  // JavaScript reads dates that do not exist, such as 30 February, as others.
  const isDay = day !== undefined && new Date(`${day}T00:00:00Z`).toJSON()?.startsWith(day);
  if (!isDay) {
    throw invalid(
      "query.since",
      "must be an ISO 8601 date and time with its zone, or milliseconds since 1970",
    );
  }
  return Date.parse(text);
}

function readBoolean(text: string): boolean {
  if (text !== "true" && text !== "false") throw invalid("query.dismissed", "must be true or false");
  return text === "true";
}

function readCursor(text: string): number {
  if (!/^[1-9]\d{0,14}$/.test(text)) throw invalid("query.cursor", "must be the next_cursor of a response");
  return Number(text);
}
