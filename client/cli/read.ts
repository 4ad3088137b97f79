import type { Api, Cli } from "./cli.ts";
import { UsageError } from "./failures.ts";

export { reply } from "../reply.ts";

/** One page of a list, and the cursor of the next one. */
export interface Page<Row> {
  readonly rows: readonly Row[];
  readonly next: string | null;
}

export interface PageQuery {
  readonly limit?: string;
  readonly cursor?: string;
}

/** What people choose of a list. The API knows what each can be sorted by. */
export interface ListOptions {
  readonly limit?: string | undefined;
  readonly sort?: string | undefined;
}

export type ReadPage<Row> = (api: Api, query: PageQuery) => Promise<Page<Row>>;

/** The most that the API gives at once. */
const PAGE_ROWS = 100;
/** A longer list is for a program, which can ask for more with --limit. */
export const ROWS_MAX = 1_000;

export const page = <Row>(
  rows: readonly Row[],
  { next_cursor }: { readonly next_cursor: string | null },
): Page<Row> => ({ rows, next: next_cursor });

/** The first rows of a list, from as many pages as they take. */
export async function readRows<Row>(
  api: Api,
  read: ReadPage<Row>,
  max = ROWS_MAX,
  { sort }: ListOptions = {},
): Promise<Row[]> {
  const order = sort === undefined ? {} : { sort };
  const rows: Row[] = [];
  let cursor: string | null = null;
  do {
    const limit = String(Math.min(max - rows.length, PAGE_ROWS));
    const next: Page<Row> = await read(api, { limit, ...order, ...(cursor === null ? {} : { cursor }) });
    rows.push(...next.rows);
    cursor = next.next;
  } while (cursor !== null && rows.length < max);
  return rows.slice(0, max);
}

/** A whole number of an option. @throws UsageError */
export function count(text: string, min = 1, max = Number.MAX_SAFE_INTEGER): number {
  const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
  if (!(value >= min && value <= max))
    throw new UsageError(
      `"${text}" is not a whole number of ${min}${max < Number.MAX_SAFE_INTEGER ? ` to ${max}` : " or more"}`,
    );
  return value;
}

/** All that comes on the input. */
export const inputText = (cli: Cli): Promise<string> => new Response(cli.io.input()).text();
