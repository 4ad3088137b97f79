import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { newId } from "../../../../actors/platform/ids.ts";
import { type SharedStack, sharedStack } from "../../../harness/shared-stack.ts";
import { until } from "../../../harness/until.ts";
import { balanceOf, chargesOf, inStock, rent } from "./stock.ts";

let stack: SharedStack;
beforeAll(async () => {
  stack = await sharedStack();
});
afterAll(() => stack.stop());

const listed = async (token: string): Promise<{ id: string; delivered_by_hand: boolean }[]> =>
  (await stack.call("GET", "/api/v1/servers/available", { token })).body.data;
const available = async (token: string): Promise<string[]> => (await listed(token)).map(({ id }) => id);

describe("renting a server", () => {
  test("charges the price and the setup fee once, and gives the server until the end", async () => {
    const user = await stack.user({ balance: "100.00" });
    const server = await inStock(stack, "rent-1", { setup_fee_cents: 500 });
    const { status, body } = await rent(stack, user, server, { rental_days: 30, max_charge_cents: 3_000 });
    expect(status).toBe(201);
    expect(body.data).toMatchObject({
      user_id: user.id,
      server_id: server,
      server_name: "rent-1",
      status: "active",
      charged_cents: 3_000,
      renewal_prices: { "7": 700, "30": 2_500 },
    });
    const days = Date.parse(body.data.rental_end) - Date.parse(body.data.rental_start);
    expect(Math.round(days / 86_400_000)).toBe(30);
    expect(await balanceOf(stack, user)).toBe("70.00");
    const listed = await stack.call("GET", "/api/v1/rentals", { token: user.token });
    expect(listed.body.data.map((rental: { id: string }) => rental.id)).toEqual([body.data.id]);
  });

  test("takes the server off everybody's list", async () => {
    const [user, other] = [await stack.user({ balance: "100.00" }), await stack.user()];
    const server = await inStock(stack, "rent-2");
    expect(await available(other.token)).toContain(server);
    await rent(stack, user, server, { rental_days: 7, max_charge_cents: 700 });
    expect(await available(other.token)).not.toContain(server);
    expect(await available(user.token)).not.toContain(server);
  });

  test("takes a host that has joined, unless an operator delivers by hand; containers wait for the host in any case", async () => {
    const user = await stack.user({ balance: "100.00" });
    const prices = { "7": 700 };
    const [hostless, byHand] = [newId(), newId()];
    await stack.actors.server(hostless).create({ name: "rent-hostless", specs: {}, prices });
    await stack.actors
      .server(byHand)
      .create({ name: "rent-by-hand", specs: {}, prices, delivered_by_hand: true });
    const waits = async (id: string) =>
      (await listed(user.token)).find((one) => one.id === id)?.delivered_by_hand;
    expect([await waits(hostless), await waits(byHand)]).toEqual([undefined, true]);
    const asked = { rental_days: 7, max_charge_cents: 700 };
    const refused = await rent(stack, user, hostless, asked);
    expect([refused.status, refused.body.code]).toEqual([409, "HOST_NOT_JOINED"]);
    expect(await balanceOf(stack, user)).toBe("100.00");
    const done = await rent(stack, user, byHand, asked);
    expect([done.status, done.body.data.host_joined]).toEqual([201, false]);

    const call = (path: string, body: object) =>
      stack.call("POST", `/api/v1${path}`, { token: user.token, body });
    const project = await call("/projects", { name: "waits" });
    const container = { project_id: project.body.data.id, server_id: byHand, name: "web" };
    const early = await call("/containers", container);
    expect([early.status, early.body.code]).toEqual([409, "HOST_NOT_JOINED"]);
    await stack.actors.server(byHand).join({});
    expect((await call("/containers", container)).status).toBe(201);
    const { body } = await stack.call("GET", "/api/v1/rentals", { token: user.token });
    expect(body.data).toMatchObject([{ server_id: byHand, host_joined: true }]);
    // Its renter is told.
    const notices = async () =>
      (await stack.call("GET", "/api/v1/notifications", { token: user.token })).body.data.notifications;
    await until(async () =>
      (await notices()).some(
        ({ title }: { title: string }) => title === "Your server is ready: rent-by-hand",
      ),
    );

    const joined = newId();
    await stack.actors
      .server(joined)
      .create({ name: "rent-by-hand-joined", specs: {}, prices, delivered_by_hand: true });
    await stack.actors.server(joined).join({});
    expect(await waits(joined)).toBe(false);
  });

  test("needs to hear what may be charged", async () => {
    const user = await stack.user({ balance: "100.00" });
    const plain = await inStock(stack, "rent-3");
    const withFee = await inStock(stack, "rent-4", { setup_fee_cents: 1 });
    const refused = await rent(stack, user, plain, { rental_days: 7 });
    expect(refused.status).toBe(409);
    expect(refused.body).toMatchObject({ code: "CHARGE_CONFIRMATION_REQUIRED", data: { total_cents: 700 } });
    const fee = await rent(stack, user, withFee, { rental_days: 7 });
    expect(fee.status).toBe(409);
    expect(fee.body).toMatchObject({ code: "SETUP_FEE_CONFIRMATION_REQUIRED", data: { total_cents: 701 } });
    expect(await balanceOf(stack, user)).toBe("100.00");
  });

  test("is refused where it costs more than that, and done where it costs less", async () => {
    const user = await stack.user({ balance: "100.00" });
    const server = await inStock(stack, "rent-5");
    await stack.actors.server(server).update({ prices: { "7": 800 } });
    const refused = await rent(stack, user, server, { rental_days: 7, max_charge_cents: 799 });
    expect(refused.status).toBe(409);
    expect(refused.body).toMatchObject({ code: "CHARGE_EXCEEDS_MAX", data: { total_cents: 800 } });
    await stack.actors.server(server).update({ prices: { "7": 300 } });
    const done = await rent(stack, user, server, { rental_days: 7, max_charge_cents: 799 });
    expect(done.status).toBe(201);
    expect(done.body.data.charged_cents).toBe(300);
  });

  test("of what is free needs no ceiling and moves no money", async () => {
    const user = await stack.user();
    const server = await inStock(stack, "rent-6", { prices: { "3": 0 } });
    const { status, body } = await rent(stack, user, server, { rental_days: 3 });
    expect(status).toBe(201);
    expect(body.data).toMatchObject({ charged_cents: 0, transaction_id: null });
    expect(await chargesOf(stack, user)).toEqual([]);
  });

  test("for a length without a price names the lengths that have one", async () => {
    const user = await stack.user({ balance: "100.00" });
    const server = await inStock(stack, "rent-7");
    const { status, body } = await rent(stack, user, server, { rental_days: 8, max_charge_cents: 9_999 });
    expect(status).toBe(400);
    expect(body.code).toBe("VALIDATION_ERROR");
    expect(body.message).toContain("body.rental_days");
    expect(body.message).toContain("7, 30");
  });

  test("without enough money leaves the server to others", async () => {
    const [poor, rich] = [await stack.user({ balance: "6.99" }), await stack.user({ balance: "7.00" })];
    const server = await inStock(stack, "rent-8");
    const refused = await rent(stack, poor, server, { rental_days: 7, max_charge_cents: 700 });
    expect(refused.status).toBe(400);
    expect(refused.body.code).toBe("INSUFFICIENT_BALANCE");
    const { status } = await rent(stack, rich, server, { rental_days: 7, max_charge_cents: 700 });
    expect(status).toBe(201);
    expect(await balanceOf(stack, rich)).toBe("0.00");
  });

  test("again under its key answers the same rental and charges nothing more", async () => {
    const user = await stack.user({ balance: "100.00" });
    const server = await inStock(stack, "rent-9");
    const ask = () =>
      rent(stack, user, server, { rental_days: 7, max_charge_cents: 700 }, { "idempotency-key": "mine" });
    const [first, second, third] = [...(await Promise.all([ask(), ask()])), await ask()];
    expect([first, second, third].map((answer) => answer?.status)).toEqual([201, 201, 201]);
    expect(second?.body.data.id).toBe(first?.body.data.id);
    expect(third?.body.data.id).toBe(first?.body.data.id);
    expect(await chargesOf(stack, user)).toHaveLength(1);
  });

  test("under a key that another user has too is nobody's business but one's own", async () => {
    const users = [await stack.user({ balance: "100.00" }), await stack.user({ balance: "100.00" })];
    const server = await inStock(stack, "rent-10");
    const answers = [];
    for (const user of users) {
      answers.push(
        await rent(
          stack,
          user,
          server,
          { rental_days: 7, max_charge_cents: 700 },
          { "idempotency-key": "1" },
        ),
      );
    }
    expect(answers.map(({ status }) => status)).toEqual([201, 409]);
    expect(answers[1]?.body.code).toBe("SERVER_NOT_AVAILABLE");
  });

  test.each(["shared", "system"] as const)("is refused for a %s host", async (kind) => {
    const user = await stack.user({ balance: "100.00" });
    const server = await inStock(stack, `host-${kind}`, { kind });
    const { status, body } = await rent(stack, user, server, { rental_days: 7, max_charge_cents: 700 });
    expect(status).toBe(409);
    expect(body.code).toBe("SERVER_NOT_AVAILABLE");
    expect(await available(user.token)).not.toContain(server);
  });

  test("of a server that is not there answers 404", async () => {
    const user = await stack.user({ balance: "100.00" });
    const { status, body } = await rent(stack, user, "0".repeat(24), {
      rental_days: 7,
      max_charge_cents: 700,
    });
    expect(status).toBe(404);
    expect(body.code).toBe("SERVER_NOT_FOUND");
  });
});
