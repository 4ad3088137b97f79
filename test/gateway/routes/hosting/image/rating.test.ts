import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { newId } from "../../../../../actors/platform/ids.ts";
import { type SharedStack, sharedStack } from "../../../../harness/shared-stack.ts";
import { asker, inCatalogue } from "./catalogue.ts";

let stack: SharedStack;
beforeAll(async () => {
  stack = await sharedStack();
});
afterAll(() => stack.stop());

const rater = async () => asker(stack, await stack.user());
const sumsOf = async (id: string) => {
  const [row] = await stack.db<{ sum: number; count: number; own: number; owners: number }[]>`
    SELECT rating_sum::int AS sum, rating_count::int AS count,
      (SELECT sum(hundredths)::int FROM image_ratings WHERE image_id = i.id) AS own,
      (SELECT count(*)::int FROM image_ratings WHERE image_id = i.id) AS owners
    FROM images i WHERE id = ${id}`;
  return row;
};

describe("rating", () => {
  test("an image answers the rating and what all together think, which everybody then sees", async () => {
    const id = await inCatalogue(stack);
    const [one, two] = [await rater(), await rater()];
    const first = await one("POST", `rate/${id}`, { rating: 4 });
    expect([first.status, first.body.data]).toEqual([
      200,
      { new_rating: 4, average_rating: 4, rating_count: 1 },
    ]);
    const second = await two("POST", `rate/${id}`, { rating: 3.5 });
    expect(second.body.data).toEqual({ new_rating: 3.5, average_rating: 3.75, rating_count: 2 });
    const { body } = await one("GET", `public/${id}`);
    expect(body.data).toMatchObject({ average_rating: 3.75, rating_count: 2 });
  });

  test("again changes the user's rating and adds none", async () => {
    const id = await inCatalogue(stack);
    const ask = await rater();
    for (const rating of [5, 0, 2.25, 2.25]) {
      const { body } = await ask("POST", `rate/${id}`, { rating });
      expect(body.data).toEqual({ new_rating: rating, average_rating: rating, rating_count: 1 });
    }
    expect(await sumsOf(id)).toEqual({ sum: 225, count: 1, own: 225, owners: 1 });
  });

  test("needs no image of one's own, and says so in nobody's list but the owner's", async () => {
    const id = await inCatalogue(stack, { price: "5" });
    const ask = await rater();
    expect((await ask("POST", `rate/${id}`, { rating: 1 })).status).toBe(200);
    expect((await ask("GET", `public/${id}`)).body.data).not.toHaveProperty("user_rating");
    expect((await ask("GET", "user")).body.data.images).toEqual([]);
  });

  test("under a key that comes again answers the same, and counts once", async () => {
    const id = await inCatalogue(stack);
    const ask = await rater();
    const key = { "idempotency-key": "rate" };
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => ask("POST", `rate/${id}`, { rating: 4 }, key)),
    );
    for (const { body } of answers)
      expect(body.data).toEqual({ new_rating: 4, average_rating: 4, rating_count: 1 });
    expect((await ask("POST", `rate/${id}`, { rating: 3 }, key)).body.code).toBe("IDEMPOTENCY_KEY_REUSED");
  });

  test.each([
    [{ rating: 5.01 }, "body.rating"],
    [{ rating: -0.01 }, "body.rating"],
    [{ rating: 6 }, "body.rating"],
    [{ rating: "5" }, "body.rating"],
    [{ rating: null }, "body.rating"],
    [{}, "body.rating"],
    [{ rating: 5, stars: 5 }, "body.stars"],
  ])("%j is refused, and counts for nothing", async (body, field) => {
    const id = await inCatalogue(stack);
    const ask = await rater();
    const answer = await ask("POST", `rate/${id}`, body);
    expect([answer.status, answer.body.data.field]).toEqual([400, field]);
    expect((await sumsOf(id))?.count).toBe(0);
  });

  test.each([
    [0, 0],
    [5, 5],
    [4.999, 5],
    [2.71499, 2.71],
  ])("of %d counts as %d", async (rating, counted) => {
    const id = await inCatalogue(stack);
    const { body } = await (await rater())("POST", `rate/${id}`, { rating });
    expect(body.data).toEqual({ new_rating: counted, average_rating: counted, rating_count: 1 });
  });
});

describe("the average", () => {
  test("is that of a hundred users who rate at once, each of them twice", async () => {
    const id = await inCatalogue(stack);
    const users = Array.from({ length: 100 }, newId);
    const ratings = users.map((_, i) => (i * 7) % 501);
    await Promise.all(
      users.flatMap((user, i) => {
        const library = stack.actors.image_library(user);
        const hundredths = ratings[i] ?? 0;
        return [
          library.rate({ image_id: id, hundredths: 500 - hundredths }),
          library.rate({ image_id: id, hundredths }),
        ];
      }),
    );
    const rows = await stack.db<{ hundredths: number; counted: number; pending_saga: string | null }[]>`
      SELECT hundredths, counted, pending_saga FROM image_ratings WHERE image_id = ${id}`;
    for (const { hundredths, counted, pending_saga } of rows) {
      expect(counted).toBe(hundredths);
      expect(pending_saga).toBeNull();
    }
    const sums = await sumsOf(id);
    expect(sums).toEqual({ sum: sums?.own ?? -1, count: 100, own: sums?.own ?? -1, owners: 100 });
  });

  test("is that of one rating when a user sends sixty of them at once", async () => {
    const id = await inCatalogue(stack);
    const ask = await rater();
    const answers = await Promise.all(
      Array.from({ length: 60 }, (_, i) => ask("POST", `rate/${id}`, { rating: i % 6 })),
    );
    expect(answers.every(({ status, body }) => status === 200 && body.data.rating_count === 1)).toBe(true);
    const sums = await sumsOf(id);
    expect(sums).toEqual({ sum: sums?.own ?? -1, count: 1, own: sums?.own ?? -1, owners: 1 });
    const { body } = await ask("GET", `public/${id}`);
    expect(body.data).toMatchObject({ average_rating: (sums?.own ?? -1) / 100, rating_count: 1 });
  });
});
