import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { documentOf } from "../../../gateway/openapi/document.ts";
import type { JsonSchema } from "../../../gateway/openapi/json-schema.ts";
import { type Answer, type EmbeddedStack, startEmbeddedStack } from "../../harness/embedded-stack.ts";
import { inlined } from "../../harness/inlined-document.ts";
import { until } from "../../harness/until.ts";
import { appRoutes } from "../auth/app-routes.ts";
import { SANDBOX_ENV } from "../routes/billing/top-up/processors.ts";
import { type Host, startHost } from "../routes/hosting/container/hosting.ts";
import { type SeededList, seededLists } from "./seeds.ts";

/**
 * No list answers without a bound, and a walk by cursor sees each item once, whatever comes and goes meanwhile. The lists are those
 * that OpenAPI has: one that is new fails here until it is paged.
 */

const document = inlined(documentOf(appRoutes(), "0"));

/** Replies with arrays that are no lists: each has a bound of its own. */
const BOUNDED: Readonly<Record<string, string>> = {
  "/api/v1/quotas": "one entry for each quota there is",
  "/api/v1/auth/second-factor": "passkeys of one account, twenty at most",
  "/api/v1/auth/account/deletion": "what is in the way of one deletion, of which the first fifty are named",
  "/api/v1/admin/users/{id}/deletion":
    "what is in the way of one deletion, of which the first fifty are named",
  "/api/v1/admin/hosts/{id}": "images that one host keeps ready, 64 at most",
  "/api/v1/admin/cluster": "partitions are fixed, and there are a few actor hosts",
  "/api/v1/admin/overview": "one entry for each kind of thing that waits for an operator",
  "/api/v1/pools/{id}": "members have a quota",
  "/api/v1/admin/users/{id}": "the newest hundred rentals and containers",
  "/api/v1/containers/{id}/logs": "lines, whose limit and cursor are positions in the log",
  "/api/v1/containers/{id}": "volumes of one container",
  "/api/v1/storage-shares/{id}": "containers with one share, of which the first hundred are named",
  "/api/v1/wallet/invoices/{id}": "items of one invoice",
  "/api/v1/wallet/statements/{month}": "one sum for each kind of transaction",
  "/api/v1/images/public/{id}": "tags of one image",
  "/api/v1/proxy/aliases/{id}/domains": "domains of one alias, as many as the quota domains_per_user at most",
  "/api/v1/projects/{id}/registry-credentials": "registries of one project, sixteen at most",
  "/api/v1/rentals/{id}/runtime": "disks of one server",
  "/api/v1/servers/{id}/runtime": "disks of one server",
};

/** Lists that are the same for everybody who may read them. All others are each user's own. */
const isShared = (path: string): boolean => path.includes("/admin/") || SHARED.has(path);
const SHARED = new Set([
  "/api/v1/containers/{id}/firewall/rules",
  "/api/v1/images/public",
  "/api/v1/notifications",
  "/api/v1/notifications/public",
  "/api/v1/offers",
  "/api/v1/servers/available",
  "/api/v1/containers/{id}/permissions",
  "/api/v1/storage-shares/{id}/snapshots",
  "/api/v1/webhooks/{id}/deliveries",
]);

/** Lists whose whole length nobody counts, since they grow without a bound: `count`, where they have it, is that of the page. */
const COUNT_OF_PAGE = new Set([
  "/api/v1/admin/audit",
  "/api/v1/admin/events",
  "/api/v1/auth/audit",
  "/api/v1/notifications/public",
  "/api/v1/webhooks/{id}/deliveries",
]);

const ok = (path: string): JsonSchema | undefined =>
  document.paths[path]?.get?.responses["200"]?.content?.["application/json"]?.schema;

/** Whether a reply's data is an array, or has one on its first level. */
function hasArray(path: string): boolean {
  return partsOf(ok(path)?.properties?.data).some(
    ({ type, properties = {} }) =>
      type === "array" || Object.values(properties).some((property) => property.type === "array"),
  );
}

