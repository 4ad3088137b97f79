import { afterAll, beforeAll, expect, test } from "bun:test";
import { type EmbeddedStack, startEmbeddedStack, type TestUser } from "../../../../harness/embedded-stack.ts";
import {
  balanceOf,
  callback,
  eventBody,
  has,
  intentOf,
  opened,
  SANDBOX_ENV,
  SECRETS,
  type Signed,
  signed,
  webhookSecret,
} from "./processors.ts";

let stack: EmbeddedStack;
let user: TestUser;
beforeAll(async () => {
  stack = await startEmbeddedStack({ actorHosts: 2, env: SANDBOX_ENV });
  user = await stack.user();
});
afterAll(() => stack.stop());

const minutes = (count: number) => new Date(Date.now() + count * 60_000);
const deposits = async (id: string) =>
  (
    await stack.db`SELECT 1 FROM receipts WHERE actor_id = ${user.id} AND key LIKE ${`wallet.deposit:top-up:${id}:%`}`
  ).length;
const send = (body: string | Uint8Array, headers: Record<string, string>) =>
  fetch(`${stack.url}/api/v1/callbacks/cardpay`, { method: "POST", body: body as never, headers });

async function isRefused(how: Signed, of: (body: string) => string | Uint8Array = (body) => body) {
  const { id, session } = await opened(stack, user, "25");
  const body = eventBody({ intent: id, session });
  const response = await send(of(body), signed(body, how));
  const answer = (await response.json()) as { code: string; message: string };
  expect({ status: response.status, code: answer.code, message: answer.message }).toEqual({
    status: 400,
    code: "INVALID_SIGNATURE",
    message: "invalid signature",
  });
  expect((await intentOf(stack, user, id)).status).toBe("pending");
  expect(await deposits(id)).toBe(0);
}

test("ten settlements at once credit once", async () => {
  const before = Number(await balanceOf(stack, user));
  const { id, session } = await opened(stack, user, "25");
  const answers = await Promise.all(
    Array.from({ length: 10 }, (_, i) => callback(stack, { intent: id, session }, { id: `evt-${i % 5}` })),
  );
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  await has(stack, user, id, "completed");
  expect(await deposits(id)).toBe(1);
  expect(Number(await balanceOf(stack, user))).toBe(before + 25);
});

test("a callback that comes again is answered as well as the first, and changes nothing", async () => {
  const { id, session } = await opened(stack, user, "25");
  const how = { id: `evt_${id}` };
  expect((await callback(stack, { intent: id, session }, how)).status).toBe(200);
  const paid = await has(stack, user, id, "completed");
  expect((await callback(stack, { intent: id, session }, how)).status).toBe(200);
  expect((await callback(stack, { intent: id, session })).status).toBe(200);
  expect(await intentOf(stack, user, id)).toEqual(paid);
  expect(await deposits(id)).toBe(1);
});

test("what is settled stays completed, whatever comes after it", async () => {
  const { id, session } = await opened(stack, user, "25");
  await callback(stack, { intent: id, session });
  const paid = await has(stack, user, id, "completed");
  for (const type of ["payment.expired", "payment.failed"] as const) {
    expect((await callback(stack, { type, intent: id, session })).status).toBe(200);
  }
  expect(await intentOf(stack, user, id)).toEqual(paid);
});

test.each(["failed", "expired"] as const)(
  "a payment that %s ends its intent, and money that comes after all is credited once",
  async (outcome) => {
    const { id, session } = await opened(stack, user, "25");
    const end = await callback(stack, { type: `payment.${outcome}`, intent: id, session });
    expect(end.status).toBe(200);
    expect(await intentOf(stack, user, id)).toMatchObject({ status: outcome, credited_at: null });
    expect(await deposits(id)).toBe(0);
    const answers = await Promise.all([1, 2, 3].map(() => callback(stack, { intent: id, session })));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect((await has(stack, user, id, "completed")).credited_at).not.toBeNull();
    expect(await deposits(id)).toBe(1);
  },
);

test("a secret that is being replaced is still good, and a message may carry several signatures", async () => {
  const older = await opened(stack, user, "25");
  const how = { secret: SECRETS.older };
  expect((await callback(stack, { intent: older.id, session: older.session }, how)).status).toBe(200);
  await has(stack, user, older.id, "completed");
  const both = await opened(stack, user, "25");
  const body = eventBody({ intent: both.id, session: both.session });
  const headers = signed(body);
  headers["webhook-signature"] = `v1,AAAA v2,BBBB ${headers["webhook-signature"]}`;
  expect((await send(body, headers)).status).toBe(200);
  await has(stack, user, both.id, "completed");
});

test("a callback by another secret is refused", () => isRefused({ secret: webhookSecret() }));

test("a callback that was signed six minutes ago, or is dated six minutes ahead, is refused", async () => {
  await isRefused({ at: minutes(-6) });
  await isRefused({ at: minutes(6) });
});

test("a callback from four minutes ago is taken", async () => {
  const { id, session } = await opened(stack, user, "25");
  expect((await callback(stack, { intent: id, session }, { at: minutes(-4) })).status).toBe(200);
});

