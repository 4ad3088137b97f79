import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { inlined } from "../../../../harness/inlined-document.ts";
import { type SharedStack, sharedStack, type TestUser } from "../../../../harness/shared-stack.ts";

const PATH = "/api/v1/wallet/payment-methods";
const MISSING = "0123456789abcdef01234567";
const CARD = { last4: "4242", brand: "visa", exp_month: 12, exp_year: 2031 };

let stack: SharedStack;
/** Whose requests are refused: sign-ups are limited. */
let refusedUser: TestUser;
beforeAll(async () => {
  stack = await sharedStack();
  refusedUser = await stack.user();
});
afterAll(() => stack.stop());

const by = ({ token }: TestUser) => ({
  list: async () => (await stack.call("GET", `${PATH}/`, { token })).body.data,
  get: (id: string) => stack.call("GET", `${PATH}/${id}`, { token }),
  add: (body: unknown, headers = {}) => stack.call("POST", `${PATH}/`, { token, body, headers }),
  put: (id: string, body: unknown) => stack.call("PUT", `${PATH}/${id}`, { token, body }),
  makeDefault: (id: string) => stack.call("PUT", `${PATH}/${id}/default`, { token }),
  delete: (id: string) => stack.call("DELETE", `${PATH}/${id}`, { token }),
});

const bank = (name: string) => ({ type: "sepa", name, details: { iban: "DE89370400440532013000" } });
const defaults = (methods: { id: string; is_default: boolean }[]) =>
  methods.filter((one) => one.is_default).map((one) => one.id);

describe("a user", () => {
  test("adds a card by what it is known by; any other key is refused and not dropped in silence", async () => {
    const user = await stack.user();
    const asked = { type: "credit_card", name: "The blue one" };
    const refused = await by(user).add({ ...asked, details: { ...CARD, holder: "Ada" } });
    expect([refused.status, refused.body.data]).toEqual([400, { field: "body.details.holder" }]);
    const { status, body } = await by(user).add({ ...asked, details: CARD });
    expect(status).toBe(201);
    expect(body.data).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{24}$/),
      user_id: user.id,
      type: "credit_card",
      name: "The blue one",
      status: "active",
      details: CARD,
      is_default: true,
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      updated_at: body.data.created_at,
    });
    expect(await by(user).list()).toEqual([body.data]);
    expect((await by(user).get(body.data.id)).body.data).toEqual(body.data);
  });

  test("adds anything else with details as they are", async () => {
    const user = await stack.user();
    const details = { address: { lines: ["Hafenstraße 12", "Гавань"] }, verified: true, score: 0.5 };
    const { body } = await by(user).add({ type: "sepa", name: "Банк 銀行", details });
    expect(body.data).toMatchObject({ name: "Банк 銀行", details });
  });

  test("has one default: the first, then the chosen one, then the one that takes a deleted one's place", async () => {
    const user = by(await stack.user());
    const ids: string[] = [];
    for (const name of ["a", "b", "c"]) ids.push((await user.add(bank(name))).body.data.id);
    const [first = "", second = "", third = ""] = ids;
    expect(defaults(await user.list())).toEqual([first]);
    const chosen = await user.makeDefault(second);
    expect([chosen.status, chosen.body.data.is_default]).toEqual([200, true]);
    expect(defaults(await user.list())).toEqual([second]);
    const deleted = await user.delete(second);
    expect([deleted.status, deleted.body]).toEqual([
      200,
      { statusCode: 200, message: "Payment method deleted" },
    ]);
    expect(defaults(await user.list())).toEqual([third]);
    expect((await user.put(first, { is_default: true })).body.data.is_default).toBe(true);
    expect((await user.put(first, { status: "inactive" })).body.data).toMatchObject({
      status: "inactive",
      is_default: false,
    });
    expect(defaults(await user.list())).toEqual([third]);
  });

  test("changes details and status", async () => {
    const user = by(await stack.user());
    const { body } = await user.add({ type: "card", name: "a", details: CARD });
    const changed = await user.put(body.data.id, {
      details: { ...CARD, exp_year: 2035 },
      status: "inactive",
    });
    expect([changed.status, changed.body.data]).toEqual([
      200,
      {
        ...body.data,
        details: { ...CARD, exp_year: 2035 },
        status: "inactive",
        updated_at: changed.body.data.updated_at,
      },
    ]);
    expect(changed.body.data.updated_at >= body.data.updated_at).toBe(true);
    expect((await user.get(body.data.id)).body.data).toEqual(changed.body.data);
  });

  test("who asks twice under one key adds one method", async () => {
    const user = by(await stack.user());
    const [one, two] = await Promise.all(
      [1, 2].map(() => user.add(bank("a"), { "idempotency-key": "only once" })),
    );
    expect(one?.body.data).toEqual(two?.body.data);
    expect(await user.list()).toHaveLength(1);
  });

  test("many added at once all become methods, of which one is the default", async () => {
    const user = by(await stack.user());
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, i) => user.add({ ...bank(`m${i}`), is_default: i % 3 === 0 })),
    );
    expect(answers.every(({ status }) => status === 201)).toBe(true);
    const list = await user.list();
    expect(list).toHaveLength(20);
    expect(defaults(list)).toHaveLength(1);
  });

  test("has fifty methods at most", async () => {
    const user = by(await stack.user());
    await Promise.all(Array.from({ length: 50 }, (_, i) => user.add(bank(`m${i}`))));
    const { status, body } = await user.add(bank("one more"));
    expect([status, body.code, body.data]).toEqual([
      403,
      "QUOTA_EXCEEDED",
      { quota: "payment_methods_per_user", scope: "user", limit: 50, used: 50 },
    ]);
    expect(await user.list()).toHaveLength(50);
  });
});

