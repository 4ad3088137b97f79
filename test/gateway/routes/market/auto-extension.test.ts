import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { newId } from "../../../../actors/platform/ids.ts";
import { type SharedStack, sharedStack } from "../../../harness/shared-stack.ts";
import type { TestUser } from "../../../harness/stack-client.ts";
import { until } from "../../../harness/until.ts";
import { balanceOf, chargesOf, inStock, rented } from "./stock.ts";

let stack: SharedStack;
beforeAll(async () => {
  stack = await sharedStack();
});
afterAll(() => stack.stop());

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

const switchOn = (user: TestUser, rentalId: string, body: object) =>
  stack.call("PUT", `/api/v1/rentals/${rentalId}/auto-extension`, { token: user.token, body });
const switchOff = (user: TestUser, rentalId: string) =>
  stack.call("DELETE", `/api/v1/rentals/${rentalId}/auto-extension`, { token: user.token });
const read = async (user: TestUser, rentalId: string) =>
  (await stack.call("GET", `/api/v1/rentals/${rentalId}`, { token: user.token })).body.data;

/** A rental that ends in an hour: it is time to extend it. 7 days cost 7.00. */
async function endingSoon(user: TestUser, name: string) {
  const serverId = await inStock(stack, name);
  const rentalId = newId();
  const rental_end = new Date(Date.now() + HOUR_MS).toISOString();
  await stack.actors
    .server(serverId)
    .hand_over({ rental_id: rentalId, user_id: user.id, rental_end, frozen_prices: { "7": 700 } });
  return { serverId, rentalId, rental_end };
}

const notices = async (user: TestUser) => {
  const { body } = await stack.call("GET", "/api/v1/notifications/", { token: user.token });
  return body.data.notifications as { title: string; body: string; level: string }[];
};