/** A schema, and those that it is made of or is one of. */
function partsOf(schema: JsonSchema | undefined): JsonSchema[] {
  if (schema === undefined) return [];
  const { allOf = [], anyOf = [] } = schema as { allOf?: JsonSchema[]; anyOf?: JsonSchema[] };
  return [schema, ...[...allOf, ...anyOf].flatMap(partsOf)];
}

const LISTS = Object.keys(document.paths).filter((path) => hasArray(path) && !(path in BOUNDED));

let stack: EmbeddedStack;
let host: Host;
let lists: Record<string, SeededList>;
beforeAll(async () => {
  stack = await startEmbeddedStack({
    servers: ["lists"],
    env: { ...SANDBOX_ENV, BERTH_QUOTA_POOLS_PER_USER: "500" },
  });
  lists = await seededLists(stack);
  host = await startHost(stack, "lists");
  await host.answerFirewalls(() => ({}));
});
afterAll(async () => {
  await host.close();
  await stack.stop();
});

test("every list of OpenAPI is tested, and replies with a bound of their own have no cursor", () => {
  expect(Object.keys(lists).toSorted()).toEqual(LISTS.toSorted());
  for (const path of Object.keys(BOUNDED)) expect([path, hasArray(path)]).toEqual([path, true]);
});

/** A cursor of each list that was walked before. */
const foreign = new Map<string, string>();

