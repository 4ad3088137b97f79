import { afterAll, beforeAll, expect, test } from "bun:test";
import { type EmbeddedStack, startEmbeddedStack } from "../../harness/embedded-stack.ts";
import { recordCall } from "../../harness/record-examples.ts";
import { until } from "../../harness/until.ts";
import { as } from "../routes/accounts/pool/team.ts";
import { callback, opened, SANDBOX_ENV } from "../routes/billing/top-up/processors.ts";
import { tenant } from "../routes/hosting/container/hosting.ts";
import { inCatalogue, png } from "../routes/hosting/image/catalogue.ts";

/** What a list shows and what is read by its id are the same. The description of the API takes its examples from here too. */

let stack: EmbeddedStack;
beforeAll(async () => {
  stack = await startEmbeddedStack({ env: SANDBOX_ENV, servers: ["examples", "shared"] });
});
afterAll(() => stack.stop());

test("a review, a delivery and a rented server that are read by their ids are those of their lists", async () => {
  const [ours, admin] = await Promise.all([tenant(stack, "examples"), stack.user({ role: "admin" })]);
  const [call, operate] = [as(stack, ours.user), as(stack, admin)];
  const { id, session } = await opened(stack, ours.user, "25");
  await callback(stack, { intent: id, session, cents: 2_400 });
  const [review] = (await operate("GET", "/admin/payments/reviews")).body.data.reviews;
  expect((await operate("GET", `/admin/payments/reviews/${review.id}`)).body.data).toEqual(review);

  const webhook = (await call("POST", "/webhooks", { url: "https://hooks.invalid/" })).body.data.id;
  await call("POST", `/webhooks/${webhook}/test`);
  const delivery = await until(async () => {
    const { deliveries } = (await call("GET", `/webhooks/${webhook}/deliveries`)).body.data;
    return deliveries[0];
  });
  const read = await call("GET", `/webhooks/${webhook}/deliveries/${delivery.id}`);
  expect([read.status, read.body.data.id]).toEqual([200, delivery.id]);

  const [rental] = (await call("GET", "/servers")).body.data;
  expect((await call("GET", `/servers/${rental.id}`)).body.data).toEqual(rental);
});

test("who may enter some services of a container is told their addresses and the aliases for them", async () => {
  const [ours, guest] = await Promise.all([tenant(stack, "shared"), stack.user()]);
  const container = await ours.container("shared");
  const alias = { container_id: container, program: "files", index: 1 };
  expect((await as(stack, ours.user)("POST", "/proxy/aliases", alias)).status).toBe(201);
  const permission = { username: guest.username, services: ["terminal", "files"] };
  expect((await ours.call("POST", `/${container}/permissions`, permission)).status).toBe(201);
  const { data } = (await as(stack, guest)("POST", `/containers/${container}/access`)).body;
  expect(data).toMatchObject({ services: ["terminal", "files"], aliases: [{ program: "files" }] });
  expect(Object.keys(data.urls)).toContain("terminal");
});

test("a gateway with its database and NATS is ready", async () => {
  const ready = await until(async () => {
    const answer = await stack.call("GET", "/health/ready");
    return answer.status === 200 && answer;
  });
  expect(ready.body).toMatchObject({ data: { nats: "up", postgres: "up" } });
});

test("an icon that was set is in the record of its image", async () => {
  const admin = await stack.user({ role: "admin" });
  const path = `/api/v1/admin/images/${await inCatalogue(stack)}/icon`;
  const response = await fetch(stack.url + path, {
    method: "PUT",
    body: new Uint8Array(png(8, 8)),
    headers: { authorization: `Bearer ${admin.token}`, "content-type": "image/png" },
  });
  const [status, reply] = [response.status, (await response.json()) as { data: { icon_url: string } }];
  // The picture itself is no JSON, so the example has the reply alone.
  recordCall({ method: "PUT", path, body: undefined, status, reply });
  expect([status, reply.data.icon_url]).toEqual([200, expect.stringContaining("/icon")]);
});
