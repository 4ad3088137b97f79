import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { newId } from "../../../../../actors/platform/ids.ts";
import { type SharedStack, sharedStack } from "../../../../harness/shared-stack.ts";
import { balanceOf, chargesOf } from "../../market/stock.ts";
import { tenant } from "../container/hosting.ts";
import { asker, inCatalogue } from "./catalogue.ts";

let stack: SharedStack;
beforeAll(async () => {
  stack = await sharedStack();
});
afterAll(() => stack.stop());

const buyer = async (balance?: string) => {
  const user = await stack.user(balance === undefined ? {} : { balance });
  return { user, ask: asker(stack, user) };
};
const eventsOf = async (userId: string) => {
  const rows = await stack.db<{ event_type: string; resource_id: string; data: object }[]>`
    SELECT event_type, resource_id, data FROM events
    WHERE user_id = ${userId} AND resource_type = 'activity_log' ORDER BY created_at, id`;
  return [...rows];
};
const NOT_IMPORTABLE = "Image is not free or already imported";

describe("importing", () => {
  test("a free image makes it the user's, and is told in their log", async () => {
    const { user, ask } = await buyer();
    const id = await inCatalogue(stack, { alias: "import-1" });
    const { status, body } = await ask("POST", `import/${id}`);
    expect([status, body.data]).toEqual([200, {}]);
    const list = await ask("GET", "user");
    expect(list.body.data.pagination).toEqual({
      total: 1,
      page: 1,
      limit: 20,
      totalPages: 1,
      next_cursor: null,
    });
    expect(list.body.data.images[0]).toMatchObject({
      id,
      alias: "import-1",
      price: 0,
      source: "imported",
      has_rated: false,
      user_rating: null,
    });
    expect(list.body.data.images[0]).not.toHaveProperty("serial");
    expect(await eventsOf(user.id)).toEqual([
      { event_type: "activity_log.image_imported", resource_id: id, data: { alias: "import-1" } },
    ]);
  });

  test("what is priced, or imported already, is refused", async () => {
    const { ask } = await buyer("100.00");
    const priced = await inCatalogue(stack, { price: "0.01" });
    const refused = await ask("POST", `import/${priced}`);
    expect([refused.status, refused.body.code, refused.body.message]).toEqual([
      400,
      "IMAGE_NOT_FREE",
      NOT_IMPORTABLE,
    ]);
    const free = await inCatalogue(stack);
    await ask("POST", `import/${free}`);
    const again = await ask("POST", `import/${free}`);
    expect([again.status, again.body.code, again.body.message]).toEqual([
      400,
      "IMAGE_ALREADY_OWNED",
      NOT_IMPORTABLE,
    ]);
    await ask("POST", `purchase/${priced}`);
    expect((await ask("POST", `import/${priced}`)).body.message).toBe(NOT_IMPORTABLE);
  });

  test("once, by ten at once; under one key the answer is the same", async () => {
    const { user, ask } = await buyer();
    const id = await inCatalogue(stack);
    const answers = await Promise.all(Array.from({ length: 10 }, () => ask("POST", `import/${id}`)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ body }) => body.code === "IMAGE_ALREADY_OWNED")).toHaveLength(9);
    const other = await inCatalogue(stack);
    const hasClientKey = await Promise.all(
      Array.from({ length: 5 }, () =>
        ask("POST", `import/${other}`, undefined, { "idempotency-key": "one" }),
      ),
    );
    expect(hasClientKey.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    expect(await eventsOf(user.id)).toHaveLength(2);
  });
});

