import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { EVENT_TYPES, type EventRecord, RESOURCE_TYPES } from "../../../../../schemas/events.ts";
import { type EmbeddedStack, startEmbeddedStack } from "../../../../harness/embedded-stack.ts";
import { tenant } from "../../hosting/container/hosting.ts";

let stack: EmbeddedStack;
let ours: Awaited<ReturnType<typeof tenant>>;
/** The whole log, oldest first, as the database has it. */
let log: EventRecord[];
let containers: string[];
beforeAll(async () => {
  stack = await startEmbeddedStack();
  ours = await tenant(stack, "node-1");
  containers = [await ours.container("one"), await ours.container("two")];
  const second = await stack.call("POST", "/api/v1/projects", {
    token: ours.token,
    body: { name: "second" },
  });
  await ours.create("three", { project_id: second.body.data.id });
  await ours.call("POST", `/${containers[0]}/stop`);
  await ours.call("POST", `/${containers[1]}/restart`);
  await ours.call("POST", `/${containers[0]}/start`);
  const rule = { action: "allow", protocol: "tcp", description: "web", destination_port: "80" };
  await ours.call("POST", `/${containers[0]}/firewall/ingress`, rule);
  const rows = await stack.db`SELECT * FROM events WHERE user_id = ${ours.user.id} ORDER BY created_at, id`;
  log = rows.map((row) => ({ ...row, created_at: row.created_at.toISOString() })) as never;
});
afterAll(() => stack.stop());

const ask = (query: string) => stack.call("GET", `/api/v1/events${query}`, { token: ours.token });
const found = async (query: string): Promise<EventRecord[]> => (await ask(query)).body.data.events;
const ids = (events: readonly EventRecord[]) => events.map(({ id }) => id);
const newestFirst = (events: readonly EventRecord[]) => [...events].reverse();

test("without a filter it is the whole log, newest first", async () => {
  const { status, body } = await ask("");
  expect(status).toBe(200);
  expect(body.data.events).toEqual(newestFirst(log));
  expect(body.data.pagination).toEqual({ total: log.length, limit: 100, offset: 0, next_cursor: null });
  expect(log.length).toBeGreaterThan(12);
});

describe("a filter keeps what it says, and the total counts what it keeps", () => {
  const filters: [string, () => string, (event: EventRecord) => boolean][] = [
    ["event_type", () => "event_type=container.created", (event) => event.event_type === "container.created"],
    ["resource_type", () => "resource_type=firewall", (event) => event.resource_type === "firewall"],
    ["resource_id", () => `resource_id=${containers[0]}`, (event) => event.resource_id === containers[0]],
    ["project_id", () => `project_id=${ours.projectId}`, (event) => event.project_id === ours.projectId],
    ["container_id", () => `container_id=${containers[1]}`, (event) => event.container_id === containers[1]],
    [
      "start_date",
      () => `start_date=${log[6]?.created_at}`,
      (event) => event.created_at >= (log[6]?.created_at ?? ""),
    ],
    [
      "end_date",
      () => `end_date=${log[9]?.created_at}`,
      (event) => event.created_at < (log[9]?.created_at ?? ""),
    ],
  ];
  const check = async (chosen: typeof filters, mayBeNone = false) => {
    const expected = log.filter((event) => chosen.every(([, , holds]) => holds(event)));
    if (!mayBeNone) {
      expect(expected.length).toBeGreaterThan(0);
      expect(expected.length).toBeLessThan(log.length);
    }
    const { body } = await ask(`?${chosen.map(([, query]) => query()).join("&")}`);
    expect(ids(body.data.events)).toEqual(ids(newestFirst(expected)));
    expect(body.data.pagination.total).toBe(expected.length);
  };
  test.each(filters)("%s", (name, query, holds) => check([[name, query, holds]]));

  test("any two, any three and all of them together", async () => {
    for (let chosen = 1; chosen < 1 << filters.length; chosen++) {
      const some = filters.filter((_, i) => chosen & (1 << i));
      if (some.length === 2 || some.length === 3 || some.length === filters.length) await check(some, true);
    }
  });

  test("a combination that keeps something", () =>
    check([
      ["resource_type", () => "resource_type=container", (event) => event.resource_type === "container"],
      ...filters.filter(([name]) => ["project_id", "start_date"].includes(name)),
    ]));

  test("realm_id is that of the project", async () => {
    const expected = log.filter((event) => event.project_id === ours.projectId);
    expect(ids(await found(`?realm_id=${ours.projectId}`))).toEqual(ids(newestFirst(expected)));
    expect(await found(`?realm_id=${"0".repeat(24)}`)).toEqual([]);
  });

  test("every event type and resource type that there is can be asked for", async () => {
    for (const type of EVENT_TYPES) expect((await ask(`?limit=1&event_type=${type}`)).status).toBe(200);
    for (const type of RESOURCE_TYPES) expect((await ask(`?limit=1&resource_type=${type}`)).status).toBe(200);
  });
});

