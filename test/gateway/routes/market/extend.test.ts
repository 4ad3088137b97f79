import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { newId } from "../../../../actors/platform/ids.ts";
import { type SharedStack, sharedStack } from "../../../harness/shared-stack.ts";
import { balanceOf, chargesOf, extend, inStock, rented } from "./stock.ts";

let stack: SharedStack;
beforeAll(async () => {
  stack = await sharedStack();
});
afterAll(() => stack.stop());

const DAY_MS = 86_400_000;

describe("extending a rental", () => {
  test("moves its end by the days, for the price without the setup fee", async () => {
    const user = await stack.user({ balance: "100.00" });
    const { rental } = await rented(stack, user, "extend-1", { setup_fee_cents: 1_000 });
    const { status, body } = await extend(stack, user, rental.id, {
      expected_rental_end: rental.rental_end,
      additional_days: 30,
    });
    expect(status).toBe(200);
    expect(body.data.charged_cents).toBe(2_500);
    expect(Date.parse(body.data.rental_end) - Date.parse(rental.rental_end)).toBe(30 * DAY_MS);
    expect(await balanceOf(stack, user)).toBe("58.00");
  });

  test("is applied once to the end that was read, however often it is tried", async () => {
    const user = await stack.user({ balance: "100.00" });
    const { rental } = await rented(stack, user, "extend-2");
    const answers = await Promise.all(
      Array.from({ length: 20 }, () =>
        extend(stack, user, rental.id, { expected_rental_end: rental.rental_end, additional_days: 7 }),
      ),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ body }) => body.code === "EXTENSION_ALREADY_APPLIED")).toHaveLength(19);
    expect(await chargesOf(stack, user)).toEqual([
      { transaction_type: "rental", amount_cents: 700n },
      { transaction_type: "rental_extension", amount_cents: 700n },
    ]);
  });

  test("costs what was promised when the price rose since, and less when it fell", async () => {
    const user = await stack.user({ balance: "100.00" });
    const { serverId, rental } = await rented(stack, user, "extend-3");
    await stack.actors.server(serverId).update({ prices: { "7": 900, "30": 1_000 } });
    const dearer = await extend(stack, user, rental.id, {
      expected_rental_end: rental.rental_end,
      additional_days: 7,
    });
    expect(dearer.body.data.charged_cents).toBe(700);
    const cheaper = await extend(stack, user, rental.id, {
      expected_rental_end: dearer.body.data.rental_end,
      additional_days: 30,
    });
    expect(cheaper.body.data.charged_cents).toBe(1_000);
    expect(cheaper.body.data.renewal_prices).toEqual({ "7": 700, "30": 2_500 });
  });

  test("of a rental without a promised price needs to hear what may be charged", async () => {
    const user = await stack.user({ balance: "100.00" });
    const server = await inStock(stack, "extend-4");
    const rentalId = newId();
    await stack.actors.server(server).hand_over({
      rental_id: rentalId,
      user_id: user.id,
      rental_end: new Date(Date.now() + DAY_MS).toISOString(),
    });
    const { body: read } = await stack.call("GET", `/api/v1/rentals/${rentalId}`, { token: user.token });
    const ask = { expected_rental_end: read.data.rental_end, additional_days: 7 };
    const refused = await extend(stack, user, rentalId, ask);
    expect(refused.status).toBe(409);
    expect(refused.body).toMatchObject({ code: "CHARGE_CONFIRMATION_REQUIRED", data: { total_cents: 700 } });
    const tooLittle = await extend(stack, user, rentalId, { ...ask, max_charge_cents: 699 });
    expect(tooLittle.body.code).toBe("CHARGE_EXCEEDS_MAX");
    const done = await extend(stack, user, rentalId, { ...ask, max_charge_cents: 700 });
    expect(done.status).toBe(200);
  });

  test("is refused where a promised price is above what may be charged", async () => {
    const user = await stack.user({ balance: "100.00" });
    const { rental } = await rented(stack, user, "extend-5");
    const { status, body } = await extend(stack, user, rental.id, {
      expected_rental_end: rental.rental_end,
      additional_days: 7,
      max_charge_cents: 699,
    });
    expect(status).toBe(409);
    expect(body.code).toBe("CHARGE_EXCEEDS_MAX");
  });

  test("that cannot be paid changes nothing and can be tried again", async () => {
    const user = await stack.user({ balance: "10.00" });
    const { rental } = await rented(stack, user, "extend-6");
    const ask = { expected_rental_end: rental.rental_end, additional_days: 7 };
    const refused = await extend(stack, user, rental.id, ask);
    expect(refused.status).toBe(400);
    expect(refused.body.code).toBe("INSUFFICIENT_BALANCE");
    await stack.actors.wallet(user.id).credit({ amount: "10.00", reason: "test", idempotency_key: "more" });
    expect((await extend(stack, user, rental.id, ask)).status).toBe(200);
    expect(await balanceOf(stack, user)).toBe("6.00");
  });

  test("names what is wrong with what was asked", async () => {
    const user = await stack.user({ balance: "100.00" });
    const { rental } = await rented(stack, user, "extend-7");
    const at = rental.rental_end;
    for (const [body, field] of [
      [{ expected_rental_end: at, additional_days: 8, max_charge_cents: 9_999 }, "body.additional_days"],
      [{ expected_rental_end: at, additional_days: 3_651 }, "body.additional_days"],
      [{ expected_rental_end: "soon", additional_days: 7 }, "body.expected_rental_end"],
      [{ additional_days: 7 }, "body.expected_rental_end"],
    ] as const) {
      const answer = await extend(stack, user, rental.id, body);
      expect([answer.status, answer.body.code]).toEqual([400, "VALIDATION_ERROR"]);
      expect(answer.body.message).toContain(field);
    }
  });

  test("of another user's rental answers as if there were none", async () => {
    const [owner, other] = [await stack.user({ balance: "100.00" }), await stack.user({ balance: "100.00" })];
    const { rental } = await rented(stack, owner, "extend-8");
    const ask = { expected_rental_end: rental.rental_end, additional_days: 7 };
    const [theirs, none] = [
      await extend(stack, other, rental.id, ask),
      await extend(stack, other, "0".repeat(24), ask),
    ];
    expect(theirs.status).toBe(404);
    expect({ ...theirs.body }).toEqual({ ...none.body });
    const read = await stack.call("GET", `/api/v1/rentals/${rental.id}`, { token: other.token });
    expect(read.status).toBe(404);
  });
});
