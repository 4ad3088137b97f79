import { afterAll, beforeAll, expect, test } from "bun:test";
import { newId } from "../../../../actors/platform/ids.ts";
import { countWaiting } from "../../../../actors/runtime/store/cluster/queries.ts";
import { type MortalHost, mortalHost } from "../../../harness/killable-host.ts";
import { type Stack, startStack, type TestUser } from "../../../harness/stack.ts";
import { until } from "../../../harness/until.ts";
import { balanceOf, chargesOf, extend, inStock, rent } from "./stock.ts";

/** A wallet that cannot answer holds no rental, server or reservation up, and loses no money. */

let stack: Stack;
let host: MortalHost;
beforeAll(async () => {
  stack = await startStack();
  host = mortalHost(stack);
});
afterAll(() => stack.stop());

/** From now on no commit of the user's wallet succeeds, neither of a charge nor of its abort; `release` ends it. */
async function blockWallet(user: TestUser): Promise<{ release(): Promise<void> }> {
  await stack.db.unsafe(`
    CREATE OR REPLACE FUNCTION block_wallet() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN RAISE EXCEPTION 'the wallet is blocked'; END $$;
    CREATE TRIGGER blocked_${user.id} BEFORE INSERT ON receipts FOR EACH ROW
      WHEN (NEW.actor_id = '${user.id}') EXECUTE FUNCTION block_wallet();`);
  return {
    async release() {
      await stack.db.unsafe(`DROP TRIGGER blocked_${user.id} ON receipts`);
    },
  };
}

/** Lets a minute pass for the payment timeouts of an actor: a host that starts finds them past their time. */
async function timeOutPayments(actorId: string): Promise<void> {
  await stack.db`UPDATE tasks SET due_at = now() WHERE actor_id = ${actorId} AND name LIKE 'payment-timeout:%'`;
  await host.replace();
}

const sends = async (actorId: string) =>
  (await stack.db`SELECT name FROM tasks WHERE actor_id = ${actorId} AND target_kind = 'wallet'`).length;

/** Once the wallet can answer, a charge that it had not begun is taken back, and one that it makes first is refunded. */
async function untilNothingIsPaid(sellerId: string, user: TestUser): Promise<void> {
  await until(async () => (await sends(sellerId)) === 0);
  const types = (await chargesOf(stack, user)).map((row) => row.transaction_type);
  expect(types.length === 0 || (types.length === 2 && types[1] === "refund")).toBe(true);
  expect(await balanceOf(stack, user)).toBe("100.00");
}

const rentalOf = async (id: string) => {
  const [row] = await stack.db<{ status: string; extending: object | null; rental_end: Date }[]>`
    SELECT status, extending, rental_end FROM rentals WHERE id = ${id}`;
  return row;
};

test("a rental whose extension is not paid for in time ends when its time is over, and costs nothing", async () => {
  const user = await stack.user({ balance: "100.00" });
  const server = await inStock(stack, "payment-timeout-1");
  const rentalId = newId();
  const end = new Date(Date.now() + 3_000).toISOString();
  await stack.actors
    .server(server)
    .hand_over({ rental_id: rentalId, user_id: user.id, rental_end: end, frozen_prices: { "7": 700 } });
  const wallet = await blockWallet(user);
  const extension = extend(stack, user, rentalId, { expected_rental_end: end, additional_days: 7 });
  await until(async () => (await rentalOf(rentalId))?.extending !== null);
  await until(() => Date.now() > Date.parse(end));
  await timeOutPayments(rentalId);
  await until(async () => (await rentalOf(rentalId))?.status === "ended");
  expect((await extension).status).not.toBe(200);
  await wallet.release();
  await untilNothingIsPaid(rentalId, user);
});

test("a server whose rent is not paid for in time is free again, and somebody else rents it", async () => {
  const [poor, other] = [await stack.user({ balance: "100.00" }), await stack.user({ balance: "100.00" })];
  const server = await inStock(stack, "payment-timeout-2");
  const wallet = await blockWallet(poor);
  const refused = rent(stack, poor, server, { rental_days: 7, max_charge_cents: 700 });
  await until(async () => (await sends(server)) === 1);
  const sagas = async () => (await countWaiting(stack.db)).sagas.filter(({ kind }) => kind === "server");
  expect(await sagas()).toEqual([
    { kind: "server", step: "charge", count: 1, oldest_seconds: expect.any(Number) },
  ]);
  await timeOutPayments(server);
  await until(async () => (await sagas())[0]?.step === "abort");
  const [row] = await until(async () => {
    const rows = await stack.db`SELECT status FROM servers WHERE id = ${server} AND status = 'in_stock'`;
    return rows.length > 0 ? rows : undefined;
  });
  expect(row?.status).toBe("in_stock");
  expect((await refused).status).not.toBe(201);
  const rented = await until(async () => {
    const answer = await rent(stack, other, server, { rental_days: 7, max_charge_cents: 700 });
    return answer.status === 503 ? undefined : answer;
  });
  expect(rented.status).toBe(201);
  await wallet.release();
  await untilNothingIsPaid(server, poor);
  const [held] = await stack.db`SELECT rental_id FROM servers WHERE id = ${server}`;
  expect(held?.rental_id).toBe(rented.body.data.id);
});

test("a reservation that is not paid for in time leaves nothing behind", async () => {
  const user = await stack.user({ balance: "100.00" });
  const offer = newId();
  await stack.actors.offer(offer).create({
    name: "Payment timeout",
    lead_time_hours: 24,
    pricing_rules: { "30": 2_500 },
    specs: {},
  });
  const wallet = await blockWallet(user);
  const reserved = stack.call("POST", `/api/v1/offers/${offer}/reserve`, {
    token: user.token,
    body: { days: 30, max_charge_cents: 2_500, idempotency_key: "payment-timeout" },
  });
  const reservation = await until(async () => {
    const [row] = await stack.db<{ id: string }[]>`
      SELECT id FROM reservations WHERE user_id = ${user.id} AND status = 'pending'`;
    return row?.id;
  });
  await timeOutPayments(reservation);
  await until(
    async () => (await stack.db`SELECT 1 FROM reservations WHERE id = ${reservation}`).length === 0,
  );
  expect((await reserved).status).not.toBe(201);
  await wallet.release();
  await untilNothingIsPaid(reservation, user);
});

test("a charge that the wallet made before it learned of the timeout is refunded, once", async () => {
  const user = await stack.user({ balance: "100.00" });
  const server = await inStock(stack, "payment-timeout-3");
  const { body } = await rent(stack, user, server, { rental_days: 7, max_charge_cents: 700 });
  const charge = { amount_cents: 700, transaction_type: "rental_extension" as const, reason: "7 more days" };
  const { value } = await stack.actors.wallet(user.id).charge(charge);
  // The wallet's reply to a payment that the rental no longer waits for.
  const late = {
    context: { saga: newId(), days: 7, price_cents: 700 },
    reply: { status: "ok" as const, value },
  };
  const key = newId();
  await stack.actors.rental(body.data.id).on_paid(late, { key });
  await stack.actors.rental(body.data.id).on_paid(late, { key });
  const types = async () => (await chargesOf(stack, user)).map((row) => row.transaction_type);
  await until(async () => (await types()).includes("refund"));
  await until(async () => (await sends(body.data.id)) === 0);
  expect(await types()).toEqual(["rental", "rental_extension", "refund"]);
  expect(await balanceOf(stack, user)).toBe("93.00");
  expect((await rentalOf(body.data.id))?.rental_end.toISOString()).toBe(body.data.rental_end);
});
