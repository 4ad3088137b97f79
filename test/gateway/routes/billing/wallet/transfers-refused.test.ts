import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { type SharedStack, sharedStack, type TestUser } from "../../../../harness/shared-stack.ts";

let stack: SharedStack;
let user: TestUser;
beforeAll(async () => {
  stack = await sharedStack();
  user = await stack.user({ balance: "100" });
});
// Whatever was tried here, nothing moved.
afterAll(async () => {
  const { body } = await stack.call("GET", "/api/v1/wallet/balances", { token: user.token });
  const moved =
    await stack.db`SELECT 1 FROM transactions WHERE user_id = ${user.id} AND transaction_type <> 'credit'`;
  await stack.stop();
  expect(body.data).toMatchObject({ general_balance: "100.00", ai_limit: "0.00" });
  expect(moved).toHaveLength(0);
});

const transfer = (body: unknown, headers = {}) =>
  stack.call("POST", "/api/v1/wallet/transfers", { token: user.token, body, headers });

const refusedField = async (field: string, body: unknown, headers = {}) => {
  const answer = await transfer(body, headers);
  expect(answer.status).toBe(400);
  expect(answer.body).toMatchObject({
    statusCode: 400,
    error: "Bad Request",
    code: "VALIDATION_ERROR",
    data: { field },
  });
  expect(answer.body.message).toStartWith(`${field}: `);
};

describe("an amount that is no amount of dollars and cents is refused", () => {
  const TEXTS = [
    ...[
      "0",
      "0.0",
      "0.00",
      "00",
      "01",
      "00.5",
      "1.",
      ".5",
      ".",
      "",
      "1.234",
      "1e3",
      "1E3",
      "0x10",
      "-1",
      "-0",
      "+1",
    ],
    ...[
      " 1",
      "1 ",
      "1\n",
      "\t1",
      "1,5",
      "1,000",
      "1_000",
      "٣",
      "１",
      "1.٣",
      "NaN",
      "Infinity",
      "1.5.5",
      "1 000",
    ],
    ...[
      "1000000000000",
      "999999999999999",
      "1000000000000000000000",
      "$1",
      "1$",
      "one",
      "1.0000000000000001",
    ],
  ];
  test.each(TEXTS)("%j", (amount) => refusedField("body.amount", { amount }));

  const OTHERS: [unknown][] = [
    [25],
    [0],
    [-1],
    [1e21],
    [25.5],
    [null],
    [true],
    [[]],
    [["25"]],
    [{}],
    [{ usd: "25" }],
  ];
  test.each(OTHERS)("%j, which is no text", (amount) => refusedField("body.amount", { amount }));

  test("10^21 as a bare number, written out", () =>
    refusedField("body.amount", '{"amount": 1000000000000000000000}'));
  test("none", () => refusedField("body.amount", {}));
});

describe("an expected fee outside of 0 to 9999 is refused", () => {
  const FEES: [unknown][] = [[-1], [10_000], [1.5], [500.000001], [1e21], ["500"], [null], [true], [[500]]];
  test.each(FEES)("%j", (expected_fee_bps) =>
    refusedField("body.expected_fee_bps", { amount: "1", expected_fee_bps }),
  );
});

test.each([0, 1, 499, 501, 9_999])(
  "a fee of %d that does not hold is refused with the one that does",
  async (fee) => {
    const { status, body } = await transfer({ amount: "1", expected_fee_bps: fee });
    expect({ status, code: body.code, data: body.data }).toEqual({
      status: 409,
      code: "TRANSFER_FEE_CHANGED",
      data: { fee_bps: 500 },
    });
  },
);

test.each(["100.01", "101", "999999999999.99"])("%s of 100.00 is refused", async (amount) => {
  const { status, body } = await transfer({ amount });
  expect({ status, code: body.code }).toEqual({ status: 400, code: "INSUFFICIENT_BALANCE" });
});

describe("an idempotency key that is no key is refused", () => {
  const KEYS: [unknown][] = [[""], [" "], ["\n\t "], ["k".repeat(129)], [1], [null], [["k"]], [{}]];
  test.each(KEYS)("%j in the body", (idempotency_key) =>
    refusedField("body.idempotency_key", { amount: "1", idempotency_key }),
  );
  test("129 characters in the header", () =>
    refusedField("headers.idempotency-key", { amount: "1" }, { "idempotency-key": "k".repeat(129) }));
  test("nothing in the header", () =>
    refusedField("headers.idempotency-key", { amount: "1" }, { "idempotency-key": "" }));
});

test.each(["note", "Amount", "user_id", "__proto__", "constructor"])("an unknown key %s is refused", (key) =>
  refusedField(`body.${key}`, `{"amount": "1", ${JSON.stringify(key)}: "1"}`),
);

test("another user's money is out of reach: a transfer is always the caller's own", async () => {
  const poor = await stack.user();
  const { body } = await stack.call("POST", "/api/v1/wallet/transfers", {
    token: poor.token,
    body: { amount: "1" },
  });
  expect(body.code).toBe("INSUFFICIENT_BALANCE");
});