test("the API text of every status and is_default, also in requests, says that no saved method is charged", async () => {
  const { paths } = inlined((await stack.call("GET", "/openapi/json")).body);
  const base = "/api/v1/wallet/payment-methods";
  const list = paths[`${base}/`] ?? paths[base];
  const bodyOf = (route: { requestBody: { content: Record<string, { schema: { properties: object } }> } }) =>
    route.requestBody.content["application/json"]?.schema.properties as Record<
      string,
      { description?: string }
    >;
  const [created, changed] = [bodyOf(list.post), bodyOf(paths[`${base}/{id}`].put)];
  for (const field of [created.is_default, changed.is_default, changed.status])
    expect(field?.description).toContain("Berth charges no saved method");
});

test("paths go with and without a slash at their end", async () => {
  const { token } = await stack.user();
  for (const path of [PATH, `${PATH}/`]) {
    expect((await stack.call("POST", path, { token, body: bank("a") })).status).toBe(201);
    expect((await stack.call("GET", path, { token })).status).toBe(200);
  }
});

test("another user's method answers as one that is not there, and is left alone", async () => {
  const owner = by(await stack.user());
  const other = by(await stack.user());
  const { id } = (await owner.add(bank("a"))).body.data;
  const before = await owner.list();
  const asked = (user: typeof other, one: string) =>
    Promise.all([
      user.get(one),
      user.put(one, { status: "inactive" }),
      user.makeDefault(one),
      user.delete(one),
    ]);
  const [theirs, missing] = [await asked(other, id), await asked(other, MISSING)];
  for (const [index, answer] of theirs.entries()) {
    expect([answer.status, answer.body]).toEqual([404, missing[index]?.body]);
    expect(answer.body).toMatchObject({
      code: "PAYMENT_METHOD_NOT_FOUND",
      message: "Payment method not found",
    });
  }
  expect(await owner.list()).toEqual(before);
  expect(await other.list()).toEqual([]);
});

describe("refused with 400 and the field's name:", () => {
  test.each([
    ["body.type", { name: "a" }],
    ["body.name", { type: "sepa" }],
    ["body.name", { type: "sepa", name: " " }],
    ["body.name", { type: "sepa", name: "a\nb" }],
    ["body.name", { type: "sepa", name: "x".repeat(101) }],
    ["body.type", { type: "x".repeat(51), name: "a" }],
    ["body.details", { type: "sepa", name: "a", details: [] }],
    ["body.details", { type: "sepa", name: "a", details: { a: { b: { c: { d: { e: 1 } } } } } }],
    ["body.details", { type: "sepa", name: "a", details: { a: "x".repeat(4_100) } }],
    ["body.details.exp_month", { type: "card", name: "a", details: { exp_month: 13 } }],
    ["body.is_default", { type: "sepa", name: "a", is_default: "true" }],
    ["body.status", { type: "sepa", name: "a", status: "inactive" }],
    ["body.details.number", { type: "card", name: "a", details: { number: "4242 4242 4242 4242" } }],
    ["body.details.cvc", { type: "card", name: "a", details: { cvc: "123" } }],
    ["body", { type: "card", name: "a", "4242424242424242": 1 }],
  ])("%s, adding %j", async (field, body) => {
    const user = by(refusedUser);
    const before = await user.list();
    const answer = await user.add(body);
    expect([answer.status, answer.body.code, answer.body.data]).toEqual([400, "VALIDATION_ERROR", { field }]);
    expect(await user.list()).toEqual(before);
  });

  test.each([
    ["body", {}],
    ["body.status", { status: "gone" }],
    ["body.name", { name: "b" }],
    ["body.details.a", { details: { a: 4_242_424_242_424_242 } }],
    ["body.is_default", { is_default: true, status: "inactive" }],
  ])("%s, changing to %j", async (field, body) => {
    const user = by(refusedUser);
    const { id } = (await user.add(bank("a"))).body.data;
    const answer = await user.put(id, body);
    expect([answer.status, answer.body.data]).toEqual([400, { field }]);
  });
});

test("a card number that was sent is in no answer, in no log and in no table", async () => {
  const user = by(await stack.user());
  const secret = "5555 5555 5555 4444";
  const { id } = (await user.add(bank("a"))).body.data;
  const answers = await Promise.all([
    user.add({ type: "card", name: "a", details: { number: secret } }),
    user.add({ type: secret, name: "a" }),
    user.add({ [secret]: secret }),
    user.add({ type: "card", name: "a", details: { [secret]: 1 } }),
    user.put(id, { details: { deep: [{ er: secret }] } }),
    user.put(id, { [secret]: 1 }),
  ]);
  const isIn = (text: string) => text.replace(/[\s-]/g, "").includes("5555555555554444");
  for (const { status, body } of answers) {
    expect(status).toBe(400);
    expect(isIn(JSON.stringify(body))).toBe(false);
  }
  const logs = readdirSync(stack.logs).filter((name) => name.endsWith(".log"));
  expect(logs).toContain("gateway.log");
  for (const name of logs) expect(isIn(readFileSync(join(stack.logs, name), "utf8"))).toBe(false);
  const rows = await stack.db`
    SELECT m::text FROM payment_methods m UNION ALL SELECT r::text FROM receipts r UNION ALL SELECT e::text FROM events e`;
  expect(rows.length).toBeGreaterThan(0);
  expect(rows.some((row) => isIn(String(Object.values(row)[0])))).toBe(false);
});
