import { afterAll, beforeAll, expect, test } from "bun:test";
import { codeOf } from "../gateway/routes/accounts/token/credentials.ts";
import { asker, inCatalogue } from "../gateway/routes/hosting/image/catalogue.ts";
import { type SharedStack, sharedStack } from "../harness/shared-stack.ts";

let stack: SharedStack;
beforeAll(async () => {
  stack = await sharedStack();
});
afterAll(() => stack.stop());

const hasClientKey = () => ({ "idempotency-key": crypto.randomUUID() });

test("an event's deletion that comes again under its key gets its first answer", async () => {
  const { token } = await stack.user();
  const { body } = await stack.call("GET", "/api/v1/events", { token });
  const path = `/api/v1/events/${body.data.events[0].id}`;
  const headers = hasClientKey();
  const first = await stack.call("DELETE", path, { token, headers });
  expect(first.status).toBe(200);
  expect((await stack.call("DELETE", path, { token, headers })).body).toEqual(first.body);
  expect(codeOf(await stack.call("DELETE", path, { token, headers: hasClientKey() }))).toBe(
    "404 EVENT_NOT_FOUND",
  );
});

test("a deletion by a filter that comes again under its key says how many went the first time", async () => {
  const { token } = await stack.user();
  const request = { token, body: { resource_type: "user" }, headers: hasClientKey() };
  const first = await stack.call("DELETE", "/api/v1/events", request);
  expect(first.body.data).toEqual({ deleted_count: 2 });
  expect((await stack.call("DELETE", "/api/v1/events", request)).body).toEqual(first.body);
  const other = await stack.call("DELETE", "/api/v1/events", { ...request, body: { all: true } });
  expect(codeOf(other)).toBe("409 IDEMPOTENCY_KEY_REUSED");
});

test("a rating and a deletion of an image get their first answers when it was withdrawn", async () => {
  const [user, admin] = [await stack.user({ balance: "5" }), await stack.user({ role: "admin" })];
  const [rated, deleted] = [await inCatalogue(stack), await inCatalogue(stack)];
  const ask = asker(stack, user);
  const [rating, deletion] = [hasClientKey(), hasClientKey()];
  const first = await ask("POST", `rate/${rated}`, { rating: 4 }, rating);
  expect(first.status).toBe(200);
  const withdraw = (id: string) =>
    stack.call("DELETE", `/api/v1/admin/images/${id}`, { token: admin.token, headers: deletion });
  expect([codeOf(await withdraw(deleted)), codeOf(await withdraw(deleted))]).toEqual([200, 200]);
  await stack.call("DELETE", `/api/v1/admin/images/${rated}`, { token: admin.token });
  expect((await ask("POST", `rate/${rated}`, { rating: 4 }, rating)).body).toEqual(first.body);
  expect(codeOf(await ask("POST", `rate/${rated}`, { rating: 4 }, hasClientKey()))).toBe(
    "404 IMAGE_NOT_FOUND",
  );
});

test("a key of a purchase is none of an import, nor the other way round", async () => {
  const ask = asker(stack, await stack.user({ balance: "5" }));
  const [dear, free] = [await inCatalogue(stack, { price: "1" }), await inCatalogue(stack)];
  const [bought, imported] = [hasClientKey(), hasClientKey()];
  expect((await ask("POST", `purchase/${dear}`, undefined, bought)).status).toBe(200);
  const reused = await ask("POST", `import/${free}`, undefined, bought);
  expect(codeOf(reused)).toBe("409 IDEMPOTENCY_KEY_REUSED");
  expect((await ask("POST", `import/${free}`, undefined, imported)).status).toBe(200);
  expect(codeOf(await ask("POST", `purchase/${dear}`, undefined, imported))).toBe(
    "409 IDEMPOTENCY_KEY_REUSED",
  );
});
