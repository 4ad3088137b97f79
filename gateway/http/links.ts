import { Elysia } from "elysia";

/**
 * `Link` on lists that come in pages (RFC 8288; design §3): `next` and `prev`, and `first` and `last` where pages have numbers. It reads
 * them from the reply itself, whose `pagination`, or `total` beside its list, says where the page stands.
 */
export const links = () =>
  new Elysia({ name: "links" }).onAfterHandle({ as: "global" }, (ctx) => {
    if (ctx.request.method !== "GET") return;
    const { data } = (ctx.responseValue ?? {}) as { data?: unknown };
    if (typeof data !== "object" || data === null) return;
    const link = linkOf(ctx.request.url, data as Page);
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

/** The header's value for a reply's data; undefined where that is no page of a list. Targets are relative to the origin. */
export function linkOf(url: string, data: Page): string | undefined {
  const position = data.pagination ?? data;
  if (typeof position.total !== "number") return undefined;
  const { pathname, searchParams } = new URL(url);
  const to = (rel: string, changed: Record<string, number | string>) => {
    const query = new URLSearchParams(searchParams);
    for (const [name, value] of Object.entries(changed)) query.set(name, String(value));
    return `<${pathname}?${query}>; rel="${rel}"`;
  };
  const { page, totalPages, next_cursor } = position;
  // By cursor there is only one way, and pages have no numbers.
  if (searchParams.has("before"))
    return typeof next_cursor === "string" ? to("next", { before: next_cursor }) : undefined;
  const found =
    typeof page === "number" && typeof totalPages === "number"
      ? byNumber(page, totalPages, to)
      : byOffset(position, data, searchParams, to);
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
