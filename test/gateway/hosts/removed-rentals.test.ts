import { afterAll, beforeAll, expect, test } from "bun:test";
import { newId } from "../../../actors/platform/ids.ts";
import { type EmbeddedStack, startEmbeddedStack, type TestUser } from "../../harness/embedded-stack.ts";
import { until } from "../../harness/until.ts";
import { as } from "../routes/accounts/pool/team.ts";
import { rentServer } from "../routes/hosting/container/hosting.ts";
import { balanceOf, chargesOf, extend, inStock, rented } from "../routes/market/stock.ts";

/** A machine that somebody rents is not removed by mistake; where it is lost, its renters get back what they have paid for the rest. */

let stack: EmbeddedStack;
let operator: TestUser;
beforeAll(async () => {
  stack = await startEmbeddedStack({ joining: true });
  operator = await stack.user({ role: "admin" });
});
afterAll(() => stack.stop());

const call = (method: string, path: string, body?: object) => as(stack, operator)(method, path, body);
const add = async (name: string): Promise<string> =>
  (await call("POST", "/admin/hosts", { name })).body.data.id;
const remove = (id: string, force = false) =>
  call("DELETE", `/admin/hosts/${id}${force ? "?force=true" : ""}`);
const name = () => `s-${crypto.randomUUID().slice(0, 8)}`;

test("a machine without containers that is rented, or of which a part is, is refused with who rents what", async () => {
  const host = name();
  const id = await add(host);
  const user = await stack.user({ balance: "20.00" });
  const { serverId, rental } = await rented(stack, user, host);
  const part = await inStock(stack, name(), { parent_id: serverId });
  await stack.actors
    .server(part)
    .hand_over({ rental_id: newId(), user_id: user.id, rental_end: rental.rental_end });
  expect((await call("GET", `/admin/hosts/${id}`)).body.data).toMatchObject({ containers: 0, rentals: 2 });
  const refused = await remove(id);
  expect(refused.body.message).toContain(`${host} until ${rental.rental_end.slice(0, 10)}`);
  expect([refused.status, refused.body]).toMatchObject([
    409,
    {
      code: "HOST_IN_USE",
      message: expect.stringContaining("The host still has 2 rented servers: "),
      data: {
        ...{ containers: 0, storage_shares: 0 },
        rentals: expect.arrayContaining([
          {
            ...{ server_name: host, rental_id: rental.id, user_id: user.id },
            rental_end: rental.rental_end,
          },
        ]),
      },
    },
  ]);
  expect((await as(stack, user)("GET", `/rentals/${rental.id}`)).body.data.status).toBe("active");
});

test("by force its rentals end: the rest of each payment comes back, the setup fee and what was refunded before do not", async () => {
  const host = name();
  const id = await add(host);
  const user = await stack.user({ balance: "50.00" });
  const { rental } = await rented(stack, user, host, { setup_fee_cents: 300 });
  const extended = await extend(stack, user, rental.id, {
    ...{ expected_rental_end: rental.rental_end, additional_days: 30, max_charge_cents: 2_500 },
  });
  expect(extended.status).toBe(200);
  expect(await balanceOf(stack, user)).toBe("15.00");
  const early = await call("POST", `/admin/transactions/${rental.transaction_id}/refund`, {
    ...{ amount: "5.00", reason: "An hour without network", idempotency_key: newId() },
  });
  expect(early.status).toBeLessThan(300);
  const removed = await remove(id, true);
  expect([removed.status, removed.body.data]).toEqual([
    200,
    {
      ended_rentals: [
        {
          ...{ rental_id: rental.id, user_id: user.id, username: user.username, server_name: host },
          // 5.00 are left of the first payment, whose rest is worth 7.00.
          refunded: "30.00",
        },
      ],
    },
  ]);
  const audit = await call("GET", `/admin/audit?act=host_removed&resource_id=${id}`);
  expect(audit.body.data.entries).toMatchObject([
    {
      by_id: operator.id,
      data: {
        ...{ name: host, force: true, rentals: 1, refunded: "30.00" },
        ended_rentals: removed.body.data.ended_rentals,
      },
    },
  ]);
  const [event] = (await as(stack, user)("GET", "/events?event_type=server.expired")).body.data.events;
  expect(event.data.refunded).toBe("30.00");
  // 10.00 with the fee, of which 5.00 had come back, and 25.00.
  await until(async () => (await balanceOf(stack, user)) === "50.00");
  expect((await chargesOf(stack, user)).filter((row) => row.transaction_type === "refund")).toHaveLength(3);
  expect((await as(stack, user)("GET", `/rentals/${rental.id}`)).body.data.status).toBe("ended");
  const again = await extend(stack, user, rental.id, {
    ...{ expected_rental_end: extended.body.data.rental_end, additional_days: 30, max_charge_cents: 2_500 },
  });
  expect(again.body.code).toBe("RENTAL_ENDED");
  expect((await remove(id, true)).body.code).toBe("HOST_NOT_FOUND");
});