describe("a rental that extends itself", () => {
  test("says what it will cost and when, and charges nothing before", async () => {
    const user = await stack.user({ balance: "100.00" });
    const { rental } = await rented(stack, user, "auto-1");
    expect(rental.auto_extension).toBeNull();
    const { status, body } = await switchOn(user, rental.id, {
      additional_days: 30,
      max_charge_cents: 3_000,
    });
    expect(status).toBe(200);
    const auto_extension = {
      additional_days: 30,
      max_charge_cents: 3_000,
      price_cents: 2_500,
      next_at: new Date(Date.parse(rental.rental_end) - DAY_MS).toISOString(),
      last_failure: null,
    };
    expect(body.data.auto_extension).toEqual(auto_extension);
    const list = await stack.call("GET", "/api/v1/rentals", { token: user.token });
    expect(list.body.data[0].auto_extension).toEqual(auto_extension);
    expect(await chargesOf(stack, user)).toHaveLength(1);
  });

  test("is extended when its time has come, for one charge, and goes on from its new end", async () => {
    const user = await stack.user({ balance: "100.00" });
    const { rentalId, rental_end } = await endingSoon(user, "auto-2");
    await switchOn(user, rentalId, { additional_days: 7, max_charge_cents: 700 });
    const extended = await until(async () => {
      const now = await read(user, rentalId);
      return now.rental_end === rental_end ? undefined : now;
    });
    expect(Date.parse(extended.rental_end) - Date.parse(rental_end)).toBe(7 * DAY_MS);
    expect(Date.parse(extended.rental_end) - Date.parse(extended.auto_extension.next_at)).toBe(DAY_MS);
    expect(await balanceOf(stack, user)).toBe("93.00");
    const notice = await until(async () =>
      (await notices(user)).find(({ title }) => title.includes("auto-2")),
    );
    expect(notice).toMatchObject({ title: "auto-2 was extended by 7 days", level: "info" });
    expect(notice.body).toStartWith("$7.00 was charged.");
  });

  test("is extended once for each end, however often it is tried", async () => {
    const user = await stack.user({ balance: "100.00" });
    const { rentalId, rental_end } = await endingSoon(user, "auto-3");
    await switchOn(user, rentalId, { additional_days: 7, max_charge_cents: 700 });
    await Promise.all(
      Array.from({ length: 20 }, () => stack.actors.rental(rentalId).extend_automatically({})),
    );
    await until(async () => (await read(user, rentalId)).rental_end !== rental_end);
    await stack.actors.rental(rentalId).extend_automatically({});
    expect(await chargesOf(stack, user)).toEqual([
      { transaction_type: "rental_extension", amount_cents: 700n },
    ]);
    expect(Date.parse((await read(user, rentalId)).rental_end) - Date.parse(rental_end)).toBe(7 * DAY_MS);
  });

  test("that cannot be paid says so once, is tried again, and is extended once there is money", async () => {
    const user = await stack.user({ balance: "1.00" });
    const { rentalId, rental_end } = await endingSoon(user, "auto-4");
    await switchOn(user, rentalId, { additional_days: 7, max_charge_cents: 700 });
    const failed = await until(async () => {
      const now = await read(user, rentalId);
      return now.auto_extension.last_failure === null ? undefined : now;
    });
    expect(failed.auto_extension.last_failure).toMatchObject({
      code: "INSUFFICIENT_BALANCE",
      price_cents: 700,
    });
    const next = Date.parse(failed.auto_extension.next_at);
    expect(next).toBeGreaterThan(Date.parse(failed.auto_extension.last_failure.failed_at));
    expect(next).toBeLessThan(Date.parse(rental_end));
    const notice = await until(async () =>
      (await notices(user)).find(({ title }) => title.includes("auto-4")),
    );
    expect(notice).toMatchObject({ title: "auto-4 could not be extended", level: "warning" });
    expect(notice.body).toContain("It costs $7.00, and your balance is lower.");

    const failures = async () => {
      const rows =
        await stack.db`SELECT 1 FROM events WHERE user_id = ${user.id} AND data ? 'auto_extension_failed'`;
      return rows.length;
    };
    const { failed_at } = failed.auto_extension.last_failure;
    await stack.actors.rental(rentalId).extend_automatically({});
    await until(async () => (await read(user, rentalId)).auto_extension.last_failure.failed_at > failed_at);
    expect(await failures()).toBe(1);

    await stack.actors.wallet(user.id).credit({ amount: "9.00", reason: "test", idempotency_key: "more" });
    await stack.actors.rental(rentalId).extend_automatically({});
    const extended = await until(async () => {
      const now = await read(user, rentalId);
      return now.rental_end === rental_end ? undefined : now;
    });
    expect(extended.auto_extension.last_failure).toBeNull();
    expect(await balanceOf(stack, user)).toBe("3.00");
  });

  test("costs no more than its ceiling: a price that rose above it is not charged, and a notice says so", async () => {
    const user = await stack.user({ balance: "1.00" });
    const server = await inStock(stack, "auto-5");
    const rentalId = newId();
    const rental_end = new Date(Date.now() + HOUR_MS).toISOString();
    await stack.actors.server(server).hand_over({ rental_id: rentalId, user_id: user.id, rental_end });
    const refused = await switchOn(user, rentalId, { additional_days: 7, max_charge_cents: 699 });
    expect(refused.status).toBe(409);
    expect(refused.body).toMatchObject({ code: "CHARGE_EXCEEDS_MAX", data: { total_cents: 700 } });
    expect((await switchOn(user, rentalId, { additional_days: 7, max_charge_cents: 700 })).status).toBe(200);
    await until(async () => (await read(user, rentalId)).auto_extension.last_failure !== null);
    await stack.actors.wallet(user.id).credit({ amount: "9.00", reason: "test", idempotency_key: "more" });
    await stack.actors.rental(rentalId).reprice({ prices: { "7": 701 } });
    await stack.actors.rental(rentalId).extend_automatically({});
    const failed = await read(user, rentalId);
    expect(failed.auto_extension).toMatchObject({
      price_cents: 701,
      last_failure: { code: "CHARGE_EXCEEDS_MAX", price_cents: 701 },
    });
    expect(failed.rental_end).toBe(rental_end);
    expect(await balanceOf(stack, user)).toBe("10.00");
    await until(async () =>
      (await notices(user)).some(({ body }) =>
        body.includes("It costs $7.01 by now, and $7.00 are the most that you allow."),
      ),
    );
  });

  test("is switched off by its renter, and then ends as any other", async () => {
    const user = await stack.user({ balance: "100.00" });
    const { rental } = await rented(stack, user, "auto-6");
    await switchOn(user, rental.id, { additional_days: 7, max_charge_cents: 700 });
    const { status, body } = await switchOff(user, rental.id);
    expect([status, body.data.auto_extension]).toEqual([200, null]);
    expect((await switchOff(user, rental.id)).status).toBe(200);
    await stack.actors.rental(rental.id).extend_automatically({});
    expect((await read(user, rental.id)).rental_end).toBe(rental.rental_end);
    const timers =
      await stack.db`SELECT 1 FROM tasks WHERE actor_id = ${rental.id} AND name = 'auto-extension'`;
    expect(timers).toHaveLength(0);
  });

  test("is off when it was given up", async () => {
    const user = await stack.user({ balance: "100.00" });
    const { rental } = await rented(stack, user, "auto-7");
    await switchOn(user, rental.id, { additional_days: 7, max_charge_cents: 700 });
    const { body } = await stack.call("POST", `/api/v1/rentals/${rental.id}/end`, {
      token: user.token,
      body: { expected_rental_end: rental.rental_end },
    });
    expect(body.data).toMatchObject({ status: "ended", auto_extension: null });
    const again = await switchOn(user, rental.id, { additional_days: 7, max_charge_cents: 700 });
    expect([again.status, again.body.code]).toEqual([409, "RENTAL_ENDED"]);
  });

  test("is off once its renter's account is suspended, and stays off when that ends", async () => {
    const user = await stack.user({ balance: "100.00" });
    const { rental } = await rented(stack, user, "auto-8");
    await switchOn(user, rental.id, { additional_days: 7, max_charge_cents: 700 });
    await stack.actors.account(user.id).suspend({ reason: "test" });
    const isOff = async () => {
      const [row] = await stack.db`SELECT auto_extension FROM rentals WHERE id = ${rental.id}`;
      return row?.auto_extension === null;
    };
    await until(isOff);
    await stack.actors.account(user.id).restore({ reason: "test" });
    expect(await isOff()).toBe(true);
    const [event] = await stack.db<{ data: object }[]>`
      SELECT data FROM events WHERE user_id = ${user.id} AND data ->> 'reason' = 'account_suspended'`;
    expect(event?.data).toMatchObject({ auto_extension: null, rental_id: rental.id });
  });

  test("names what is wrong with what was asked", async () => {
    const user = await stack.user({ balance: "100.00" });
    const { rental } = await rented(stack, user, "auto-9");
    for (const [body, field] of [
      [{ additional_days: 8, max_charge_cents: 9_999 }, "body.additional_days"],
      [{ max_charge_cents: 9_999 }, "body.additional_days"],
      [{ additional_days: 7 }, "body.max_charge_cents"],
      [{ additional_days: 7, max_charge_cents: 7.5 }, "body.max_charge_cents"],
    ] as const) {
      const answer = await switchOn(user, rental.id, body);
      expect([answer.status, answer.body.code]).toEqual([400, "VALIDATION_ERROR"]);
      expect(answer.body.message).toContain(field);
    }
  });

  test("of another user answers as if there were none", async () => {
    const [owner, other] = [await stack.user({ balance: "100.00" }), await stack.user()];
    const { rental } = await rented(stack, owner, "auto-10");
    const body = { additional_days: 7, max_charge_cents: 700 };
    expect((await switchOn(other, rental.id, body)).body.code).toBe("RENTAL_NOT_FOUND");
    expect((await switchOff(other, rental.id)).body.code).toBe("RENTAL_NOT_FOUND");
    expect((await read(owner, rental.id)).auto_extension).toBeNull();
  });

  test("reminds three days before its end what it will cost, and says nothing of an end", async () => {
    const user = await stack.user({ balance: "100.00" });
    const { rental } = await rented(stack, user, "auto-11");
    await switchOn(user, rental.id, { additional_days: 7, max_charge_cents: 700 });
    for (const days of [7, 3, 1]) await stack.actors.rental(rental.id).send_notice({ days });
    await until(async () => (await notices(user)).some(({ title }) => title.includes("auto-11")));
    const told = (await notices(user)).filter(({ title }) => title.includes("auto-11"));
    expect(told).toHaveLength(1);
    expect(told[0]).toMatchObject({ title: "auto-11 is extended in 3 days or sooner", level: "info" });
  });
});
