import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { parse } from "csv-parse/sync";
import { newId } from "../../../../../actors/platform/ids.ts";
import { type SharedStack, sharedStack, type TestUser } from "../../../../harness/shared-stack.ts";

let stack: SharedStack;
beforeAll(async () => {
  stack = await sharedStack();
});
afterAll(() => stack.stop());

const THIS_MONTH = new Date().toISOString().slice(0, 7);
const get = (user: TestUser, path: string) =>
  stack.call("GET", `/api/v1/wallet/statements/${path}`, { token: user.token });
const download = (user: TestUser, path: string) =>
  fetch(`${stack.url}/api/v1/wallet/statements/${path}`, {
    headers: { authorization: `Bearer ${user.token}` },
  });
const rowsOf = async (user: TestUser, month: string): Promise<Record<string, string>[]> =>
  parse(await (await download(user, `${month}/csv`)).text(), { bom: true, columns: true });

/** A transaction of a time that is over, with its movement, and the balance after all of them. */
async function past(user: TestUser, at: string, cents: number, reason: string): Promise<void> {
  const id = newId();
  const [type, from, to] =
    cents > 0
      ? ["credit", "platform:grants", `general:${user.id}`]
      : ["rental", `general:${user.id}`, "platform:sales"];
  const amount = Math.abs(cents);
  await stack.db`
    INSERT INTO transactions (id, user_id, transaction_type, status, amount_cents, currency, reason, created_at, updated_at)
    VALUES (${id}, ${user.id}, ${type as string}, 'completed', ${amount}, 'USD', ${reason}, ${at}, ${at})`;
  await stack.db`
    INSERT INTO movements (id, transaction_id, user_id, from_account, to_account, amount_micros, created_at)
    VALUES (${newId()}, ${id}, ${user.id}, ${from as string}, ${to as string}, ${amount * 10_000}, ${at})`;
  await stack.db`
    INSERT INTO wallets (user_id, version, general_cents, ai_limit_micros, updated_at)
    VALUES (${user.id}, 1, 0, 0, ${at}) ON CONFLICT DO NOTHING`;
  await stack.db`UPDATE wallets SET general_cents = general_cents + ${cents} WHERE user_id = ${user.id}`;
}

/** What the ledger says that the user's balance was. */
async function ledgerBalance(user: TestUser, before: string): Promise<string> {
  const [row] = await stack.db<{ balance: string }[]>`
    SELECT coalesce(round(sum(amount_micros) / 1000000, 2), 0.00)::text AS balance FROM postings
    WHERE account = ${`general:${user.id}`} AND created_at < ${before}`;
  return row?.balance ?? "";
}

