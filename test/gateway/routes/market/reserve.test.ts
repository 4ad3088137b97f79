import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { newId } from "../../../../actors/platform/ids.ts";
import type { AddOffer } from "../../../../schemas/market/offer.ts";
import { type SharedStack, sharedStack, type TestUser } from "../../../harness/shared-stack.ts";
import { until } from "../../../harness/until.ts";
import { balanceOf, chargesOf, inStock } from "./stock.ts";

let stack: SharedStack;
let operator: TestUser;
beforeAll(async () => {
  stack = await sharedStack();
  operator = await stack.user({ role: "admin" });
});
afterAll(() => stack.stop());

async function offered(fields: Partial<AddOffer> = {}): Promise<string> {
  const id = newId();
  await stack.actors.offer(id).create({
    name: "compute-16",
    lead_time_hours: 24,
    pricing_rules: { "7": 2_100, "30": 7_500 },
    setup_fee_rules: { "30": 0 },
    setup_fee_cents: 1_500,
    specs: {},
    ...fields,
  });
  return id;
}

const reserve = (user: TestUser, offer: string, body: object, headers = {}) =>
  stack.call("POST", `/api/v1/offers/${offer}/reserve`, { token: user.token, body, headers });
const operate = (method: string, path: string, body?: object) =>
  stack.call(method, `/api/v1/admin${path}`, {
    token: operator.token,
    ...(body === undefined ? {} : { body }),
  });

