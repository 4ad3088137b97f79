import { afterAll, beforeAll, expect, test } from "bun:test";
import { newId } from "../../../../actors/platform/ids.ts";
import { type EmbeddedStack, startEmbeddedStack } from "../../../harness/embedded-stack.ts";
import { until } from "../../../harness/until.ts";
import { as, join, makePool } from "../accounts/pool/team.ts";
import { codeOf } from "../accounts/token/credentials.ts";
import { callback, has, SANDBOX_ENV, topUp } from "../billing/top-up/processors.ts";
import { balanceOf, extend, inStock, rent, rented } from "./stock.ts";

/** What a customer gives up: a rental, a reservation, a payment. */

let stack: EmbeddedStack;
beforeAll(async () => {
  stack = await startEmbeddedStack({ actorHosts: 2, env: SANDBOX_ENV });
});
afterAll(() => stack.stop());

const name = () => `s-${crypto.randomUUID().slice(0, 8)}`;

test("a rental that is given up ends at once, without a refund; its server leaves the customer, and comes back after the grace", async () => {
  const user = await stack.user({ balance: "20.00" });
  const { serverId, rental } = await rented(stack, user, name());
  const end = (expected_rental_end: string) =>
    as(stack, user)("POST", `/rentals/${rental.id}/end`, { expected_rental_end });
  const { status, body } = await end(rental.rental_end);
  expect([status, body.data.status]).toEqual([200, "ended"]);
  expect(Date.parse(body.data.rental_end)).toBeLessThan(Date.parse(rental.rental_end));
  expect(await balanceOf(stack, user)).toBe("13.00");
  for (const read of [body.data.rental_end, rental.rental_end])
    expect(codeOf(await end(read))).toBe("409 RENTAL_ENDED");
  expect((await end("soon")).body.message).toBe(
    "body.expected_rental_end: must be a time as `rental_end` shows it",
  );
  await until(
    async () =>
      (await stack.db`SELECT FROM servers WHERE id = ${serverId} AND status = 'grace'`).length === 1,
  );
  expect(await stack.db`SELECT FROM tasks WHERE kind = 'rental' AND actor_id = ${rental.id}`).toHaveLength(0);
  const events = await as(stack, user)("GET", "/events?event_type=server.expired");
  expect(events.body.data.events[0].data).toMatchObject({
    rental_id: rental.id,
    paid_until: rental.rental_end,
  });
});

test("an end that was read before an extension ends nothing", async () => {
  const user = await stack.user({ balance: "20.00" });
  const { rental } = await rented(stack, user, name());
  const asked = { expected_rental_end: rental.rental_end };
  const extended = await extend(stack, user, rental.id, {
    ...asked,
    additional_days: 7,
    max_charge_cents: 700,
  });
  expect(extended.status).toBe(200);
  const refused = await as(stack, user)("POST", `/servers/${rental.id}/end`, asked);
  expect([codeOf(refused), refused.body.data]).toEqual([
    "409 EXTENSION_ALREADY_APPLIED",
    { rental_end: extended.body.data.rental_end },
  ]);
});

test("of an extension and an end at the same moment one is refused, and an extension that was paid is not lost", async () => {
  for (let round = 0; round < 5; round++) {
    const user = await stack.user({ balance: "20.00" });
    const { rental } = await rented(stack, user, name());
    const asked = { expected_rental_end: rental.rental_end };
    const [extended, ended] = await Promise.all([
      extend(stack, user, rental.id, { ...asked, additional_days: 7, max_charge_cents: 700 }),
      as(stack, user)("POST", `/rentals/${rental.id}/end`, asked),
    ]);
    expect([extended.status, ended.status].toSorted()).toEqual([200, 409]);
    expect(await balanceOf(stack, user)).toBe(extended.status === 200 ? "6.00" : "13.00");
  }
});

test("the owner alone gives a rental up: not an admin of its pool, and to others it is not there", async () => {
  const [owner, member, stranger] = await Promise.all([
    stack.user({ balance: "20.00" }),
    stack.user(),
    stack.user(),
  ]);
  const pool_id = await makePool(stack, owner, "team");
  await join(stack, owner, pool_id, member, "admin");
  const server = await inStock(stack, name());
  const { body } = await rent(stack, owner, server, { rental_days: 7, max_charge_cents: 700, pool_id });
  const asked = { expected_rental_end: body.data.rental_end };
  const path = `/rentals/${body.data.id}/end`;
  expect(codeOf(await as(stack, member)("POST", path, asked))).toBe("403 INSUFFICIENT_PERMISSIONS");
  expect(codeOf(await as(stack, stranger)("POST", path, asked))).toBe("404 RENTAL_NOT_FOUND");
  expect(codeOf(await as(stack, owner)("POST", path, {}))).toBe("400 VALIDATION_ERROR");
});

test("a reservation that is cancelled returns all that was paid, once, and only before it is delivered", async () => {
  const user = await stack.user({ balance: "20.00" });
  const call = as(stack, user);
  const offer = newId();
  await stack.actors.offer(offer).create({
    ...{ name: "o", lead_time_hours: 1, pricing_rules: { "7": 500 }, setup_fee_cents: 100, specs: {} },
  });
  const reserve = async () =>
    (
      await call("POST", `/offers/${offer}/reserve`, {
        ...{ days: 7, max_charge_cents: 600, idempotency_key: newId() },
      })
    ).body.data.id;
  const id = await reserve();
  expect(await balanceOf(stack, user)).toBe("14.00");
  const cancel = (one: string) => call("POST", `/reservations/${one}/cancel`);
  const [first, second] = await Promise.all([cancel(id), cancel(id)]);
  expect([codeOf(first), codeOf(second)].map(String).toSorted()).toEqual([
    "200",
    "409 RESERVATION_STATE_CONFLICT",
  ]);
  await until(async () => (await balanceOf(stack, user)) === "20.00");
  const delivered = await reserve();
  await stack.actors.reservation(delivered).deliver({ server_id: await inStock(stack, name()) });
  expect(codeOf(await cancel(delivered))).toBe("409 RESERVATION_STATE_CONFLICT");
  const stranger = as(stack, await stack.user());
  expect(codeOf(await stranger("POST", `/reservations/${id}/cancel`))).toBe("404 RESERVATION_NOT_FOUND");
  expect(await balanceOf(stack, user)).toBe("14.00");
});

test.each(["cardpay", "cryptopay"] as const)(
  "a top-up with %s that is cancelled is expired at once, and money that arrives all the same is credited",
  async (provider) => {
    const user = await stack.user();
    const { intent, ...page } = (await topUp(stack, user, { amount: "25" }, provider)).body.data;
    const path = `/wallet/payments/${provider}/intents/${intent.id}/cancel`;
    const cancelled = await as(stack, user)("POST", path);
    expect([cancelled.status, cancelled.body.data.status]).toEqual([200, "expired"]);
    expect((await as(stack, user)("POST", path)).body.data).toEqual(cancelled.body.data);
    expect(codeOf(await as(stack, await stack.user())("POST", path))).toBe("404 PAYMENT_INTENT_NOT_FOUND");
    if (provider === "cryptopay") return;
    const session = String(page.checkout_url).split("/").at(-1) ?? "";
    await callback(stack, { intent: intent.id, session });
    await has(stack, user, intent.id, "completed");
    expect(codeOf(await as(stack, user)("POST", path))).toBe("409 PAYMENT_STATE_CONFLICT");
    expect(await balanceOf(stack, user)).toBe("25.00");
  },
);