describe("pages", () => {
  test("by limit and offset put together are the log, without a gap or a repeat", async () => {
    const pages: EventRecord[] = [];
    for (let offset = 0; offset < log.length + 4; offset += 4)
      pages.push(...(await found(`?limit=4&offset=${offset}`)));
    expect(ids(pages)).toEqual(ids(newestFirst(log)));
    expect(await found(`?offset=${log.length}`)).toEqual([]);
    expect(await found("?offset=999999999999999")).toEqual([]);
  });

  test("that are too large are brought down to 500", async () => {
    await stack.db`
      INSERT INTO events (id, event_type, resource_type, user_id, data, created_at)
      SELECT lpad(to_hex(i), 24, '0'), 'pool.created', 'pool', ${"a".repeat(24)}, '{}', now()
      FROM generate_series(1, 510) i`;
    const own = log[0]?.user_id ?? "";
    await stack.db`UPDATE events SET user_id = ${own} WHERE event_type = 'pool.created'`;
    for (const limit of ["500", "501", "1000", "999999999999999"]) {
      const { status, body } = await ask(`?event_type=pool.created&limit=${limit}`);
      expect(status).toBe(200);
      expect(body.data.events).toHaveLength(500);
      expect(body.data.pagination).toMatchObject({ total: 510, limit: 500, offset: 0 });
    }
    expect(await found("?event_type=pool.created")).toHaveLength(100);
    // All of one moment: the order is still one, so that pages do not overlap.
    const all = [
      ...(await found("?event_type=pool.created&limit=300")),
      ...(await found("?event_type=pool.created&limit=300&offset=300")),
    ];
    expect(new Set(ids(all)).size).toBe(510);
    await stack.db`DELETE FROM events WHERE event_type = 'pool.created'`;
  });
});

describe("the order", () => {
  test("by time turns round", async () => {
    expect(ids(await found("?sort_order=asc"))).toEqual(ids(log));
    expect(ids(await found("?sort_by=created_at&sort_order=desc"))).toEqual(ids(newestFirst(log)));
  });

  test("by event type goes by type, and by time within one", async () => {
    const sorted = [...log].sort((a, b) =>
      a.event_type < b.event_type ? -1 : a.event_type > b.event_type ? 1 : 0,
    );
    expect(ids(await found("?sort_by=event_type&sort_order=asc"))).toEqual(ids(sorted));
    expect(ids(await found("?sort_by=event_type"))).toEqual(ids(sorted.toReversed()));
  });
});