describe("reserving", () => {
  test.each([
    [7, 3_600],
    [30, 7_500],
  ])("%s days costs the rent and the setup fee, of which an override wins also as 0", async (days, total) => {
    const user = await stack.user({ balance: "100.00" });
    const offer = await offered();
    const { status, body } = await reserve(user, offer, {
      days,
      max_charge_cents: total,
      idempotency_key: "a",
    });
    expect(status).toBe(201);
    expect(body.data).toMatchObject({
      user_id: user.id,
      offer_id: offer,
      offer_name: "compute-16",
      days,
      total_cents: total,
      status: "confirmed",
      rental_id: null,
    });
    expect(Date.parse(body.data.delivery_due) - Date.parse(body.data.created_at)).toBeGreaterThanOrEqual(
      24 * 3_600_000,
    );
    expect(await chargesOf(stack, user)).toEqual([
      { transaction_type: "reservation", amount_cents: BigInt(total) },
    ]);
  });

  test.each([3_599, 3_601])(
    "with a ceiling of %s cents for 3600 is refused, and the answer says the total",
    async (max) => {
      const user = await stack.user({ balance: "100.00" });
      const { status, body } = await reserve(user, await offered(), {
        days: 7,
        max_charge_cents: max,
        idempotency_key: "a",
      });
      expect(status).toBe(409);
      expect(body).toMatchObject({ code: "CHARGE_MISMATCH", data: { total_cents: 3_600 } });
      expect(await balanceOf(stack, user)).toBe("100.00");
    },
  );

  test("without a ceiling is refused where it costs, and done where it is free", async () => {
    const user = await stack.user();
    const dear = await reserve(user, await offered(), { days: 7, idempotency_key: "a" });
    expect([dear.status, dear.body.code]).toEqual([409, "CHARGE_CONFIRMATION_REQUIRED"]);
    const gift = await offered({ pricing_rules: { "7": 0 }, setup_fee_cents: 0 });
    const free = await reserve(user, gift, { days: 7, idempotency_key: "b" });
    expect(free.status).toBe(201);
    expect(free.body.data.transaction_id).toBeNull();
  });

  test("under the same key answers the first reservation and charges once, whatever the ceiling says by then", async () => {
    const user = await stack.user({ balance: "100.00" });
    const offer = await offered();
    const ask = (max_charge_cents: number) =>
      reserve(user, offer, { days: 7, max_charge_cents, idempotency_key: "same" });
    const answers = [...(await Promise.all([ask(3_600), ask(3_600)])), await ask(1)];
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201]);
    expect(new Set(answers.map(({ body }) => body.data.id)).size).toBe(1);
    expect(await chargesOf(stack, user)).toHaveLength(1);
    const otherDays = await reserve(user, offer, {
      days: 30,
      max_charge_cents: 7_500,
      idempotency_key: "same",
    });
    expect(otherDays.status).toBe(201);
    expect(otherDays.body.data).toEqual(answers[0]?.body.data);
    expect(await chargesOf(stack, user)).toHaveLength(1);
    const otherOffer = await reserve(user, await offered(), { days: 7, idempotency_key: "same" });
    expect([otherOffer.status, otherOffer.body.code]).toEqual([409, "IDEMPOTENCY_KEY_REUSED"]);
  });

  test("takes its key from the header too", async () => {
    const user = await stack.user({ balance: "100.00" });
    const offer = await offered();
    const ask = () =>
      reserve(user, offer, { days: 7, max_charge_cents: 3_600 }, { "idempotency-key": "of-the-header" });
    const [first, again] = [await ask(), await ask()];
    expect([first.status, again.body.data?.id]).toEqual([201, first.body.data?.id]);
    expect(await chargesOf(stack, user)).toHaveLength(1);
  });

  test("that cannot be paid for leaves nothing: the same key may try again", async () => {
    const user = await stack.user();
    const offer = await offered();
    const ask = () => reserve(user, offer, { days: 7, max_charge_cents: 3_600, idempotency_key: "first" });
    for (const poor of [...(await Promise.all([ask(), ask(), ask()])), await ask()])
      expect([poor.status, poor.body.code]).toEqual([400, "INSUFFICIENT_BALANCE"]);
    await stack.actors.wallet(user.id).credit({ amount: "36.00", reason: "test", idempotency_key: "x" });
    const paid = await Promise.all([ask(), ask(), ask()]);
    expect(paid.map(({ status }) => status)).toEqual([201, 201, 201]);
    expect(await balanceOf(stack, user)).toBe("0.00");
    const listed = await stack.call("GET", "/api/v1/reservations", { token: user.token });
    expect(listed.body.data.reservations).toMatchObject([{ id: paid[0]?.body.data.id, status: "confirmed" }]);
  });

  test("that is refused while the same key asks again says why, and not that it is gone", async () => {
    const user = await stack.user();
    const offer = await offered();
    const ask = (idempotency_key: string) =>
      reserve(user, offer, { days: 7, max_charge_cents: 3_600, idempotency_key });
    for (let round = 0; round < 20; round += 1) {
      const asked = Array.from({ length: 6 }, () => ask(`round ${round}`));
      const codes = (await Promise.all(asked)).map(({ status, body }) => `${status} ${body.code}`);
      expect([round, ...new Set(codes)]).toEqual([round, "400 INSUFFICIENT_BALANCE"]);
    }
  });

  test("names what is wrong", async () => {
    const user = await stack.user({ balance: "100.00" });
    const offer = await offered();
    for (const [body, field] of [
      [{ days: 8, max_charge_cents: 1, idempotency_key: "a" }, "body.days"],
      [{ days: 7, max_charge_cents: 3_600 }, "body.idempotency_key"],
      [{ days: 7, max_charge_cents: 3_600, idempotency_key: " " }, "body.idempotency_key"],
      [{ days: 7, max_charge_cents: 36.5, idempotency_key: "a" }, "body.max_charge_cents"],
    ] as const) {
      const answer = await reserve(user, offer, body);
      expect(answer.status).toBe(400);
      expect(answer.body.message).toContain(field);
    }
    const none = await reserve(user, "0".repeat(24), {
      days: 7,
      max_charge_cents: 1,
      idempotency_key: "a",
    });
    expect([none.status, none.body.code]).toEqual([404, "OFFER_NOT_FOUND"]);
  });
});

