import { afterAll, beforeAll, expect, test } from "bun:test";
import { type EmbeddedStack, startEmbeddedStack, type TestUser } from "../../../../harness/embedded-stack.ts";
import { until } from "../../../../harness/until.ts";
import { balanceOf, callback, type Event, has, intentOf, opened, SANDBOX_ENV } from "./processors.ts";

let stack: EmbeddedStack;
let admin: TestUser;
beforeAll(async () => {
  stack = await startEmbeddedStack({ actorHosts: 2, env: SANDBOX_ENV });
  admin = await stack.user({ role: "admin" });
});
afterAll(() => stack.stop());

const PATH = "/api/v1/admin/payments/reviews";
const reviews = async (query = "") =>
  (await stack.call("GET", `${PATH}${query}`, { token: admin.token })).body.data;
const reviewOf = async (intentId: string) => {
  const found = (await reviews("?limit=100")).reviews.find(
    (review: { intent_id: string }) => review.intent_id === intentId,
  );
  if (found === undefined) throw new Error("no review");
  return found;
};
const resolve = (id: string, body: object, token = admin.token) =>
  stack.call("POST", `${PATH}/${id}/resolve`, { token, body });

/** A user with an intent of 25.00 for which something else was paid. */
async function flagged(paid: Partial<Event>) {
  const user = await stack.user();
  const { id, session } = await opened(stack, user, "25");
  expect((await callback(stack, { intent: id, session, ...paid })).status).toBe(200);
  return { user, id, session, review: await reviewOf(id) };
}

test.each([
  ["another amount", { cents: 2499 }, { reason: "amount_mismatch", paid_amount: 24.99 }],
  ["more", { cents: 2501 }, { reason: "amount_mismatch", paid_amount: 25.01 }],
  ["another currency", { currency: "EUR" }, { reason: "currency_mismatch", paid_amount: null }],
  ["another session", { session: "sbx_other" }, { reason: "other_session", paid_amount: 25 }],
])("%s credits nothing and is put before the operator", async (_what, paid, shown) => {
  const { user, id, review } = await flagged(paid);
  expect(review).toMatchObject({
    ...shown,
    user_id: user.id,
    provider: "cardpay",
    expected_amount: 25,
    status: "open",
    credited_amount: 0,
    resolved_by: null,
  });
  expect(await intentOf(stack, user, id)).toMatchObject({ status: "pending", credited_at: null });
  expect(await balanceOf(stack, user)).toBe("0.00");
});

test("the same settlement told again makes no second review", async () => {
  const { id, session } = await flagged({ cents: 2000 });
  await callback(stack, { intent: id, session, cents: 2000 });
  expect(await stack.db`SELECT 1 FROM payment_reviews WHERE intent_id = ${id}`).toHaveLength(1);
});

test("credit brings what was paid to the wallet once, however often it is asked for", async () => {
  const { user, id, session, review } = await flagged({ cents: 2000 });
  const answers = await Promise.all(
    Array.from({ length: 10 }, () => resolve(review.id, { action: "credit", note: "as paid" })),
  );
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  expect(answers.filter(({ body }) => body.code === "REVIEW_RESOLVED")).toHaveLength(9);
  expect(await balanceOf(stack, user)).toBe("20.00");
  expect(await intentOf(stack, user, id)).toMatchObject({
    status: "completed",
    amount: 25,
    credited_amount: 20,
  });
  expect(await reviewOf(id)).toMatchObject({
    status: "credited",
    credited_amount: 20,
    note: "as paid",
    resolved_by: admin.id,
  });
  // The processor says the same again.
  await callback(stack, { intent: id, session, cents: 2000 });
  expect(await reviewOf(id)).toMatchObject({ status: "credited" });
  expect(await balanceOf(stack, user)).toBe("20.00");
});

test("what is paid on top of a credited part is credited for the rest alone", async () => {
  const { user, id, session, review } = await flagged({ cents: 2000 });
  await resolve(review.id, { action: "credit", note: "a part" });
  await callback(stack, { intent: id, session, cents: 2500 });
  await until(async () => (await balanceOf(stack, user)) === "25.00");
  await callback(stack, { intent: id, session, cents: 3000 });
  const more = await reviewOf(id);
  expect(more).toMatchObject({ status: "open", reason: "amount_mismatch", paid_amount: 30 });
  await resolve(more.id, { action: "credit", note: "the rest" });
  expect(await balanceOf(stack, user)).toBe("30.00");
  expect(await intentOf(stack, user, id)).toMatchObject({ amount: 25, credited_amount: 30 });
});