describe.each(LISTS)("%s", (path) => {
  const list = () => lists[path] as SeededList;
  const maximum = limitOf(path);
  const parameterNames = (document.paths[path]?.get?.parameters ?? []).map(({ name }) => name);
  const fields = sortFieldsOf(path);
  const get = async (query: Record<string, string | number>): Promise<Answer> => {
    const url = new URL(list().path, "http://x");
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, String(value));
    return stack.call("GET", url.pathname + url.search, { token: list().user.token });
  };

  const add = async (n: number) => {
    const answer = (await list().add(n)) as Partial<Answer> | undefined;
    // Where the answer is one of the API.
    if (answer?.status !== undefined) expect(answer.status).toBeLessThan(300);
  };

  test("says in OpenAPI how long a page is, and how one gets the next", () => {
    const parameters = document.paths[path]?.get?.parameters ?? [];
    expect(parameters.map(({ name }) => name)).toEqual(expect.arrayContaining(["limit", "cursor", "sort"]));
    expect(maximum).toBeGreaterThan(0);
    expect(maximum).toBeLessThanOrEqual(1_000);
    const reply = ok(path);
    const pagination = reply?.properties?.pagination ?? reply?.properties?.data?.properties?.pagination;
    expect(Object.keys(pagination?.properties ?? {})).toEqual(
      expect.arrayContaining(["limit", "next_cursor"]),
    );
  });

  test("brings an oversize limit down, and refuses others and bad cursors by name", async () => {
    for (const limit of [maximum + 1, 999_999_999, `1${"0".repeat(20)}`, "9".repeat(400)]) {
      const most = await get({ limit });
      expect([limit, most.status, paginationOf(most).limit]).toEqual([limit, 200, maximum]);
    }
    for (const limit of ["0", "-1", "1.5", "x", ""]) {
      const { status, body } = await get({ limit });
      expect([limit, status, body.data?.field]).toEqual([limit, 400, "query.limit"]);
    }
    const forged = (parts: unknown) => Buffer.from(JSON.stringify(parts)).toString("base64url");
    const cursors = [
      "x",
      "%00",
      "",
      forged(null),
      forged(["created_at asc", "x", "y"]),
      forged(["created_at desc", "2026-02-31T00:00:00.000000Z", "0".repeat(24)]),
      forged(["created_at asc", "2026-02-31T00:00:00.000000Z", "0".repeat(24)]),
      forged(["name asc", "a\0b", "0".repeat(24)]),
      forged(["no order", "a", "0".repeat(24)]),
    ];
    for (const cursor of cursors) await expectRefused(cursor);
  });

  const expectRefused = async (cursor: string) => {
    const { status, body } = await get({ cursor });
    expect([cursor, status, body.data?.field]).toEqual([cursor, 400, "query.cursor"]);
  };

  test("a walk by cursor sees each item once, whatever is added and deleted meanwhile", async () => {
    for (let n = 0; n < 6; n++) await add(n);
    const all = async () => idsOf(await get({ limit: maximum }));
    await until(async () => (await all()).length >= 6);
    for (const sort of [{}, ...(list().sorts ?? []).flatMap((by) => [order(by, "asc"), order(by, "desc")])]) {
      const before = await all();
      const seen: string[] = [];
      let removed: string | undefined;
      let added = false;
      let cursor: string | null = null;
      do {
        const page: Answer = await get({ ...sort, limit: 2, ...(cursor === null ? {} : { cursor }) });
        expect(page.status).toBe(200);
        const ids = idsOf(page);
        expect(ids.length).toBeLessThanOrEqual(2);
        seen.push(...ids);
        const next: string | null = paginationOf(page).next_cursor;
        if (cursor === null) await expectNextPage(page);
        else expectNextLink(page, next);
        cursor = next;
        if (!added) {
          added = true;
          await add(1_000 + seen.length + Object.keys(sort).length * 100 + before.length);
          // One that is still to come, so that its page begins elsewhere than an offset would say.
          removed = list().remove === undefined ? undefined : before.find((id) => !seen.includes(id));
          if (removed !== undefined) await list().remove?.(removed);
        }
      } while (cursor !== null);
      expect(seen.length).toBe(new Set(seen).size);
      expect(before.filter((id) => !seen.includes(id) && id !== removed)).toEqual([]);
    }
    if (COUNT_OF_PAGE.has(path)) return;
    expect(totalOf(await get({ limit: 1 }))).toBe((await all()).length);
  });

  /** A first page may lead on by cursor, number or offset: its link is there if there is a next page, and the list takes it. */
  const expectNextPage = async (page: Answer) => {
    const target = nextTarget(page);
    expect(target !== undefined).toBe(paginationOf(page).next_cursor !== null);
    if (target === undefined) return;
    const following = await stack.call("GET", target, { token: list().user.token });
    expect([target, following.status]).toEqual([target, 200]);
    expect(idsOf(following).length).toBeGreaterThan(0);
    expect(idsOf(following).filter((id) => idsOf(page).includes(id))).toEqual([]);
  };

  test("has one order by each sort, ascending and descending, on pages of any length", async () => {
    for (const field of fields) {
      const ascending = listed([await get({ sort: field, limit: maximum })]);
      const descending = listed([await get({ sort: `-${field}`, limit: maximum })]);
      expect(Object.values(ascending).flat().length).toBeGreaterThan(3);
      for (const rows of Object.values(ascending)) {
        const values = rows.map((row) => comparable(row[field])).filter((value) => value !== undefined);
        expect([field, ...values]).toEqual([field, ...values.toSorted(compare)]);
      }
      const reversed = Object.entries(ascending).map(([name, rows]) => [name, rows.toReversed()]);
      expect([field, idsIn(descending)]).toEqual([field, idsIn(Object.fromEntries(reversed))]);
      for (const limit of [1, 2, 3]) {
        expect([field, limit, await walk({ sort: field, limit })]).toEqual([field, limit, idsIn(ascending)]);
        expect([field, limit, await walk({ sort: `-${field}`, limit })]).toEqual([
          field,
          limit,
          idsIn(descending),
        ]);
      }
    }
  });

  /** What the pages list together. */
  const walk = async (query: Record<string, string | number>) => {
    const pages = [await get(query)];
    for (;;) {
      const cursor = paginationOf(pages.at(-1) as Answer).next_cursor;
      if (cursor === null) return idsIn(listed(pages));
      pages.push(await get({ ...query, cursor }));
    }
  };

  test("refuses an unknown sort with those that it has, and a cursor of another sort", async () => {
    const [field = ""] = fields;
    for (const sort of ["no_such_field", "+", "", `--${field}`, `${field},${field}`]) {
      const { status, body } = await get({ sort });
      expect([sort, status, body.data?.field]).toEqual([sort, 400, "query.sort"]);
      for (const each of fields) expect(body.message).toContain(each);
    }
    const { next_cursor: cursor } = paginationOf(await get({ sort: field, limit: 1 }));
    expect((await get({ sort: field, limit: 1, cursor })).status).toBe(200);
    for (const sort of fields.flatMap((each) => [each, `-${each}`])) {
      if (sort === field) continue;
      const { status, body } = await get({ sort, limit: 1, cursor });
      expect([sort, status, body.data?.field]).toEqual([sort, 400, "query.cursor"]);
    }
    if (!parameterNames.includes("sort_by")) return;
    const both = await get({ sort: field, sort_order: "asc" });
    expect([both.status, both.body.data?.field]).toEqual([400, "query.sort"]);
  });

  test("refuses the cursor of another user's list", async () => {
    if (isShared(path)) return;
    const cursor = paginationOf(await get({ limit: 1 })).next_cursor;
    const { token } = await stack.user();
    const url = new URL(list().path, "http://x");
    url.searchParams.set("cursor", cursor);
    const { status, body } = await stack.call("GET", url.pathname + url.search, { token });
    expect([status, body.data?.field]).toEqual([400, "query.cursor"]);
  });

  test("refuses by name the cursors of other lists", async () => {
    const own = paginationOf(await get({ limit: 1 })).next_cursor;
    expect((await get({ cursor: own })).status).toBe(200);
    const same = [...foreign].filter(([, cursor]) => cursor === own).map(([other]) => other);
    expect(same).toEqual([]);
    for (const cursor of foreign.values()) await expectRefused(cursor);
    // `/servers` is `/rentals` by its other name (spec, control plane §4.3).
    if (path !== "/api/v1/rentals") foreign.set(path, own);
  });
});