describe("purchasing", () => {
  test("debits the price, and answers it and what is left as numbers", async () => {
    const { user, ask } = await buyer("20.00");
    const id = await inCatalogue(stack, { alias: "purchase-1", price: "5.25" });
    const { status, body } = await ask("POST", `purchase/${id}`);
    expect([status, body.data]).toEqual([200, { price_paid: 5.25, remaining_balance: 14.75 }]);
    expect(await chargesOf(stack, user)).toEqual([
      { transaction_type: "image_purchase", amount_cents: 525n },
    ]);
    const [event] = await eventsOf(user.id);
    expect(event).toMatchObject({
      event_type: "activity_log.image_purchased",
      resource_id: id,
      data: { alias: "purchase-1", price: "5.25" },
    });
    const { body: list } = await ask("GET", "user");
    expect(list.data.images[0]).toMatchObject({ id, source: "purchased", price: 5.25 });
  });

  test("is charged once by twenty at once, and the others hear that it is owned", async () => {
    const { user, ask } = await buyer("100.00");
    const id = await inCatalogue(stack, { price: "5" });
    const answers = await Promise.all(Array.from({ length: 20 }, () => ask("POST", `purchase/${id}`)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(
      answers.filter(({ status, body }) => status === 400 && body.code === "IMAGE_ALREADY_OWNED"),
    ).toHaveLength(19);
    expect(await balanceOf(stack, user)).toBe("95.00");
  });

  test("that comes again with its key answers the same and charges nothing, even at another price", async () => {
    const { user, ask } = await buyer("100.00");
    const id = await inCatalogue(stack, { price: "5" });
    const key = { "idempotency-key": "purchase" };
    const many = await Promise.all(
      Array.from({ length: 5 }, () => ask("POST", `purchase/${id}`, undefined, key)),
    );
    await stack.actors.image(id).update({ price: "9", public: false });
    many.push(await ask("POST", `purchase/${id}`, undefined, key));
    for (const { status, body } of many)
      expect([status, body.data]).toEqual([200, { price_paid: 5, remaining_balance: 95 }]);
    expect(await balanceOf(stack, user)).toBe("95.00");
    const other = await inCatalogue(stack, { price: "5" });
    const reused = await ask("POST", `purchase/${other}`, undefined, key);
    expect([reused.status, reused.body.code]).toEqual([409, "IDEMPOTENCY_KEY_REUSED"]);
  });

  test("of two images with money for one buys one of them", async () => {
    const { user, ask } = await buyer("7.00");
    const both = [await inCatalogue(stack, { price: "5" }), await inCatalogue(stack, { price: "5" })];
    const answers = await Promise.all(both.map((id) => ask("POST", `purchase/${id}`)));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 400]);
    expect(answers.find(({ status }) => status === 400)?.body.code).toBe("INSUFFICIENT_BALANCE");
    expect(await balanceOf(stack, user)).toBe("2.00");
    expect((await ask("GET", "user")).body.data.pagination.total).toBe(1);
  });

  test("without the money is refused, leaves nothing behind, and works when there is money", async () => {
    const { user, ask } = await buyer("4.99");
    const id = await inCatalogue(stack, { price: "5" });
    const refused = await ask("POST", `purchase/${id}`);
    expect([refused.status, refused.body.code]).toEqual([400, "INSUFFICIENT_BALANCE"]);
    expect((await ask("GET", "user")).body.data.images).toEqual([]);
    await stack.actors.wallet(user.id).credit({ amount: "0.01", reason: "more", idempotency_key: "more" });
    const { body } = await ask("POST", `purchase/${id}`);
    expect(body.data).toEqual({ price_paid: 5, remaining_balance: 0 });
  });

  test("costs what the image says at that moment, and never more than was shown", async () => {
    const { user, ask } = await buyer("100.00");
    const id = await inCatalogue(stack, { price: "5" });
    const library = stack.actors.image_library(user.id);
    const refused = await library.purchase({ image_id: id, max_price_cents: 499 }).catch((error) => error);
    expect([refused.code, refused.data]).toEqual(["CHARGE_EXCEEDS_MAX", { total_cents: 500 }]);
    expect(await balanceOf(stack, user)).toBe("100.00");
    const { value } = await library.purchase({ image_id: id, max_price_cents: 600 });
    expect(value).toEqual({ price_cents: 500, general_balance: "95.00" });
    const owned = await ask("POST", `purchase/${id}`);
    expect([owned.status, owned.body.code]).toEqual([400, "IMAGE_ALREADY_OWNED"]);
  });

  test("while an operator goes on changing the price, nobody pays anything but a price that there was", async () => {
    const id = await inCatalogue(stack, { price: "5" });
    const users = await Promise.all(Array.from({ length: 8 }, () => buyer("100.00")));
    let over = false;
    const changing = (async () => {
      for (let i = 0; !over; i++) await stack.actors.image(id).update({ price: i % 2 === 0 ? "9" : "5" });
    })();
    const answers = await Promise.all(users.map(({ ask }) => ask("POST", `purchase/${id}`)));
    over = true;
    await changing;
    for (const [i, { status, body }] of answers.entries()) {
      const balance = Number(await balanceOf(stack, (users[i] as (typeof users)[0]).user));
      if (status === 200) {
        expect([5, 9]).toContain(body.data.price_paid);
        expect([body.data.remaining_balance, balance]).toEqual([balance, 100 - body.data.price_paid]);
      } else expect([body.code, balance]).toEqual(["CHARGE_EXCEEDS_MAX", 100]);
    }
  });

  test("of a free image costs nothing", async () => {
    const { user, ask } = await buyer("3.00");
    const id = await inCatalogue(stack);
    const { body } = await ask("POST", `purchase/${id}`);
    expect(body.data).toEqual({ price_paid: 0, remaining_balance: 3 });
    expect(await chargesOf(stack, user)).toEqual([]);
  });
});