describe("the statement of a month", () => {
  test("has both balances as the ledger has them, and the sums by kind between", async () => {
    const user = await stack.user();
    await past(user, "2026-01-31T23:59:59.999Z", 10_000, "January");
    await past(user, "2026-02-01T00:00:00.000Z", 5_000, "the first moment");
    await past(user, "2026-02-14T12:00:00.000Z", -700, "=1+1");
    await past(user, "2026-02-28T23:59:59.999Z", -2_500, "the last moment");
    await past(user, "2026-03-01T00:00:00.000Z", -100, "March");
    const { status, body } = await get(user, "2026-02");
    expect(status).toBe(200);
    expect(body.data).toEqual({
      month: "2026-02",
      from: "2026-02-01T00:00:00.000Z",
      until: "2026-03-01T00:00:00.000Z",
      is_complete: true,
      opening_balance: await ledgerBalance(user, "2026-02-01"),
      closing_balance: await ledgerBalance(user, "2026-03-01"),
      transaction_count: 3,
      totals: [
        { transaction_type: "credit", count: 1, amount: "50.00" },
        { transaction_type: "rental", count: 2, amount: "-32.00" },
      ],
    });
    expect([body.data.opening_balance, body.data.closing_balance]).toEqual(["100.00", "118.00"]);
    const rows = await rowsOf(user, "2026-02");
    expect(
      rows.map(({ type, description, amount, balance }) => [type, description, amount, balance]),
    ).toEqual([
      ["opening_balance", "Opening balance", "", "100.00"],
      ["credit", "the first moment", "50.00", "150.00"],
      ["rental", "'=1+1", "-7.00", "143.00"],
      ["rental", "the last moment", "-25.00", "118.00"],
      ["closing_balance", "Closing balance", "", "118.00"],
    ]);
  });

  test("of now ends with the present balance, whatever kinds of money moved", async () => {
    const user = await stack.user({ balance: "100.00" });
    const wallet = stack.actors.wallet(user.id);
    await wallet.transfer({ amount: "25.50" });
    await wallet.deposit({ amount_cents: 5_000, source: "cardpay", reason: "Top-up" });
    const { value } = await wallet.charge({
      amount_cents: 1_999,
      transaction_type: "rental",
      reason: "A month",
    });
    await wallet.refund({
      amount_cents: 1_999,
      charge_transaction_id: value.transaction_id,
      reason: "undone",
    });
    const { body } = await get(user, THIS_MONTH);
    const balances = await stack.call("GET", "/api/v1/wallet/balances", { token: user.token });
    expect(body.data).toMatchObject({ is_complete: false, opening_balance: "0.00", transaction_count: 5 });
    expect(body.data.closing_balance).toBe(balances.body.data.general_balance);
    const sum = body.data.totals.reduce(
      (all: number, { amount }: { amount: string }) => all + Number(amount),
      0,
    );
    expect(sum).toBeCloseTo(Number(body.data.closing_balance), 2);
    expect((await rowsOf(user, THIS_MONTH)).at(-1)?.balance).toBe(body.data.closing_balance);
  });

  test("has all transactions in its CSV, however many they are", async () => {
    const user = await stack.user();
    await past(user, "2026-04-01T00:00:00.000Z", 500_000, "first");
    await stack.db`
      INSERT INTO transactions (id, user_id, transaction_type, status, amount_cents, currency, reason, created_at, updated_at)
      SELECT substr(md5(${user.id} || n), 1, 24), ${user.id}, 'rental', 'completed', 100, 'USD', 'many', at, at
      FROM generate_series(1, 2500) n, LATERAL (SELECT '2026-04-02T00:00:00Z'::timestamptz + (n / 3) * interval '1 second') AS t (at)`;
    await stack.db`
      INSERT INTO movements (id, transaction_id, user_id, from_account, to_account, amount_micros, created_at)
      SELECT t.id, t.id, t.user_id, 'general:' || t.user_id, 'platform:sales', 1000000, t.created_at
      FROM transactions t WHERE t.user_id = ${user.id} AND t.reason = 'many'`;
    await stack.db`UPDATE wallets SET general_cents = general_cents - 250000 WHERE user_id = ${user.id}`;
    const rows = await rowsOf(user, "2026-04");
    expect(new Set(rows.map(({ transaction_id }) => transaction_id)).size).toBe(2_502);
    expect(rows).toHaveLength(2_503);
    expect(rows.at(-2)?.balance).toBe(rows.at(-1)?.balance as string);
    expect((await download(user, "2026-04/pdf")).status).toBe(200);
  });

  test("is a PDF of one name", async () => {
    const user = await stack.user({ balance: "100.00" });
    const { body } = await stack.call("GET", "/api/v1/wallet/transactions", { token: user.token });
    await stack.call("POST", `/api/v1/wallet/invoices/generate/${body.data[0].id}`, { token: user.token });
    const response = await download(user, `${THIS_MONTH}/pdf`);
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toBe("application/pdf");
    expect(response.headers.get("content-disposition")).toBe(
      `attachment; filename="statement-${THIS_MONTH}.pdf"`,
    );
    expect(new TextDecoder("latin1").decode((await response.bytes()).subarray(0, 5))).toBe("%PDF-");
  });

  test("of a month in which nothing moved has the balance at both ends", async () => {
    const user = await stack.user();
    await past(user, "2026-01-10T00:00:00.000Z", 1_000, "January");
    const { body } = await get(user, "2026-05");
    expect(body.data).toMatchObject({ opening_balance: "10.00", closing_balance: "10.00", totals: [] });
  });

  test("of no month, or of one that has not begun, is refused", async () => {
    const user = await stack.user();
    for (const month of ["2026-13", "2026", "now", "9999-01"]) {
      const { status, body } = await get(user, month);
      expect([month, status, body.code]).toEqual([month, 400, "VALIDATION_ERROR"]);
      expect(body.message).toContain("month");
    }
  });
});
