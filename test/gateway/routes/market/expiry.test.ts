import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { newId } from "../../../../actors/platform/ids.ts";
import { type EmbeddedStack, startEmbeddedStack } from "../../../harness/embedded-stack.ts";
import { until } from "../../../harness/until.ts";
import { rentServer, tenant } from "../hosting/container/hosting.ts";
import { extend, rented } from "./stock.ts";

let stack: EmbeddedStack;
beforeAll(async () => {
  stack = await startEmbeddedStack({ servers: ["ends-1"], env: { BERTH_GRACE_MINUTES: "0" } });
});
afterAll(() => stack.stop());

const statusOf = async (serverId: string) => {
  const [row] = await stack.db<{ status: string }[]>`SELECT status FROM servers WHERE id = ${serverId}`;
  return row?.status;
};
const rentalOf = async (serverId: string) => {
  const [row] = await stack.db<{ id: string }[]>`
    SELECT id FROM rentals WHERE server_id = ${serverId} ORDER BY created_at DESC LIMIT 1`;
  return row?.id ?? "";
};

describe("the end of a rental", () => {
  test("comes by itself, and brings the server back into stock", async () => {
    const user = await stack.user();
    const server = await rentServer(stack, user, "ends-2", new Date(Date.now() + 1_000));
    const rental = await rentalOf(server);
    await until(async () => (await statusOf(server)) === "in_stock");
    const { body } = await stack.call("GET", `/api/v1/rentals/${rental}`, { token: user.token });
    expect(body.data.status).toBe("ended");
    const events = await stack.db<{ event_type: string }[]>`
      SELECT event_type FROM events WHERE resource_id = ${server} AND event_type IN ('server.expired', 'server.released')
      ORDER BY created_at, id`;
    expect(events.map(({ event_type }) => event_type)).toEqual(["server.expired", "server.released"]);
  });

  test("is told of in the inbox before it comes, when so many days are left", async () => {
    const user = await stack.user();
    const DAY_MS = 86_400_000;
    await rentServer(stack, user, "ends-5", new Date(Date.now() + DAY_MS + 1_500));
    const notices = async () => {
      const { body } = await stack.call("GET", "/api/v1/notifications/", { token: user.token });
      return body.data.notifications as { title: string; level: string }[];
    };
    const notice = await until(async () => (await notices()).find(({ title }) => title.includes("ends-5")));
    expect(notice).toMatchObject({ title: "The rental of ends-5 ends in 1 day", level: "warning" });
  });

  test("is not moved further than anybody plans for", async () => {
    const user = await stack.user({ balance: "100.00" });
    const { rental } = await rented(stack, user, "ends-6", { prices: { "7": 1, "3650": 1 } });
    let end = rental.rental_end;
    const answers = [];
    for (let i = 0; i < 2; i++) {
      const answer = await extend(stack, user, rental.id, {
        expected_rental_end: end,
        additional_days: 3_650,
      });
      answers.push(answer.status);
      end = answer.body.data?.rental_end ?? end;
    }
    expect(answers).toEqual([200, 400]);
  });

  test("is seen by a reader the moment it has come, and cannot be moved any more", async () => {
    const user = await stack.user({ balance: "100.00" });
    const server = await rentServer(stack, user, "ends-3", new Date(Date.now() - 1_000));
    const rental = await rentalOf(server);
    const { body } = await stack.call("GET", `/api/v1/rentals/${rental}`, { token: user.token });
    expect(body.data.status).toBe("ended");
    const late = await extend(stack, user, rental, {
      expected_rental_end: body.data.rental_end,
      additional_days: 7,
      max_charge_cents: 10_000,
    });
    expect(late.status).toBe(409);
    expect(late.body.code).toBe("RENTAL_ENDED");
  });

  test("stops what runs on the server, and takes it away before the next one rents it", async () => {
    const { container, call } = await tenant(stack, "ends-1");
    const id = await container("web");
    const [{ server_id: server } = { server_id: "" }] = await stack.db<{ server_id: string }[]>`
      SELECT server_id FROM containers WHERE id = ${id}`;
    const rental = await rentalOf(server);
    const desired = async () => {
      const [row] = await stack.db<{ desired_state: string }[]>`
        SELECT desired_state FROM containers WHERE id = ${id}`;
      return row?.desired_state;
    };
    expect(await desired()).toBe("running");
    // The rental's own last change may still be under way, and would write its end again.
    await until(async () => {
      await stack.db`UPDATE rentals SET rental_end = now() WHERE id = ${rental}`;
      const refused = [await call("POST", `/${id}/start`), await call("POST", `/${id}/restart`)];
      return refused.every(({ status, body }) => status === 409 && body.code === "RENTAL_ENDED");
    });
    await stack.actors.server(server).release({ rental_id: rental });
    await until(async () => (await desired()) === "deleted");
    // Its host has not said yet that it is gone: nobody else gets the server before.
    expect(await statusOf(server)).toBe("cleaning");
    await stack.actors.container(id).report({
      revision: 1_000,
      state: "deleted",
      driver: "oci",
      address: null,
      error: null,
      reported_at: new Date().toISOString(),
    });
    await until(async () => (await statusOf(server)) === "in_stock");
  });

  test("is found even where its timer is missing", async () => {
    const user = await stack.user();
    const server = await rentServer(stack, user, "ends-4");
    const rental = newId();
    await stack.db`
      INSERT INTO rentals (id, version, server_id, server_name, user_id, status, rental_start, rental_end, live_prices, created_at, updated_at)
      SELECT ${rental}, 1, server_id, server_name, user_id, 'ended', now(), now(), '{}', now(), now()
      FROM rentals WHERE server_id = ${server}`;
    await stack.db`UPDATE rentals SET status = 'active', server_id = (SELECT id FROM servers WHERE name = 'ends-2')
      WHERE id = ${rental}`;
    await until(async () => {
      const [row] = await stack.db<{ status: string }[]>`SELECT status FROM rentals WHERE id = ${rental}`;
      return row?.status === "ended";
    });
  });
});