describe("the user's list", () => {
  test("is the user's own, by when they got each image, page by page, with their ratings", async () => {
    const { ask } = await buyer();
    const other = await buyer();
    const ids = [await inCatalogue(stack), await inCatalogue(stack), await inCatalogue(stack)];
    for (const id of ids) await ask("POST", `import/${id}`);
    await ask("POST", `rate/${ids[1]}`, { rating: 4.5 });
    await other.ask("POST", `rate/${ids[1]}`, { rating: 1 });
    const page = async (query: string) => {
      const { body } = await ask("GET", `user${query}`);
      return body.data.images.map(({ id }: { id: string }) => id);
    };
    expect(await page("")).toEqual(ids.toReversed());
    expect(await page("?sort_by=created_at&sort_order=asc")).toEqual(ids);
    expect(await page("?limit=2&page=2")).toEqual([ids[0]]);
    const { body } = await ask("GET", "user");
    expect(body.data.images.map((image: { user_rating: number }) => image.user_rating)).toEqual([
      null,
      4.5,
      null,
    ]);
    expect(body.data.images[1]).toMatchObject({ has_rated: true, average_rating: 2.75, rating_count: 2 });
    expect((await other.ask("GET", "user")).body.data.images).toEqual([]);
    for (const query of ["?sort_by=alias", "?limit=0", "?page=0", "?os=debian"])
      expect((await ask("GET", `user${query}`)).status).toBe(400);
    expect((await ask("GET", "user?limit=1000")).body.data.pagination.limit).toBe(100);
  });

  test("keeps what has left the catalogue, and so do the user's containers", async () => {
    const { user, create } = await tenant(stack, "library-1");
    const ask = asker(stack, user);
    await stack.actors.wallet(user.id).credit({ amount: "10", reason: "test", idempotency_key: "library" });
    const [priced, free, never] = [
      await inCatalogue(stack, { price: "5", command: ["/bin/sleep", "1"] }),
      await inCatalogue(stack),
      await inCatalogue(stack, { price: "5" }),
    ];
    expect((await create("a", { image_id: priced })).body.code).toBe("IMAGE_NOT_FOUND");
    await ask("POST", `purchase/${priced}`);
    await ask("POST", `import/${free}`);
    expect((await create("a", { image_id: priced })).body.data.image_id).toBe(priced);
    await stack.actors.image(priced).update({ public: false });
    await stack.actors.image(free).delete({});
    await stack.actors.image(never).delete({});
    const { body } = await ask("GET", "user");
    expect(body.data.images.map(({ id }: { id: string }) => id)).toEqual([free, priced]);
    expect((await create("b", { image_id: priced })).status).toBe(201);
    expect((await create("c", { image_id: free })).status).toBe(201);
    expect((await create("d", { image_id: never })).body.code).toBe("IMAGE_NOT_FOUND");
    expect((await ask("POST", `rate/${free}`, { rating: 3 })).status).toBe(200);
  });
});

