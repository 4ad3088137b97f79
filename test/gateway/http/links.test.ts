import { describe, expect, test } from "bun:test";
import { linkOf } from "../../../gateway/http/links.ts";

const URL_OF = "http://berth.example:3000/api/v1/things";

describe("the Link header of a list", () => {
  test("leads from a numbered page to the next, the one before, the first and the last, with the other parameters kept", () => {
    const pagination = { total: 95, page: 2, limit: 20, totalPages: 5 };
    expect(linkOf(`${URL_OF}?sort_by=price&page=2`, { pagination })).toBe(
      '</api/v1/things?sort_by=price&page=3>; rel="next", </api/v1/things?sort_by=price&page=1>; rel="prev", ' +
        '</api/v1/things?sort_by=price&page=1>; rel="first", </api/v1/things?sort_by=price&page=5>; rel="last"',
    );
  });

  test("has no next on the last page and no prev on the first, and from behind the end leads back to it", () => {
    const at = (page: number) =>
      linkOf(URL_OF, { pagination: { total: 95, page, limit: 20, totalPages: 5 } });
    expect(at(1)).not.toContain("prev");
    expect(at(5)).not.toContain("next");
    expect(at(9)).toContain('page=5>; rel="prev"');
  });

  test("goes by what is listed where a list has offsets", () => {
    const things = [1, 2, 3];
    const of = (query: string, rows: unknown[], total: number) =>
      linkOf(`${URL_OF}${query}`, { things: rows, total } as never);
    expect(of("?limit=3&offset=3", things, 10)).toBe(
      '</api/v1/things?limit=3&offset=6>; rel="next", </api/v1/things?limit=3&offset=0>; rel="prev"',
    );
    expect(of("", things, 3)).toBeUndefined();
    expect(of("?offset=9", [1], 10)).toContain('rel="prev"');
    expect(of("?offset=50", [], 10)).not.toContain("next");
  });

  test("goes on by cursor where the list was asked for by one", () => {
    const next = "2026-01-31T09:30:00.000Z,0123456789abcdef01234567";
    const of = (next_cursor: string | null) =>
      linkOf(`${URL_OF}?before=x&limit=5`, {
        pagination: { total: 95, page: 1, limit: 5, totalPages: 19, next_cursor },
      });
    const link = new URL(/^<(.*)>; rel="next"$/.exec(of(next) ?? "")?.[1] ?? "", URL_OF);
    expect(Object.fromEntries(link.searchParams)).toEqual({ before: next, limit: "5" });
    expect(of(null)).toBeUndefined();
  });

  test("goes on by cursor where the request names no offset, since not every list has offsets", () => {
    const page = { pagination: { total: 95, limit: 5, next_cursor: "c" } };
    expect(linkOf(`${URL_OF}?limit=5`, page)).toBe('</api/v1/things?limit=5&cursor=c>; rel="next"');
    expect(linkOf(`${URL_OF}?page=1`, page)).toBe('</api/v1/things?page=1&cursor=c>; rel="next"');
    const last = { pagination: { total: 5, limit: 5, next_cursor: null } };
    expect(linkOf(`${URL_OF}?limit=5`, last)).toBeUndefined();
  });

  test("is not there for what is no list", () => {
    expect(linkOf(URL_OF, { id: "1" } as never)).toBeUndefined();
    expect(linkOf(URL_OF, { pagination: { total: 0, page: 1, limit: 20, totalPages: 0 } })).toBeUndefined();
  });
});
