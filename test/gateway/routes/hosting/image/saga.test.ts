import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { type MortalHost, mortalHost } from "../../../../harness/killable-host.ts";
import { type Stack, startStack, type TestUser } from "../../../../harness/stack.ts";
import { until } from "../../../../harness/until.ts";
import { balanceOf, chargesOf } from "../../market/stock.ts";
import { asker, inCatalogue } from "./catalogue.ts";

let stack: Stack;
let host: MortalHost;
beforeAll(async () => {
  stack = await startStack();
  host = mortalHost(stack);
});
afterAll(() => stack.stop());

/** Asks until there is an answer that tells how it ended. */
const retryUntilAvailable = (ask: () => ReturnType<ReturnType<typeof asker>>) =>
  until(async () => {
    const answer = await ask();
    return answer.status === 503 ? undefined : answer;
  });

const tasksOf = async (user: TestUser) => {
  const [row] = await stack.db<{ count: number }[]>`
    SELECT count(*)::int AS count FROM tasks WHERE actor_id = ${user.id}`;
  return row?.count ?? 0;
};

describe("when the actor host dies", () => {
  test.each(["image_libraries", "wallets", "owned_images"])(
    "before the commit to %s, a purchase is made and charged once",
    async (table) => {
      const user = await stack.user({ balance: "50.00" });
      const ask = asker(stack, user);
      const id = await inCatalogue(stack, { price: "5" });
      const key = { "idempotency-key": `saga-${table}` };
      let answer: Awaited<ReturnType<typeof retryUntilAvailable>> | undefined;
      await host.dieBefore(table, async () => {
        answer = await retryUntilAvailable(() => ask("POST", `purchase/${id}`, undefined, key));
      });
      expect(answer?.body.data).toEqual({ price_paid: 5, remaining_balance: 45 });
      expect(await chargesOf(stack, user)).toEqual([
        { transaction_type: "image_purchase", amount_cents: 500n },
      ]);
      expect(await balanceOf(stack, user)).toBe("45.00");
      expect((await ask("GET", "user")).body.data.pagination.total).toBe(1);
      await until(async () => (await tasksOf(user)) === 0);
    },
  );

  test("before an image learns of a rating, it counts once", async () => {
    const ask = asker(stack, await stack.user());
    const id = await inCatalogue(stack);
    const key = { "idempotency-key": "saga-rate" };
    let answer: Awaited<ReturnType<typeof retryUntilAvailable>> | undefined;
    await host.dieBefore("images", async () => {
      answer = await retryUntilAvailable(() => ask("POST", `rate/${id}`, { rating: 4 }, key));
    });
    expect(answer?.body.data).toEqual({ new_rating: 4, average_rating: 4, rating_count: 1 });
  });
});