test("its users are told why, administrators read who did it, and the server is not for rent", async () => {
  const host = name();
  const id = await add(host);
  const user = await stack.user({ balance: "20.00" });
  const { serverId, rental } = await rented(stack, user, host);
  expect((await remove(id, true)).status).toBe(200);
  const [event] = (await as(stack, user)("GET", "/events?event_type=server.expired")).body.data.events;
  expect(event.data).toMatchObject({
    ...{ rental_id: rental.id, reason: "host_removed", paid_until: rental.rental_end, refunded: "7.00" },
  });
  const notices = () => as(stack, user)("GET", "/notifications");
  await until(async () => JSON.stringify((await notices()).body).includes("was taken out of service"));
  const audit = await call("GET", `/admin/audit?act=rental_terminated&resource_id=${rental.id}`);
  expect(audit.body.data.entries).toMatchObject([
    { by_id: operator.id, user_id: user.id, data: { server: host, refunded: "7.00" } },
  ]);
  await until(
    async () =>
      (await stack.db`SELECT FROM servers WHERE id = ${serverId} AND status = 'grace' AND joined_at IS NULL`)
        .length === 1,
  );
});

test("a reservation that was delivered there is returned by the day; what was handed over for nothing returns nothing", async () => {
  const host = name();
  const id = await add(host);
  const user = await stack.user({ balance: "20.00" });
  const offer = newId();
  await stack.actors.offer(offer).create({
    ...{ name: "o", lead_time_hours: 1, pricing_rules: { "7": 500 }, setup_fee_cents: 100, specs: {} },
  });
  const reserved = await as(stack, user)("POST", `/offers/${offer}/reserve`, {
    ...{ days: 7, max_charge_cents: 600, idempotency_key: newId() },
  });
  const serverId = await inStock(stack, host);
  await stack.actors.reservation(reserved.body.data.id).deliver({ server_id: serverId });
  const given = await inStock(stack, name(), { parent_id: serverId });
  await stack.actors.server(given).hand_over({
    rental_id: newId(),
    user_id: user.id,
    rental_end: new Date(Date.now() + 1e9).toISOString(),
  });
  const { ended_rentals } = (await remove(id, true)).body.data;
  expect(ended_rentals.map(({ refunded }: { refunded: string }) => refunded).toSorted()).toEqual([
    "0.00",
    "5.00",
  ]);
  await until(async () => (await balanceOf(stack, user)) === "19.00");
});

test("while somebody is paying for it even force waits, and a payment that ends in nothing frees it", async () => {
  const host = name();
  const id = await add(host);
  const user = await stack.user();
  const serverId = await rentServer(stack, user, host);
  await stack.db`UPDATE servers SET status = 'renting', rental_id = ${newId()} WHERE id = ${serverId}`;
  const refused = await remove(id, true);
  expect([refused.status, refused.body.message]).toEqual([
    409,
    expect.stringContaining(`${host} is being paid for: try again in a minute`),
  ]);
  await stack.db`UPDATE servers SET status = 'in_stock', rental_id = NULL WHERE id = ${serverId}`;
  expect((await remove(id)).status).toBe(200);
});
