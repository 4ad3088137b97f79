import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { type MortalHost, mortalHost } from "../../../harness/killable-host.ts";
import { type Stack, startStack, type TestUser } from "../../../harness/stack.ts";
import { until } from "../../../harness/until.ts";
import { chargesOf, extend, inStock, rent, rented } from "./stock.ts";

let stack: Stack;
let user: TestUser;
let host: MortalHost;
beforeAll(async () => {
  stack = await startStack();
  user = await stack.user({ balance: "1000.00" });
  host = mortalHost(stack);
});
afterAll(() => stack.stop());

/** Asks under one key until there is an answer that tells how it ended. */
async function retryUntilAvailable(ask: () => ReturnType<typeof rent>) {
  return until(async () => {
    const answer = await ask();
    return answer.status === 503 ? undefined : answer;
  });
}

describe("a rental whose actor host dies", () => {
  test.each(["wallets", "rentals"])(
    "before the commit to %s is made once, and paid for once",
    async (table) => {
      const server = await inStock(stack, `saga-${table}`);
      const before = (await chargesOf(stack, user)).length;
      let answer: Awaited<ReturnType<typeof rent>> | undefined;
      await host.dieBefore(table, async () => {
        answer = await retryUntilAvailable(() =>
          rent(
            stack,
            user,
            server,
            { rental_days: 7, max_charge_cents: 700 },
            { "idempotency-key": `saga-${table}` },
          ),
        );
      });
      expect(answer?.status).toBe(201);
      expect(await chargesOf(stack, user)).toHaveLength(before + 1);
      const rentals = await stack.db`SELECT id FROM rentals WHERE server_id = ${server}`;
      expect(rentals.map(({ id }) => id)).toEqual([answer?.body.data.id]);
    },
  );

  test("before its extension is paid for is extended once", async () => {
    const { rental } = await rented(stack, user, "saga-extend");
    const before = (await chargesOf(stack, user)).length;
    const ask = { expected_rental_end: rental.rental_end, additional_days: 7 };
    await host.dieBefore("wallets", () => retryUntilAvailable(() => extend(stack, user, rental.id, ask)));
    const end = async () => {
      const { body } = await stack.call("GET", `/api/v1/rentals/${rental.id}`, { token: user.token });
      return Date.parse(body.data.rental_end) - Date.parse(rental.rental_end);
    };
    await until(async () => (await end()) > 0);
    await host.replace();
    expect(await end()).toBe(7 * 86_400_000);
    expect(await chargesOf(stack, user)).toHaveLength(before + 1);
    const again = await retryUntilAvailable(() => extend(stack, user, rental.id, ask));
    expect(again.body.code).toBe("EXTENSION_ALREADY_APPLIED");
  });
});