describe("an image of the catalogue, named by its reference", () => {
  const digest = `sha256:${"a".repeat(64)}`;
  const run = async (create: Awaited<ReturnType<typeof tenant>>["create"], name: string, image: string) => {
    const { status, body } = await create(name, { image });
    return status === 201 ? status : [status, body.code, body.message];
  };

  test("needs what its entry needs: a purchase, and to be public", async () => {
    const { user, create } = await tenant(stack, "library-2");
    await stack.actors.wallet(user.id).credit({ amount: "10", reason: "test", idempotency_key: "reference" });
    const sold = await inCatalogue(stack, { price: "5", reference: "shop.example/desktop:13" });
    await inCatalogue(stack, { public: false, reference: "shop.example/secret:1" });
    await inCatalogue(stack, { reference: "shop.example/free:1" });
    const hint = "Image not found: the catalogue has it; purchase or import it there, then use its image_id";
    for (const image of ["shop.example/desktop:13", `shop.example/desktop@${digest}`])
      expect(await run(create, "sold", image)).toEqual([404, "IMAGE_NOT_FOUND", hint]);
    for (const image of ["shop.example/secret:1", `shop.example/secret:1@${digest}`])
      expect(await run(create, "secret", image)).toEqual([404, "IMAGE_NOT_FOUND", "Image not found"]);
    expect(await run(create, "free", "shop.example/free:1")).toBe(201);
    // A tag may name the image that an entry names by its digest.
    await inCatalogue(stack, { price: "5", reference: `shop.example/pinned:1@${digest}` });
    await inCatalogue(stack, { price: "5", reference: `shop.example/digest@${digest}` });
    for (const image of ["shop.example/pinned:1", "shop.example/digest:1"])
      expect(await run(create, "pinned", image)).toEqual([404, "IMAGE_NOT_FOUND", hint]);
    // Another tag of a repository is another image.
    expect(await run(create, "other", "shop.example/desktop:14")).toBe(201);
    await asker(stack, user)("POST", `purchase/${sold}`);
    expect(await run(create, "bought", "shop.example/desktop:13")).toBe(201);
  });
});

describe("an image that is private, deleted or nowhere", () => {
  test("can be neither imported, nor purchased, nor rated, and all three answer the same", async () => {
    const { ask } = await buyer("100.00");
    const [hidden, gone] = [
      await inCatalogue(stack, { public: false, price: "5" }),
      await inCatalogue(stack),
    ];
    await stack.actors.image(gone).delete({});
    for (const id of [hidden, gone, newId()]) {
      const answers = [
        await ask("POST", `import/${id}`),
        await ask("POST", `purchase/${id}`),
        await ask("POST", `rate/${id}`, { rating: 5 }),
      ];
      for (const { status, body } of answers)
        expect([status, body.code, body.message]).toEqual([404, "IMAGE_NOT_FOUND", "Image not found"]);
    }
  });

  test("that leaves while somebody gets it is not got", async () => {
    const { user, ask } = await buyer("100.00");
    const id = await inCatalogue(stack, { price: "5", public: false });
    const refused = await stack.actors
      .image_library(user.id)
      .purchase({ image_id: id, max_price_cents: 500 })
      .catch((error) => error);
    expect(refused.code).toBe("IMAGE_NOT_FOUND");
    await stack.actors.image(id).update({ public: true });
    expect((await ask("POST", `purchase/${id}`)).status).toBe(200);
  });
});

test("an API token needs wallet.spend to purchase, and resources.write for the rest", async () => {
  const { user } = await buyer("100.00");
  const tokenWith = async (...permissions: string[]) => {
    const { body } = await stack.call("POST", "/api/v1/auth/tokens", {
      token: user.token,
      body: { name: "t", permissions },
    });
    return body.data.token as string;
  };
  const [reader, writer, spender] = [
    await tokenWith("resources.read"),
    await tokenWith("resources.write"),
    await tokenWith("wallet.spend"),
  ];
  const [free, priced] = [await inCatalogue(stack), await inCatalogue(stack, { price: "5" })];
  const status = async (token: string, method: string, path: string, body?: object) =>
    (await stack.call(method, `/api/v1/images/${path}`, { token, ...(body === undefined ? {} : { body }) }))
      .status;
  expect(await status(reader, "GET", "public")).toBe(200);
  expect(await status(reader, "GET", `${free}/icon`)).toBe(200);
  expect(await status(reader, "POST", `import/${free}`)).toBe(403);
  expect(await status(writer, "POST", `purchase/${priced}`)).toBe(403);
  expect(await status(writer, "POST", `import/${free}`)).toBe(200);
  expect(await status(writer, "POST", `rate/${free}`, { rating: 1 })).toBe(200);
  expect(await status(spender, "POST", `purchase/${priced}`)).toBe(200);
});