describe("a time", () => {
  test.each([
    ["2026-01-31T09:30:00Z"],
    ["2026-01-31T09:30:00.123456789Z"],
    ["2026-01-31t09:30:00z"],
    ["2026-01-31T09:30:00%2B02:00"],
    ["2026-01-31%2009:30:00-11:30"],
    ["2028-02-29T00:00:00Z"],
  ])("%s is taken", async (text) => {
    expect((await ask(`?start_date=${text}`)).status).toBe(200);
    expect((await ask(`?end_date=${text}`)).status).toBe(200);
  });

  test("means the moment, in whatever zone it is written", async () => {
    const at = Date.parse(log[6]?.created_at ?? "");
    const inZone = (hours: number, zone: string) =>
      encodeURIComponent(new Date(at + hours * 3_600_000).toISOString().replace("Z", zone));
    const expected = ids(await found(`?start_date=${inZone(0, "Z")}`));
    expect(ids(await found(`?start_date=${inZone(2, "+02:00")}`))).toEqual(expected);
    expect(ids(await found(`?start_date=${inZone(-5, "-05:00")}`))).toEqual(expected);
  });

  test.each([
    ["2026-01-31"],
    ["2026-02-30T00:00:00Z"],
    ["2026-02-29T00:00:00Z"],
    ["2026-04-31T00:00:00Z"],
    ["2026-01-00T00:00:00Z"],
    ["2026-00-10T00:00:00Z"],
    ["2026-13-01T00:00:00Z"],
    ["2026-01-32T00:00:00Z"],
    ["2026-99-99T00:00:00Z"],
    ["2026-01-31T24:00:00Z"],
    ["2026-01-31T25:00:00Z"],
    ["2026-01-31T09:60:00Z"],
    ["2026-01-31T09:30:61Z"],
    ["2026-01-31T09:30:00"],
    ["2026-01-31T09:30Z"],
    ["2026-01-31T09:30:00%2B99:99"],
    ["2026-01-31T09:30:00 02:00"],
    ["20260131T093000Z"],
    ["1769851800"],
    ["0"],
    ["now"],
    [""],
    ["Sat%2C%2031%20Jan%202026%2009:30:00%20GMT"],
    ["%2B002026-01-31T09:30:00Z"],
    ["2026-01-31T09:30:00Z%0A"],
  ])("%s is refused", async (text) => {
    for (const field of ["start_date", "end_date"]) {
      const { status, body } = await ask(`?${field}=${text}`);
      expect({ status, code: body.code, field: body.data.field }).toEqual({
        status: 400,
        code: "VALIDATION_ERROR",
        field: `query.${field}`,
      });
    }
  });

  test.each([
    ["the year 0, which PostgreSQL does not have", "0000-01-01T00:00:00Z"],
    ["the end of 9999, which is in the year 10000 elsewhere", "9999-12-31T23:59:59-23:59"],
    ["the year 1", "0001-01-01T00:00:00Z"],
    ["the end of 9999", "9999-12-31T23:59:59Z"],
  ])("at the edge is no fault of ours: %s", async (_what, text) => {
    for (const field of ["start_date", "end_date"]) {
      expect([200, 400]).toContain((await ask(`?${field}=${text}`)).status);
    }
  });
});

describe("a query that is wrong is named", () => {
  test.each([
    ["limit", "limit=0"],
    ["limit", "limit=-1"],
    ["limit", "limit=1.5"],
    ["limit", "limit=1e2"],
    ["limit", "limit=0x10"],
    ["limit", "limit=%205"],
    ["limit", "limit="],
    ["limit", "limit=all"],
    ["limit", "limit=1&limit=2"],
    ["offset", "offset=-1"],
    ["offset", "offset=x"],
    ["sort_by", "sort_by=id"],
    ["sort_order", "sort_order=DESC"],
    ["event_type", "event_type=container.exploded"],
    ["event_type", "event_type=container"],
    ["resource_type", "resource_type=wallet"],
    ["resource_type", "resource_type=toString"],
    ["resource_id", "resource_id=x"],
    ["project_id", "project_id=0123456789ABCDEF01234567"],
    ["container_id", "container_id="],
    ["realm_id", "realm_id=%27"],
    ["user_id", "user_id=0123456789abcdef01234567"],
    ["page", "page=1"],
  ])("%s in ?%s", async (field, query) => {
    const { status, body } = await ask(`?${query}`);
    expect({ status, code: body.code, data: body.data }).toEqual({
      status: 400,
      code: "VALIDATION_ERROR",
      data: { field: `query.${field}` },
    });
  });

  test("an id of another form", async () => {
    const { status, body } = await ask("/nothing");
    expect({ status, data: body.data }).toEqual({ status: 404, data: { field: "path.id" } });
  });
});
