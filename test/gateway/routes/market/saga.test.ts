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

const DAY_MS = 86_400_000;

async function switchOn(rentalId: string): Promise<void> {
  const answer = await retryUntilAvailable(() =>
    stack.call("PUT", `/api/v1/rentals/${rentalId}/auto-extension`, {
      token: user.token,
      body: { additional_days: 7, max_charge_cents: 700 },
    }),
  );
  expect(answer.status).toBe(200);
}

/** As if no host had run until so long before the rental's end. */
async function moveEnd(rentalId: string, before: string): Promise<void> {
  await stack.db`UPDATE rentals SET rental_end = now() + ${before}::interval WHERE id = ${rentalId}`;
  await host.replace();
}

async function endOf(rentalId: string): Promise<number> {
  const [row] = await stack.db<{ rental_end: Date }[]>`SELECT rental_end FROM rentals WHERE id = ${rentalId}`;
  return row?.rental_end.getTime() ?? 0;
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

  test.each(["wallets", "rentals"])(
    "before the commit to %s of an extension by itself is extended once, and paid for once",
    async (table) => {
      const { rental } = await rented(stack, user, `saga-auto-${table}`);
      const before = (await chargesOf(stack, user)).length;
      await switchOn(rental.id);
      await moveEnd(rental.id, "1 hour");
      await host.dieBefore(table, () =>
        until(() =>
          stack.actors
            .rental(rental.id)
            .extend_automatically({})
            .then(
              () => true,
              () => false,
            ),
        ),
      );
      await until(async () => (await endOf(rental.id)) > Date.now() + DAY_MS);
      await host.replace();
      expect(await endOf(rental.id)).toBeLessThan(Date.now() + 8 * DAY_MS);
      expect(await chargesOf(stack, user)).toHaveLength(before + 1);
    },
  );

  test("for all of the time in which it should have extended itself is extended when the next one runs", async () => {
    const { rental } = await rented(stack, user, "saga-auto-late");
    await switchOn(rental.id);
    const before = (await chargesOf(stack, user)).length;
    await moveEnd(rental.id, "-1 hour");
    await until(async () => (await endOf(rental.id)) > Date.now());
    const { body } = await stack.call("GET", `/api/v1/rentals/${rental.id}`, { token: user.token });
    expect(body.data.status).toBe("active");
    expect(await chargesOf(stack, user)).toHaveLength(before + 1);
  });
});