describe("reservations", () => {
  test("are listed newest first, page by page, and are nobody else's", async () => {
    const [user, other] = [await stack.user({ balance: "200.00" }), await stack.user()];
    const offer = await offered();
    const ids: string[] = [];
    for (const key of ["1", "2", "3"]) {
      const { body } = await reserve(user, offer, {
        days: 7,
        max_charge_cents: 3_600,
        idempotency_key: key,
      });
      ids.unshift(body.data.id);
    }
    const list = (query: string) => stack.call("GET", `/api/v1/reservations${query}`, { token: user.token });
    const page = await list("?limit=2&offset=1");
    expect(page.body.data).toMatchObject({ total: 3, limit: 2, offset: 1 });
    expect(page.headers.get("link")).toBe('</api/v1/reservations?limit=2&offset=0>; rel="prev"');
    expect(page.body.data.reservations.map(({ id }: { id: string }) => id)).toEqual(ids.slice(1));
    expect((await list("")).body.data.limit).toBe(50);
    expect((await list("?limit=100000")).body.data.limit).toBe(500);
    for (const query of ["?limit=0", "?limit=-1", "?limit=x", "?offset=-1"])
      expect((await list(query)).status).toBe(400);
    const theirs = await stack.call("GET", `/api/v1/reservations/${ids[0]}`, { token: other.token });
    expect([theirs.status, theirs.body.code]).toEqual([404, "RESERVATION_NOT_FOUND"]);
    const own = await stack.call("GET", `/api/v1/reservations/${ids[0]}`, { token: user.token });
    expect(own.body.data.id).toBe(ids[0]);
  });

  test("become rentals when an operator delivers them, without another charge", async () => {
    const user = await stack.user({ balance: "100.00" });
    const { body } = await reserve(user, await offered(), {
      days: 7,
      max_charge_cents: 3_600,
      idempotency_key: "a",
    });
    const server = await inStock(stack, "delivered-1");
    const delivered = await operate("POST", `/reservations/${body.data.id}/deliver`, { server_id: server });
    expect(delivered.status).toBe(200);
    expect(delivered.body.data.status).toBe("delivered");
    const rental = await stack.call("GET", `/api/v1/rentals/${delivered.body.data.rental_id}`, {
      token: user.token,
    });
    expect(rental.body.data).toMatchObject({
      server_id: server,
      status: "active",
      renewal_prices: { "7": 2_100, "30": 7_500 },
    });
    expect(await chargesOf(stack, user)).toHaveLength(1);
    const again = await operate("POST", `/reservations/${body.data.id}/deliver`, { server_id: server });
    expect([again.status, again.body.code]).toEqual([409, "RESERVATION_STATE_CONFLICT"]);
  });

  test("stay as they are when the server is taken", async () => {
    const [user, other] = [await stack.user({ balance: "100.00" }), await stack.user()];
    const { body } = await reserve(user, await offered(), {
      days: 7,
      max_charge_cents: 3_600,
      idempotency_key: "a",
    });
    const server = await inStock(stack, "delivered-2");
    await stack.actors.server(server).hand_over({
      rental_id: newId(),
      user_id: other.id,
      rental_end: new Date(Date.now() + 86_400_000).toISOString(),
    });
    const refused = await operate("POST", `/reservations/${body.data.id}/deliver`, { server_id: server });
    expect([refused.status, refused.body.code]).toEqual([409, "SERVER_NOT_AVAILABLE"]);
    const due = await operate("GET", "/reservations");
    const waiting = due.body.data.reservations.find(({ id }: { id: string }) => id === body.data.id);
    expect(waiting).toMatchObject({ status: "confirmed", rental_id: null });
  });

  const reserved = async (user: TestUser): Promise<string> =>
    (await reserve(user, await offered(), { days: 7, max_charge_cents: 3_600, idempotency_key: newId() }))
      .body.data.id;
  const logOf = async (user: TestUser, path: "/auth/audit" | "/events" | "/notifications") =>
    (await stack.call("GET", `/api/v1${path}`, { token: user.token })).body.data;

  test("that are delivered say so to their user: by an event, in the audit log, and by a notice that leads to the server", async () => {
    const user = await stack.user({ balance: "100.00" });
    const id = await reserved(user);
    const server_id = await inStock(stack, "told-of");
    const { rental_id } = (await operate("POST", `/reservations/${id}/deliver`, { server_id })).body.data;
    const { entries } = await logOf(user, "/auth/audit");
    expect(entries[0]).toMatchObject({
      act: "reservation_delivered",
      by: operator.username,
      data: { offer: "compute-16", server_name: "told-of", rental_id },
    });
    const { events } = await logOf(user, "/events");
    const delivered = events.find(
      ({ event_type }: { event_type: string }) => event_type === "server.delivered",
    );
    expect(delivered.data).toMatchObject({ offer: "compute-16", server_name: "told-of", rental_id, days: 7 });
    const notice = await until(async () =>
      (await logOf(user, "/notifications")).notifications.find(
        ({ event_type }: { event_type: string }) => event_type === "server.delivered",
      ),
    );
    expect(notice).toMatchObject({
      title: "Your server is ready: told-of",
      body: expect.stringContaining("Its 7 days have begun."),
      resource_id: rental_id,
    });
  });

  test.each([
    ["shared", 400, { field: "body.server_id" }],
    ["system", 400, { field: "body.server_id" }],
  ] as const)(
    "are not delivered on a %s server, on which others' programs run, and stay as they are",
    async (kind, status, data) => {
      const user = await stack.user({ balance: "100.00" });
      const id = await reserved(user);
      const server_id = await inStock(stack, `${kind}-host`, { kind });
      const refused = await operate("POST", `/reservations/${id}/deliver`, { server_id });
      expect([refused.status, refused.body.data]).toEqual([status, data]);
      const own = await stack.call("GET", `/api/v1/reservations/${id}`, { token: user.token });
      expect(own.body.data).toMatchObject({ status: "confirmed", rental_id: null });
      expect((await logOf(user, "/auth/audit")).entries[0].act).not.toBe("reservation_delivered");
      const part = await inStock(stack, `${kind}-free`);
      expect((await operate("POST", `/reservations/${id}/deliver`, { server_id: part })).status).toBe(200);
    },
  );

  test.each([false, true])(
    "are not delivered before the server's host has joined (by hand: %s): their days count from the delivery",
    async (delivered_by_hand) => {
      const user = await stack.user({ balance: "100.00" });
      const id = await reserved(user);
      const server_id = newId();
      const name = `hostless-${delivered_by_hand}`;
      await stack.actors.server(server_id).create({ name, specs: {}, delivered_by_hand });
      const refused = await operate("POST", `/reservations/${id}/deliver`, { server_id });
      expect([refused.status, refused.body.code]).toEqual([409, "HOST_NOT_JOINED"]);
      await stack.actors.server(server_id).join({});
      expect((await operate("POST", `/reservations/${id}/deliver`, { server_id })).status).toBe(200);
    },
  );

  test("are delivered on a server that is smaller than the offer only where that is said to be meant", async () => {
    const user = await stack.user({ balance: "100.00" });
    const disks = [{ type: "ssd" as const, size_gb: 100 }];
    const offer = await offered({ specs: { cpu_cores: 16, ram_gb: 64, disks } });
    const order = { days: 7, max_charge_cents: 3_600, idempotency_key: "a" };
    const { id } = (await reserve(user, offer, order)).body.data;
    const server_id = await inStock(stack, "smaller", { specs: { cpu_cores: 2, ram_gb: 64 } });
    const deliver = (body: object) => operate("POST", `/reservations/${id}/deliver`, { server_id, ...body });
    for (const body of [{}, { accept_smaller: false }]) {
      const refused = await deliver(body);
      expect([refused.status, refused.body.code]).toEqual([409, "SERVER_SMALLER_THAN_ORDERED"]);
      expect(refused.body.data.smaller).toEqual({
        cpu_cores: { has: 2, ordered: 16 },
        disks_gb: { has: null, ordered: 100 },
      });
    }
    expect((await deliver({ accept_smaller: true })).status).toBe(200);
    // Both sides can see afterwards that it was known.
    const entries = (await logOf(user, "/auth/audit")).entries;
    expect(entries.find(({ act }: { act: string }) => act === "reservation_delivered").data.smaller).toBe(
      true,
    );
    const notice = await until(async () =>
      (await logOf(user, "/notifications")).notifications.find(({ title }: { title: string }) =>
        title.startsWith("Your server is ready"),
      ),
    );
    expect(notice).toMatchObject({
      level: "warning",
      body: expect.stringContaining("It is smaller than what you reserved"),
    });
  });

  test("that cannot be delivered are paid back, once", async () => {
    const user = await stack.user({ balance: "100.00" });
    const { body } = await reserve(user, await offered(), {
      days: 7,
      max_charge_cents: 3_600,
      idempotency_key: "a",
    });
    const cancel = () => operate("POST", `/reservations/${body.data.id}/cancel`);
    const answers = await Promise.all([cancel(), cancel(), cancel()]);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    await until(async () => (await balanceOf(stack, user)) === "100.00");
    const own = await stack.call("GET", `/api/v1/reservations/${body.data.id}`, { token: user.token });
    expect(own.body.data.status).toBe("cancelled");
    const { events } = await logOf(user, "/events");
    const cancelled = events.find(
      ({ event_type }: { event_type: string }) => event_type === "server.released",
    );
    expect(cancelled.data).toMatchObject({ reservation: "cancelled", refunded: "36.00", by: operator.id });
    const notice = await until(async () =>
      (await logOf(user, "/notifications")).notifications.find(
        ({ event_type }: { event_type: string }) => event_type === "server.released",
      ),
    );
    expect(notice.body).toContain("$36.00, is returned to your balance");
  });

  test("are for operators alone to deliver", async () => {
    const user = await stack.user();
    for (const path of ["/reservations", "/servers", "/offers"]) {
      const answer = await stack.call("GET", `/api/v1/admin${path}`, { token: user.token });
      expect([answer.status, answer.body.code]).toEqual([403, "INSUFFICIENT_PERMISSIONS"]);
    }
  });
});
