import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { newId } from "../../../../actors/platform/ids.ts";
import { type SharedStack, sharedStack } from "../../../harness/shared-stack.ts";
import type { TestUser } from "../../../harness/stack-client.ts";
import { until } from "../../../harness/until.ts";
import { balanceOf, chargesOf, extend, inStock, rent } from "./stock.ts";

/** Servers that an operator sets up for whoever rents them (docs/decisions/0139-paid-time-begins-with-delivery.md). */

let stack: SharedStack;
beforeAll(async () => {
  stack = await sharedStack();
});
afterAll(() => stack.stop());

const DAY_MS = 86_400_000;

const read = async (user: TestUser, id: string) =>
  (await stack.call("GET", `/api/v1/rentals/${id}`, { token: user.token })).body.data;

/** A rental of a week whose server has no host yet. */
async function rentedByHand(user: TestUser, name: string) {
  const serverId = newId();
  await stack.actors
    .server(serverId)
    .create({ name, specs: {}, prices: { "7": 700 }, setup_fee_cents: 300, delivered_by_hand: true });
  const { body } = await rent(stack, user, serverId, { rental_days: 7, max_charge_cents: 1_000 });
  return { serverId, rental: body.data };
}

const giveUp = (user: TestUser, id: string, expected_rental_end: string, key?: string) =>
  stack.call("POST", `/api/v1/rentals/${id}/end`, {
    token: user.token,
    body: { expected_rental_end },
    headers: key === undefined ? {} : { "idempotency-key": key },
  });

const refundsOf = async (user: TestUser) =>
  (await chargesOf(stack, user))
    .filter(({ transaction_type }) => transaction_type === "refund")
    .map(({ amount_cents }) => amount_cents)
    .toSorted((a, b) => Number(a - b));

const isHeld = async (id: string) => {
  const [row] = await stack.db<
    { held: boolean }[]
  >`SELECT awaits_delivery AS held FROM rentals WHERE id = ${id}`;
  return row?.held === true;
};

const timersOf = async (id: string) =>
  (await stack.db<{ name: string }[]>`SELECT name FROM tasks WHERE actor_id = ${id} ORDER BY name`).map(
    ({ name }) => name,
  );

