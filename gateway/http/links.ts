import { Elysia } from "elysia";

/**
 * `Link` on lists that come in pages (RFC 8288; design §3): `next` of every list, by its cursor; by the page's number where the reply has it, or
 * by offset where the request has one, then with `prev`, and with `first` and `last` where pages have numbers. The reply itself says where the
 * page stands, in its `pagination` or in `total` beside its list.
 */
export const links = () =>
  new Elysia({ name: "links" }).onAfterHandle({ as: "global" }, (ctx) => {
    if (ctx.request.method !== "GET") return;
    const { data, pagination } = (ctx.responseValue ?? {}) as { data?: unknown; pagination?: Position };
    if (typeof data !== "object" || data === null) return;
    // If the data is the list itself, `pagination` is a sibling of `data`.
    const link = linkOf(ctx.request.url, pagination === undefined ? (data as Page) : { pagination });
    if (link !== undefined) ctx.set.headers.link = link;
  });

interface Position {
  readonly total?: unknown;
  readonly page?: unknown;
  readonly totalPages?: unknown;
  readonly limit?: unknown;
  readonly offset?: unknown;
  readonly next_cursor?: unknown;
}
interface Page extends Position {
  readonly pagination?: Position;
}

/**
 * The value of `Link` for a reply's data; undefined if the data is not a page of a list. Targets are relative to the
 * origin.
 */
export function linkOf(url: string, data: Page): string | undefined {
  const position = { ...data, ...data.pagination };
  if (typeof position.total !== "number" && typeof position.next_cursor !== "string") return undefined;
  // HTTP/1.0 requests may have no Host header; then the URL is a path.
  const { pathname, searchParams } = new URL(url, "http://localhost");
  const to = (rel: string, changed: Record<string, number | string>) => {
    const query = new URLSearchParams(searchParams);
    for (const [name, value] of Object.entries(changed)) query.set(name, String(value));
    return `<${pathname}?${query}>; rel="${rel}"`;
  };
  const { total, page, totalPages, next_cursor } = position;
  const cursor = searchParams.has("before") ? "before" : "cursor";
  const byCursor = () =>
    typeof next_cursor === "string" ? to("next", { [cursor]: next_cursor }) : undefined;
  // Cursors only lead forwards, and their pages have no numbers.
  if (searchParams.has(cursor) || typeof total !== "number") return byCursor();
  const numbered = typeof page === "number" && typeof totalPages === "number";
  // Few lists have offsets: only the request shows that this one does.
  if (!numbered && !searchParams.has("offset") && next_cursor !== undefined) return byCursor();
  const found = numbered ? byNumber(page, totalPages, to) : byOffset(position, data, searchParams, to);
  return found.length === 0 ? undefined : found.join(", ");
}

type To = (rel: string, changed: Record<string, number | string>) => string;

function byNumber(page: number, pages: number, to: To): string[] {
  if (pages === 0) return [];
  return [
    ...(page < pages ? [to("next", { page: page + 1 })] : []),
    ...(page > 1 ? [to("prev", { page: Math.min(page - 1, pages) })] : []),
    to("first", { page: 1 }),
    to("last", { page: pages }),
  ];
}

function byOffset(position: Position, data: Page, query: URLSearchParams, to: To): string[] {
  const rows = Object.values(data).find(Array.isArray)?.length ?? 0;
  const offset = Number(position.offset ?? query.get("offset") ?? 0);
  const limit = Math.max(Number(position.limit ?? query.get("limit") ?? rows), 1);
  return [
    ...(rows > 0 && offset + rows < Number(position.total) ? [to("next", { offset: offset + rows })] : []),
    ...(offset > 0 ? [to("prev", { offset: Math.max(0, offset - limit) })] : []),
  ];
}
