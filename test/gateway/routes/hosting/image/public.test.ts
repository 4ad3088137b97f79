import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { newId } from "../../../../../actors/platform/ids.ts";
import { type EmbeddedStack, startEmbeddedStack, type TestUser } from "../../../../harness/embedded-stack.ts";
import { asker, inCatalogue } from "./catalogue.ts";

let stack: EmbeddedStack;
let user: TestUser;
let ask: ReturnType<typeof asker>;
const ids: Record<string, string> = {};
beforeAll(async () => {
  stack = await startEmbeddedStack();
  user = await stack.user();
  ask = asker(stack, user);
  const add = async (alias: string, fields: Parameters<typeof inCatalogue>[1]) => {
    ids[alias] = await inCatalogue(stack, { alias, ...fields });
  };
  await add("plain", {
    description: "Nothing at all",
    serial: "2026_1",
    size: 7,
    tags: ["Minimal"],
    prespawn: true,
    reference: "docker.io/library/debian:13",
  });
  await add("desk", {
    architecture: "arm64",
    price: "5.00",
    description: "100% of a desktop",
    tags: ["x_11"],
  });
  await add("proxy", { price: "0.99", image_name: "debian/13/PROXY", description: "Größe: klein" });
  await add("hidden", { public: false });
  await add("gone", {});
  await stack.actors.image(ids.gone ?? "").delete({});
  const rate = (alias: string, hundredths: number) =>
    stack.actors.image_library(newId()).rate({ image_id: ids[alias] ?? "", hundredths });
  await rate("desk", 450);
  await rate("proxy", 200);
  await rate("proxy", 300);
  await rate("proxy", 300);
});
afterAll(() => stack.stop());

const found = async (query: string): Promise<string[]> => {
  const { body } = await ask("GET", `public${query}`);
  return body.data.images.map(({ alias }: { alias: string }) => alias);
};