test("an intent tells what another session brought to the wallet for it, and null while nothing came", async () => {
  const { user, id, session, review } = await flagged({ session: "sbx_another", cents: 700 });
  expect(await intentOf(stack, user, id)).toMatchObject({ credited_amount: null, credited_at: null });
  await resolve(review.id, { action: "credit", note: "the wrong page" });
  expect(await intentOf(stack, user, id)).toMatchObject({ status: "pending", credited_amount: 7 });
  await callback(stack, { intent: id, session });
  expect(await has(stack, user, id, "completed")).toMatchObject({ amount: 25, credited_amount: 32 });
});

test("a review that nobody has decided on is closed when all of it is paid", async () => {
  const { user, id, session } = await flagged({ cents: 2000 });
  await callback(stack, { intent: id, session, cents: 2500 });
  await has(stack, user, id, "completed");
  expect(await balanceOf(stack, user)).toBe("25.00");
  expect(await reviewOf(id)).toMatchObject({ status: "dismissed", credited_amount: 0 });
});

test("dismiss brings nothing, is final, and is in the operator's log with the note and in the user's without", async () => {
  const { user, id, review } = await flagged({ cents: 1 });
  const { status, body } = await resolve(review.id, { action: "dismiss", note: "sent back" });
  expect(status).toBe(200);
  expect(body.data).toMatchObject({ id: review.id, status: "dismissed", note: "sent back" });
  const again = await resolve(review.id, { action: "credit", note: "or not" });
  expect({ status: again.status, code: again.body.code }).toEqual({ status: 409, code: "REVIEW_RESOLVED" });
  expect(await balanceOf(stack, user)).toBe("0.00");
  const settled = async ({ token }: TestUser) => {
    const query = "/api/v1/events?event_type=activity_log.payment_settled";
    const { events } = (await stack.call("GET", query, { token })).body.data;
    return events
      .map(({ data }: { data: Record<string, unknown> }) => data)
      .filter((data: Record<string, unknown>) => data.intent_id === id);
  };
  const own = await settled(user);
  expect(own.map(({ outcome }: { outcome: string }) => outcome)).toEqual(["dismissed", "under_review"]);
  expect(JSON.stringify(own)).not.toContain("sent back");
  expect(await settled(admin)).toMatchObject([{ outcome: "dismissed", note: "sent back", of_user: user.id }]);
});

test("money of another currency cannot be credited as dollars", async () => {
  const { user, review } = await flagged({ currency: "JPY" });
  const { status, body } = await resolve(review.id, { action: "credit", note: "?" });
  expect({ status, code: body.code }).toEqual({ status: 409, code: "REVIEW_NOT_CREDITABLE" });
  expect(await balanceOf(stack, user)).toBe("0.00");
  expect((await resolve(review.id, { action: "dismiss", note: "by hand" })).status).toBe(200);
});

test("reviews come in pages and by status; wrong queries and bodies are named", async () => {
  const { total } = await reviews();
  expect(total).toBeGreaterThan(0);
  expect((await reviews("?limit=1")).reviews).toHaveLength(1);
  const open = await reviews("?status=open&limit=100");
  expect(new Set(open.reviews.map(({ status }: { status: string }) => status))).toEqual(new Set(["open"]));
  expect(open.total).toBeLessThan(total);
  const wrong = await stack.call("GET", `${PATH}?limit=0`, { token: admin.token });
  expect(wrong.body.data).toEqual({ field: "query.limit" });
  const id = open.reviews[0].id;
  for (const [field, body] of [
    ["note", { action: "credit" }],
    ["note", { action: "credit", note: " " }],
    ["action", { action: "refund", note: "x" }],
    ["amount", { action: "credit", note: "x", amount: "5" }],
  ] as const) {
    expect((await resolve(id, body)).body.data).toEqual({ field: `body.${field}` });
  }
  const missing = await resolve("0".repeat(24), { action: "dismiss", note: "x" });
  expect({ status: missing.status, code: missing.body.code }).toEqual({
    status: 404,
    code: "REVIEW_NOT_FOUND",
  });
});

test("nobody but an administrator sees or resolves reviews, not even of his own payments", async () => {
  const { user, review } = await flagged({ cents: 99 });
  for (const [method, path, body] of [
    ["GET", PATH, undefined],
    ["GET", `${PATH}/${review.id}`, undefined],
    ["POST", `${PATH}/${review.id}/resolve`, { action: "credit", note: "mine" }],
  ] as const) {
    expect((await stack.call(method, path, { token: user.token, ...(body && { body }) })).status).toBe(403);
  }
  expect(await balanceOf(stack, user)).toBe("0.00");
});