const order = (sort_by: string, sort_order: string) => ({ sort_by, sort_order });

function limitOf(path: string): number {
  const limit = document.paths[path]?.get?.parameters.find(({ name }) => name === "limit");
  return Number(limit?.schema["x-maximum"]);
}

/** The fields that OpenAPI says a list can be sorted by. */
function sortFieldsOf(path: string): string[] {
  const sort = document.paths[path]?.get?.parameters.find(({ name }) => name === "sort");
  return (sort?.schema.enum ?? []).map(String).filter((key) => !key.startsWith("-"));
}

/** A row's value as the database compares it; undefined where the reply has it in another form. */
const comparable = (value: unknown): string | number | undefined =>
  typeof value === "number" ? value : typeof value === "string" ? comparableText(value) : undefined;
const comparableText = (text: string) => (/^-?\d+(\.\d+)?$/.test(text) ? Number(text) : text.toLowerCase());
const compare = (one: string | number, other: string | number) => (one < other ? -1 : one > other ? 1 : 0);

const paginationOf = ({ body }: Answer) => body.pagination ?? body.data.pagination;

type Row = Readonly<Record<string, unknown>> & { readonly id: string };

/** What pages list, by the name of the array: a firewall has one for each direction. */
function listed(pages: readonly Answer[]): Record<string, Row[]> {
  const all: Record<string, Row[]> = {};
  for (const { body } of pages) {
    const arrays = Array.isArray(body.data) ? [["", body.data]] : Object.entries(body.data);
    for (const [name, rows] of arrays) if (Array.isArray(rows)) all[name] = [...(all[name] ?? []), ...rows];
  }
  return all;
}

/** Only the ids: states may change between two readings. */
const idsIn = (arrays: Record<string, Row[]>): Record<string, string[]> =>
  Object.fromEntries(Object.entries(arrays).map(([name, rows]) => [name, rows.map(({ id }) => id)]));

/** Ids of what a page lists, of both directions of a firewall's rules. */
const idsOf = (answer: Answer): string[] => Object.values(idsIn(listed([answer]))).flat();

/** How many items a list says that it has on all pages. */
const totalOf = ({ body }: Answer): number | undefined =>
  body.pagination?.total ??
  body.data.pagination?.total ??
  body.data.total ??
  body.data.count ??
  body.data.rule_count;

/** The address of the next page in the header `Link`. */
const nextTarget = ({ headers }: Answer): string | undefined =>
  /<([^>]*)>; rel="next"/.exec(headers.get("link") ?? "")?.[1];

function expectNextLink(page: Answer, next: string | null): void {
  const target = nextTarget(page);
  expect(target === undefined ? null : new URL(target, "http://x").searchParams.get("cursor")).toBe(next);
}