describe("the catalogue", () => {
  test("has records of the documented form, the serial in the detail alone, and nobody's own rating", async () => {
    const { body } = await ask("GET", "public?search=plain");
    const record = {
      id: ids.plain,
      alias: "plain",
      description: "Nothing at all",
      image_name: "debian/13",
      architecture: "amd64",
      os: "debian",
      release: "13",
      variant: "default",
      size: 7,
      price: 0,
      tags: ["Minimal"],
      average_rating: 0,
      rating_count: 0,
      icon_url: `/api/v1/images/${ids.plain}/icon`,
      prespawn: true,
      added_date: body.data.images[0].added_date,
    };
    expect(body.data.images).toEqual([record]);
    expect(new Date(record.added_date).toISOString()).toBe(record.added_date);
    const detail = await ask("GET", `public/${ids.plain}`);
    expect(detail.body.data).toEqual({ ...record, serial: "2026_1" });
  });

  test("shows prices and averages as numbers, the average to the hundredth", async () => {
    const { body } = await ask("GET", "public?search=proxy");
    expect(body.data.images[0]).toMatchObject({ price: 0.99, average_rating: 2.67, rating_count: 3 });
  });

  test.each([
    ["", ["proxy", "desk", "plain"]],
    ["?sort_order=asc", ["plain", "desk", "proxy"]],
    ["?sort_by=added_date&sort_order=asc", ["plain", "desk", "proxy"]],
    ["?sort_by=alias", ["desk", "plain", "proxy"]],
    ["?sort_by=alias&sort_order=desc", ["proxy", "plain", "desk"]],
    ["?sort_by=price&sort_order=asc", ["plain", "proxy", "desk"]],
    ["?sort_by=price", ["desk", "proxy", "plain"]],
    ["?sort_by=rating", ["desk", "proxy", "plain"]],
    ["?sort_by=rating&sort_order=asc", ["plain", "proxy", "desk"]],
    ["?os=debian&sort_by=alias", ["desk", "plain", "proxy"]],
    ["?os=Debian&sort_by=alias", ["desk", "plain", "proxy"]],
    ["?os=plan9", []],
    ["?architecture=arm64", ["desk"]],
    ["?min_price=0&sort_by=alias", ["desk", "plain", "proxy"]],
    ["?max_price=0", ["plain"]],
    ["?min_price=0.99", ["proxy", "desk"]],
    ["?min_price=0.9901", ["desk"]],
    ["?max_price=0.99", ["proxy", "plain"]],
    ["?max_price=0.9899", ["plain"]],
    ["?min_price=1&max_price=0", []],
    ["?min_rating=0&sort_by=alias", ["desk", "plain", "proxy"]],
    ["?min_rating=2.67&sort_by=alias", ["desk", "proxy"]],
    ["?min_rating=4.5", ["desk"]],
    ["?min_rating=5", []],
    ["?max_rating=2.67&sort_by=alias", ["plain", "proxy"]],
    ["?max_rating=0", ["plain"]],
    ["?search=DESK", ["desk"]],
    ["?search=nothing%20AT", ["plain"]],
    ["?search=minimal", ["plain"]],
    ["?search=%2Fproxy", ["proxy"]],
    [`?search=${encodeURIComponent("GRÖSSE")}`, []],
    [`?search=${encodeURIComponent("GRÖ")}`, ["proxy"]],
    [`?search=${encodeURIComponent("gro\u0308")}`, ["proxy"]],
    ["?search=%25", ["desk"]],
    ["?search=_", ["desk"]],
    ["?search=x_1", ["desk"]],
    ["?search=%5C", []],
    ["?search=%27%20OR%201%3D1", []],
    ["?search=&sort_by=alias", ["desk", "plain", "proxy"]],
    ["?search=desk&max_price=0", []],
    ["?page=2&limit=2", ["plain"]],
    ["?page=3&limit=2", []],
    ["?page=999999999999999&limit=100", []],
  ])("%s finds %j", async (query, aliases) => {
    expect(await found(query)).toEqual(aliases);
  });

  test("counts what was found, page by page, and brings what is too large down", async () => {
    const pages = async (query: string) => (await ask("GET", `public${query}`)).body.data.pagination;
    expect(await pages("")).toMatchObject({ total: 3, page: 1, limit: 20, totalPages: 1 });
    expect(await pages("?limit=2&page=2")).toMatchObject({ total: 3, page: 2, limit: 2, totalPages: 2 });
    expect(await pages("?limit=1000")).toMatchObject({ total: 3, page: 1, limit: 100, totalPages: 1 });
    expect(await pages("?page=9007199254740993")).toMatchObject({ page: Number.MAX_SAFE_INTEGER });
    expect(await pages("?search=nowhere")).toMatchObject({ total: 0, page: 1, limit: 20, totalPages: 0 });
  });

  test.each([
    ["?page=0", "query.page"],
    ["?page=1.5", "query.page"],
    ["?limit=0", "query.limit"],
    ["?limit=-1", "query.limit"],
    ["?limit=x", "query.limit"],
    ["?min_price=-1", "query.min_price"],
    ["?max_price=1e3", "query.max_price"],
    ["?max_price=", "query.max_price"],
    ["?min_rating=5.1", "query.min_rating"],
    ["?max_rating=-0.1", "query.max_rating"],
    ["?max_rating=6", "query.max_rating"],
    ["?sort_by=name", "query.sort_by"],
    ["?sort_order=up", "query.sort_order"],
    ["?os=", "query.os"],
    ["?search=a%0Ab", "query.search"],
    [`?search=${"x".repeat(201)}`, "query.search"],
    ["?search=a&search=b", "query.search"],
    ["?price=5", "query.price"],
  ])("%s is refused and told why", async (query, field) => {
    const { status, body } = await ask("GET", `public${query}`);
    expect([status, body.code, body.data.field]).toEqual([400, "VALIDATION_ERROR", field]);
  });

  test.each([
    ["max_rating=6", "query.max_rating", "a number from 0 to 5"],
    ["min_price=-1", "query.min_price", "US dollars from 0 to 999999999999"],
    ["page=-1", "query.page", "a whole number from 1"],
  ])("%s is told which numbers there may be", async (query, field, bound) => {
    const { body } = await ask("GET", `public?${query}`);
    expect(body.message).toStartWith(`${field}: `);
    expect(body.message).toContain(bound);
  });

  test("keeps the order of images that are alike, across pages", async () => {
    const twins = await Promise.all(
      Array.from({ length: 7 }, (_, i) => inCatalogue(stack, { alias: `twin-${i}`, price: "77.00" })),
    );
    const seen: string[] = [];
    for (let page = 1; page <= 4; page++) {
      const { body } = await ask(
        "GET",
        `public?min_price=77&max_price=77&sort_by=price&limit=2&page=${page}`,
      );
      seen.push(...body.data.images.map(({ id }: { id: string }) => id));
    }
    expect(seen).toEqual(twins.toSorted().reverse());
    for (const id of twins) await stack.actors.image(id).delete({});
  });

  test("answers for what is private, deleted or nowhere in the same words", async () => {
    const answers = await Promise.all(
      [ids.hidden, ids.gone, newId()].map((id) => ask("GET", `public/${id}`)),
    );
    for (const { status, body } of answers) {
      expect(status).toBe(404);
      expect(body).toEqual({
        statusCode: 404,
        error: "Not Found",
        message: "Public image not found",
        code: "IMAGE_NOT_FOUND",
      });
    }
  });

  test("is for those who signed in", async () => {
    for (const path of ["public", `public/${ids.plain}`, `${ids.plain}/icon`, "user"]) {
      const { status, body } = await stack.call("GET", `/api/v1/images/${path}`);
      expect([status, body.code]).toEqual([401, "MISSING_TOKEN"]);
    }
  });
});

test("when the database fails in a way that nobody foresaw, the answer says what failed and no more", async () => {
  const id = ids.plain;
  await stack.db`ALTER TABLE images RENAME TO images_away`;
  try {
    const failures = [
      ["GET", "public", "list public images"],
      ["GET", `public/${id}`, "get public image"],
      ["GET", `${id}/icon`, "get image icon"],
      ["GET", "user", "list user images"],
      ["POST", `import/${id}`, "import image"],
      ["POST", `purchase/${id}`, "purchase image"],
    ] as const;
    for (const [method, path, action] of failures) {
      const { status, body } = await ask(method, path);
      expect([status, body]).toEqual([
        500,
        {
          statusCode: 500,
          error: "Internal Server Error",
          message: `Failed to ${action}`,
          code: "INTERNAL_ERROR",
        },
      ]);
    }
    expect((await ask("POST", `rate/${id}`, { rating: 5 })).body.message).toBe("Failed to rate image");
  } finally {
    await stack.db`ALTER TABLE images_away RENAME TO images`;
  }
  expect((await ask("GET", `public/${id}`)).status).toBe(200);
});