test("a body that was changed by a byte is refused, in its numbers and in its spaces", async () => {
  await isRefused({}, (body) => body.replace("2500", "9500"));
  await isRefused({}, (body) => `${body} `);
  await isRefused({}, (body) => `\ufeff${body}`);
});

test("a body that reads the same as text and is of other bytes is refused", async () => {
  const { id, session } = await opened(stack, user, "25");
  const text = eventBody({ intent: id, session, currency: "US\ufffd" });
  const bytes = Buffer.from(text);
  const at = bytes.indexOf(Buffer.from("\ufffd"));
  const forged = Buffer.concat([bytes.subarray(0, at), Buffer.from([0xff]), bytes.subarray(at + 3)]);
  expect((await send(forged, signed(text))).status).toBe(400);
});

test.each([
  ["id", { headers: { "webhook-id": "another" } }],
  ["timestamp", { headers: { "webhook-timestamp": "0" } }],
  ["timestamp", { headers: { "webhook-timestamp": "now" } }],
  ["signature", { headers: { "webhook-signature": "" } }],
  ["signature", { headers: { "webhook-signature": "v1," } }],
  ["signature", { headers: { "webhook-signature": "v1" } }],
])("another %s than was signed is refused: %j", (_what, how) => isRefused(how));

test("a callback without any signature is refused before its body is looked at", async () => {
  for (const body of ["", "{", "[]", eventBody({ intent: "x", session: "y" })]) {
    const response = await send(body, {});
    expect([response.status, ((await response.json()) as { code: string }).code]).toEqual([
      400,
      "INVALID_SIGNATURE",
    ]);
  }
});

test("a signed callback that is no event is refused by what is wrong in it", async () => {
  for (const [body, field] of [
    ["{", "body"],
    ["null", "body"],
    ['{"type":"payment.settled"}', "body.data"],
    ['{"type":"ping","data":{}}', "body.type"],
  ] as const) {
    const answer = await stack.call("POST", "/api/v1/callbacks/cardpay", { body, headers: signed(body) });
    expect({ status: answer.status, data: answer.body.data }).toEqual({
      status: 400,
      data: { field },
    });
  }
});

test("a secret of one provider signs nothing for the other, and no event settles the other's intent", async () => {
  const { id, session } = await opened(stack, user, "25");
  const wrong = await callback(stack, { intent: id, session }, {}, "cryptopay");
  expect(wrong.body.code).toBe("INVALID_SIGNATURE");
  const secret = SANDBOX_ENV.BERTH_CRYPTOPAY_WEBHOOK_SECRETS;
  const other = await callback(stack, { intent: id, session }, { secret }, "cryptopay");
  expect({ status: other.status, code: other.body.code }).toEqual({
    status: 404,
    code: "PAYMENT_INTENT_NOT_FOUND",
  });
  expect((await intentOf(stack, user, id)).status).toBe("pending");
});

test("what another processor opened is not settled by one that a gateway was switched to", async () => {
  const { id, session } = await opened(stack, user, "25");
  const settled = { session_id: session, paid_cents: 2500, currency: "USD", reported: "", is_final: true };
  const settle = (adapter: "sandbox" | "stripe") =>
    stack.actors.top_up(id).settle({ provider: "cardpay", adapter, ...settled });
  const refusal = await settle("stripe").catch((error) => error.code);
  expect(refusal).toBe("PAYMENT_INTENT_NOT_FOUND");
  expect((await intentOf(stack, user, id)).status).toBe("pending");
  await settle("sandbox");
  await has(stack, user, id, "completed");
});

test("an event of an intent that is not here is answered 404, so that the processor keeps it", async () => {
  const { status, body } = await callback(stack, { intent: "0".repeat(24), session: "sbx_1" });
  expect({ status, code: body.code }).toEqual({ status: 404, code: "PAYMENT_INTENT_NOT_FOUND" });
  expect(await stack.db`SELECT 1 FROM payment_intents WHERE id = ${"0".repeat(24)}`).toHaveLength(0);
});

test("a body larger than any event is refused unread", async () => {
  const { status, body } = await stack.call("POST", "/api/v1/callbacks/cardpay", {
    body: "x".repeat(256 * 1024 + 1),
  });
  expect({ status, code: body.code }).toEqual({ status: 413, code: "PAYLOAD_TOO_LARGE" });
});

test("a signed event with text that is none of a name is refused by its field, and its intent stays open", async () => {
  const { id, session } = await opened(stack, user, "25");
  for (const [field, event] of [
    ["session_id", { session: "sbx_\u0000" }],
    ["session_id", { session: "sbx_\ud800" }],
    ["session_id", { session: "" }],
    ["currency", { currency: "US\u0000" }],
    ["currency", { currency: "ß".repeat(16) }],
  ] as const) {
    const { status, body } = await callback(stack, { intent: id, session, ...event });
    expect({ status, code: body.code, data: body.data }).toEqual({
      status: 400,
      code: "VALIDATION_ERROR",
      data: { field: `body.data.${field}` },
    });
  }
  expect((await intentOf(stack, user, id)).status).toBe("pending");
});