describe("the paid time of a server that is set up by hand", () => {
  test("begins when its host joins, and is whole", async () => {
    const user = await stack.user({ balance: "100.00" });
    const { serverId, rental } = await rentedByHand(user, "delivery-1");
    expect(rental).toMatchObject({ status: "active", host_joined: false, awaits_delivery: true });
    await until(() => isHeld(rental.id));
    // Nothing ends it, and nothing says that it ends soon.
    expect(await timersOf(rental.id)).toEqual([]);
    // Nobody is told an end that does not count: neither who is about to leave, nor the operator.
    const check = await stack.call("GET", "/api/v1/auth/account/deletion", { token: user.token });
    expect(check.body.data.blockers).toMatchObject([{ kind: "rental", name: "delivery-1", until: null }]);
    const renter = async () => {
      const { token } = await stack.user({ role: "admin" });
      const listed = await stack.call("GET", "/api/v1/admin/servers?search=delivery-1", { token });
      return listed.body.data.servers[0].renter;
    };
    expect(await renter()).toMatchObject({ user_id: user.id, awaits_delivery: true });
    await until(() => Date.now() > Date.parse(rental.created_at) + 50);
    const before = Date.now();
    await stack.actors.server(serverId).join({});
    const delivered = await until(async () => {
      const now = await read(user, rental.id);
      return now.awaits_delivery ? undefined : now;
    });
    expect(Date.parse(delivered.rental_start)).toBeGreaterThanOrEqual(before);
    expect(Date.parse(delivered.rental_end) - Date.parse(delivered.rental_start)).toBeCloseTo(7 * DAY_MS, -3);
    expect(await timersOf(rental.id)).toEqual(["end", "notice-1", "notice-3"]);
    expect(await renter()).toMatchObject({ rental_end: delivered.rental_end, awaits_delivery: false });
  });

  test("is extended before it begins, and can be extended by itself afterwards", async () => {
    const user = await stack.user({ balance: "100.00" });
    const { serverId, rental } = await rentedByHand(user, "delivery-2");
    await until(() => isHeld(rental.id));
    const { body } = await extend(stack, user, rental.id, {
      expected_rental_end: rental.rental_end,
      additional_days: 7,
    });
    expect(body.data.awaits_delivery).toBe(true);
    const path = `/api/v1/rentals/${rental.id}/auto-extension`;
    const wanted = { additional_days: 7, max_charge_cents: 700 };
    const on = await stack.call("PUT", path, { token: user.token, body: wanted });
    expect(on.body.data.auto_extension).toMatchObject({ ...wanted, next_at: null });
    await stack.actors.server(serverId).join({});
    const delivered = await until(async () => {
      const now = await read(user, rental.id);
      return now.awaits_delivery ? undefined : now;
    });
    expect(Date.parse(delivered.rental_end) - Date.parse(delivered.rental_start)).toBeCloseTo(
      14 * DAY_MS,
      -3,
    );
    expect(Date.parse(delivered.rental_end) - Date.parse(delivered.auto_extension.next_at)).toBe(DAY_MS);
  });

  test("does not end before it begins, however long that takes", async () => {
    const user = await stack.user({ balance: "100.00" });
    const { rental } = await rentedByHand(user, "delivery-3");
    await until(() => isHeld(rental.id));
    await stack.db`UPDATE rentals SET rental_start = now() - interval '30 days', rental_end = now() - interval '23 days'
      WHERE id = ${rental.id}`;
    await stack.actors.rental(rental.id).expire({});
    expect(await read(user, rental.id)).toMatchObject({ status: "active", awaits_delivery: true });
    const { body } = await stack.call("GET", "/api/v1/rentals", { token: user.token });
    expect(body.data[0].status).toBe("active");
  });

  test("is returned whole, with the setup that was not done, when its machine is taken out before it begins", async () => {
    const user = await stack.user({ balance: "100.00" });
    const { serverId, rental } = await rentedByHand(user, "delivery-4");
    await until(() => isHeld(rental.id));
    const [row] = await stack.db<{ payment: object }[]>`
      SELECT rental_payment - 'rental_id' AS payment FROM servers WHERE id = ${serverId}`;
    const { value } = await stack.actors.rental(rental.id).terminate({ payments: [row?.payment as never] });
    expect(value.refunded_cents).toBe(1_000);
    await until(async () => (await balanceOf(stack, user)) === "100.00");
    expect((await chargesOf(stack, user)).map(({ transaction_type }) => transaction_type)).toEqual([
      "rental",
      "refund",
    ]);
  });

  test("returns all that was paid when its renter gives it up before, once, whatever was refunded before", async () => {
    const user = await stack.user({ balance: "100.00" });
    const { rental } = await rentedByHand(user, "delivery-6");
    const expected_rental_end = rental.rental_end;
    const extended = await extend(stack, user, rental.id, { expected_rental_end, additional_days: 7 });
    const charge = { transaction_id: rental.transaction_id, amount_cents: 1_000 };
    await stack.actors.wallet(user.id).refund_charge({ charge, amount: "2.00", reason: "a late start" });
    expect(await balanceOf(stack, user)).toBe("85.00");
    const end = () => giveUp(user, rental.id, extended.body.data.rental_end, "once");
    const [first, second] = await Promise.all([end(), end()]);
    expect([first.status, second.status, first.body.data.status]).toEqual([200, 200, "ended"]);
    await until(async () => (await balanceOf(stack, user)) === "100.00");
    expect((await end()).status).toBe(200);
    expect(await refundsOf(user)).toEqual([200n, 700n, 800n]);
    const { body } = await stack.call("GET", "/api/v1/events?event_type=server.expired", {
      token: user.token,
    });
    expect(body.data.events[0].data.refunded).toBe("15.00");
    // Nothing ran there that somebody could want back: no time of grace.
    await until(async () => {
      const [server] = await stack.db`SELECT status FROM servers WHERE name = 'delivery-6'`;
      return server?.status === "in_stock";
    });
  });

  test("is returned whole with its machine, also a moment after it was rented", async () => {
    const user = await stack.user({ balance: "100.00" });
    const { serverId, rental } = await rentedByHand(user, "delivery-9");
    const [row] = await stack.db<{ payment: object }[]>`
      SELECT rental_payment - 'rental_id' AS payment FROM servers WHERE id = ${serverId}`;
    const payments = [row?.payment as never];
    const { value } = await stack.actors.rental(rental.id).terminate({ payments, undelivered: true });
    expect(value.refunded_cents).toBe(1_000);
  });

  test("is returned, or has begun, when its renter gives it up as the host joins", async () => {
    for (let round = 0; round < 5; round++) {
      const user = await stack.user({ balance: "100.00" });
      const { serverId, rental } = await rentedByHand(user, `delivery-7-${round}`);
      await until(() => isHeld(rental.id));
      const [ended] = await Promise.all([
        giveUp(user, rental.id, rental.rental_end),
        stack.actors.server(serverId).join({}),
      ]);
      if (ended.status === 200) {
        await until(async () => (await balanceOf(stack, user)) === "100.00");
        expect((await read(user, rental.id)).status).toBe("ended");
      } else {
        expect(ended.body.code).toBe("EXTENSION_ALREADY_APPLIED");
        expect(await read(user, rental.id)).toMatchObject({ status: "active", awaits_delivery: false });
        expect(await balanceOf(stack, user)).toBe("90.00");
      }
    }
  });

  test("that has begun is given up without a refund", async () => {
    const user = await stack.user({ balance: "100.00" });
    const { serverId, rental } = await rentedByHand(user, "delivery-8");
    await until(() => isHeld(rental.id));
    await stack.actors.server(serverId).join({});
    const delivered = await until(async () => {
      const now = await read(user, rental.id);
      return now.awaits_delivery ? undefined : now;
    });
    expect((await giveUp(user, rental.id, rental.rental_end)).body.code).toBe("EXTENSION_ALREADY_APPLIED");
    expect((await giveUp(user, rental.id, delivered.rental_end)).status).toBe(200);
    expect(await refundsOf(user)).toEqual([]);
    expect(await balanceOf(stack, user)).toBe("90.00");
  });

  test("runs at once where the host had joined before the rent", async () => {
    const user = await stack.user({ balance: "100.00" });
    const serverId = await inStock(stack, "delivery-5", { delivered_by_hand: true });
    const { body } = await rent(stack, user, serverId, { rental_days: 7, max_charge_cents: 700 });
    expect(body.data).toMatchObject({ host_joined: true, awaits_delivery: false });
  });
});
