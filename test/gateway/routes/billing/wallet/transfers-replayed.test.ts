import { afterAll, beforeAll, expect, test } from "bun:test";
import { type SharedStack, sharedStack } from "../../../../harness/shared-stack.ts";

let stack: SharedStack;
beforeAll(async () => {
  stack = await sharedStack();
});
afterAll(() => stack.stop());

const transfer = (token: string, body: object, headers = {}) =>
  stack.call("POST", "/api/v1/wallet/transfers", { token, body, headers });
const balanceOf = async (token: string): Promise<string> =>
  (await stack.call("GET", "/api/v1/wallet/balances", { token })).body.data.general_balance;

test("a replayed transfer moves no money and returns the first receipt", async () => {
  const { token } = await stack.user({ balance: "100" });
  const first = await transfer(token, { amount: "10", idempotency_key: "k" });
  const second = await transfer(token, { amount: "10.00", idempotency_key: "k" });
  expect(second.status).toBe(200);
  expect(second.body.data).toEqual({ ...first.body.data, replayed: true });
  expect(await balanceOf(token)).toBe("90.00");
});

test("amounts are one by their value, however they are written", async () => {
  const { token } = await stack.user({ balance: "100" });
  await transfer(token, { amount: "2.50", idempotency_key: "k" });
  const again = await transfer(token, { amount: "2.5", idempotency_key: "k" });
  expect(again.body.data).toMatchObject({ gross_transferred: "2.50", replayed: true });
  expect(await balanceOf(token)).toBe("97.50");
});

test("a replay is answered though the wallet has been emptied since", async () => {
  const { token } = await stack.user({ balance: "30" });
  const first = await transfer(token, { amount: "20", idempotency_key: "k" });
  await transfer(token, { amount: "10" });
  const second = await transfer(token, { amount: "20", idempotency_key: "k" });
  expect(second.body.data).toEqual({ ...first.body.data, replayed: true });
  expect(second.body.data.general_balance).toBe("10.00");
  expect(await balanceOf(token)).toBe("0.00");
});

test("a replay is answered though it states a fee that no longer holds", async () => {
  const { token } = await stack.user({ balance: "30" });
  const first = await transfer(token, { amount: "20", idempotency_key: "k", expected_fee_bps: 500 });
  const second = await transfer(token, { amount: "20", idempotency_key: "k", expected_fee_bps: 499 });
  expect(second.status).toBe(200);
  expect(second.body.data).toEqual({ ...first.body.data, replayed: true });
});

test("a key that comes with another amount is refused, and nothing moves", async () => {
  const { token } = await stack.user({ balance: "100" });
  await transfer(token, { amount: "10", idempotency_key: "k" });
  for (const amount of ["10.01", "100", "1000000"]) {
    const { status, body } = await transfer(token, { amount, idempotency_key: "k" });
    expect({ status, code: body.code }).toEqual({ status: 409, code: "TRANSFER_IDEMPOTENCY_KEY_REUSED" });
  }
  expect(await balanceOf(token)).toBe("90.00");
});

test("a refused transfer does not use up its key", async () => {
  const user = await stack.user({ balance: "5" });
  const body = { amount: "10", idempotency_key: "k" };
  expect((await transfer(user.token, body)).body.code).toBe("INSUFFICIENT_BALANCE");
  await stack.actors.wallet(user.id).credit({ amount: "5", reason: "test", idempotency_key: "more" });
  expect((await transfer(user.token, body)).body.data).toMatchObject({
    replayed: false,
    general_balance: "0.00",
  });
  expect((await transfer(user.token, body)).body.data.replayed).toBe(true);
});

test("the header Idempotency-Key counts like a key in the body, which wins over it", async () => {
  const { token } = await stack.user({ balance: "100" });
  const header = (key: string) => ({ "idempotency-key": key });
  expect((await transfer(token, { amount: "1" }, header("h"))).body.data.replayed).toBe(false);
  expect((await transfer(token, { amount: "1" }, header("h"))).body.data.replayed).toBe(true);
  expect((await transfer(token, { amount: "1", idempotency_key: "h" })).body.data.replayed).toBe(true);

  const both = { amount: "2", idempotency_key: "b" };
  expect((await transfer(token, both, header("h"))).body.data.replayed).toBe(false);
  expect((await transfer(token, both, header("another"))).body.data.replayed).toBe(true);
  expect((await transfer(token, { amount: "2" }, header("another"))).body.data.replayed).toBe(false);
  expect(await balanceOf(token)).toBe("95.00");
});

test("one key of two users is two keys", async () => {
  const [one, other] = [await stack.user({ balance: "10" }), await stack.user({ balance: "10" })];
  const body = { amount: "4", idempotency_key: "shared" };
  expect((await transfer(one.token, body)).body.data.replayed).toBe(false);
  expect((await transfer(other.token, body)).body.data).toMatchObject({
    replayed: false,
    general_balance: "6.00",
  });
});

test("one key of two operations on a wallet is two keys", async () => {
  const [admin, user] = [await stack.user({ role: "admin" }), await stack.user({ balance: "10" })];
  const key = { amount: "4", idempotency_key: "shared" };
  expect((await transfer(user.token, key)).body.data.replayed).toBe(false);
  const credit = await stack.call("POST", `/api/v1/admin/wallets/${user.id}/credit`, {
    token: admin.token,
    body: { ...key, reason: "a gift" },
  });
  expect(credit.body.data).toMatchObject({ replayed: false, general_balance: "10.00" });
});

test("without a key the same transfer moves money each time, and is never called a replay", async () => {
  const { token } = await stack.user({ balance: "10" });
  for (const left of ["9.00", "8.00"]) {
    const { body } = await transfer(token, { amount: "1" });
    expect(body.data).toMatchObject({ replayed: false, general_balance: left });
  }
});

test("keys of 128 characters and of any script are kept apart", async () => {
  const { token } = await stack.user({ balance: "10" });
  for (const key of ["k".repeat(128), "🔑".repeat(64), "a b", " a b", "A B", "'; DROP TABLE wallets; --"]) {
    const body = { amount: "1", idempotency_key: key };
    expect((await transfer(token, body)).body.data?.replayed).toBe(false);
    expect((await transfer(token, body)).body.data?.replayed).toBe(true);
  }
});
