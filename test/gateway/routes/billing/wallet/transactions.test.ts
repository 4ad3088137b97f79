import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { type SharedStack, sharedStack, type TestUser } from "../../../../harness/shared-stack.ts";

const MISSING = "0123456789abcdef01234567";

let stack: SharedStack;
/** Has one transaction of each kind. */
let user: TestUser;
/** Has 105 of them, and as many fees. */
let busy: TestUser;
beforeAll(async () => {
  stack = await sharedStack();
  user = await stack.user({ balance: "500" });
  const wallet = stack.actors.wallet(user.id);
  await wallet.transfer({ amount: "25.50" });
  const { value } = await wallet.charge({
    amount_cents: 1_999,
    transaction_type: "rental",
    reason: "A month",
  });
  await wallet.refund({
    amount_cents: 999,
    charge_transaction_id: value.transaction_id,
    reason: "Half a month",
  });
  await wallet.deposit({ amount_cents: 5_000, source: "cardpay", reason: "Top-up" });
  await wallet.deposit({ amount_cents: 100, source: "codehost_bonus", reason: "Welcome" });
  busy = await stack.user({ balance: "500" });
  for (let i = 0; i < 104; i++)
    await stack.actors.wallet(busy.id).transfer({ amount: `${1 + (i % 3)}.00` }, { key: `t${i}` });
});
afterAll(() => stack.stop());

const get = (who: TestUser, path: string) => stack.call("GET", `/api/v1/wallet${path}`, { token: who.token });
const data = async (who: TestUser, path: string) => (await get(who, path)).body.data;

describe("transactions", () => {
  test("come in pages, of which each has its own and the last ones are short and empty", async () => {
    const pages = await Promise.all(
      [1, 2, 3].map((page) => data(busy, `/transactions?limit=100&page=${page}`)),
    );
    expect(pages.map((page) => page.length)).toEqual([100, 5, 0]);
    expect(new Set(pages.flat().map(({ id }: { id: string }) => id)).size).toBe(105);
    expect(pages[0]).toEqual(await data(busy, "/transactions?limit=100"));
    for (const page of ["0", "x", "-1", "1.5"]) {
      const { status, body } = await get(busy, `/transactions?page=${page}`);
      expect({ status, data: body.data }).toEqual({ status: 400, data: { field: "query.page" } });
    }
  });

  test("say what moved the money, newest first, with amounts as numbers", async () => {
    const { status, body } = await get(user, "/transactions");
    expect(status).toBe(200);
    const shown = body.data.map(
      ({
        transaction_type,
        amount,
        reason,
      }: {
        transaction_type: string;
        amount: number;
        reason: string;
      }) => [transaction_type, amount, reason],
    );
    expect(shown).toEqual([
      ["bonus", 1, "Welcome"],
      ["top_up", 50, "Top-up"],
      ["refund", 9.99, "Half a month"],
      ["rental", 19.99, "A month"],
      ["ai_credit_transfer", 25.5, "Transfer to AI credit"],
      ["credit", 500, "test"],
    ]);
    expect(body.data[2]).toMatchObject({ refund_of: body.data[3].id, refund_of_reason: "A month" });
    expect(body.data[0]).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{24}$/),
      user_id: user.id,
      transaction_type: "bonus",
      status: "completed",
      amount: 1,
      currency: "USD",
      reason: "Welcome",
      refund_of: null,
      refund_of_reason: null,
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      updated_at: body.data[0].created_at,
    });
  });

  test("each has a movement, and each movement one of them", async () => {
    const rows = await stack.db`
      SELECT t.id, m.transaction_id FROM transactions t FULL JOIN movements m ON m.transaction_id = t.id AND m.user_id = t.user_id
      WHERE t.id IS NULL OR m.transaction_id IS NULL`;
    expect([...rows]).toEqual([]);
  });

  test("are twenty unless told, and a hundred at most", async () => {
    expect(await data(busy, "/transactions")).toHaveLength(20);
    expect(await data(busy, "/transactions?limit=1")).toHaveLength(1);
    expect(await data(busy, "/transactions?limit=100")).toHaveLength(100);
    expect(await data(busy, "/transactions?limit=101")).toHaveLength(100);
    expect(await data(busy, "/transactions?limit=999999999999999")).toHaveLength(100);
  });

  test.each(["id", "transaction_type", "status", "amount", "created_at", "updated_at"])(
    "are sorted by %s, in both directions, and alike each time",
    async (field) => {
      const [up, down] = await Promise.all(
        ["asc", "desc"].map((order) => data(user, `/transactions?sort_by=${field}&sort_order=${order}`)),
      );
      const values = up.map((one: Record<string, string | number>) => one[field]);
      expect(values).toEqual(
        [...values].sort((a, b) => (typeof a === "number" ? a - b : a < b ? -1 : Number(a > b))),
      );
      expect(down).toEqual([...up].reverse());
    },
  );

  test.each([
    ["limit=0", "query.limit"],
    ["limit=-1", "query.limit"],
    ["limit=1.5", "query.limit"],
    ["limit=x", "query.limit"],
    ["sort_by=reason", "query.sort_by"],
    ["sort_order=up", "query.sort_order"],
    ["offset=2", "query.offset"],
  ])("asked for with %s are refused, and the field is named", async (query, field) => {
    const { status, body } = await get(user, `/transactions?${query}`);
    expect([status, body.data]).toEqual([400, { field }]);
  });

  test("are read one by one by their user, and by nobody else", async () => {
    const [newest] = await data(user, "/transactions");
    expect((await get(user, `/transactions/${newest.id}`)).body.data).toEqual(newest);
    const [theirs, missing] = [
      await get(busy, `/transactions/${newest.id}`),
      await get(busy, `/transactions/${MISSING}`),
    ];
    expect([theirs.status, theirs.body]).toEqual([404, missing.body]);
    expect(theirs.body).toMatchObject({ code: "TRANSACTION_NOT_FOUND", message: "Transaction not found" });
  });
});

describe("the history of AI fees", () => {
  test("has what the platform kept of each transfer, as text", async () => {
    const [transfer] = (await data(user, "/transactions")).filter(
      (one: { transaction_type: string }) => one.transaction_type === "ai_credit_transfer",
    );
    expect(await data(user, "/ai-fee-history")).toEqual({
      fees: [
        {
          id: expect.stringMatching(/^[0-9a-f]{24}$/),
          transaction_id: transfer.id,
          amount: "1.28",
          created_at: transfer.created_at,
          transaction: { id: transfer.id, reason: "Transfer to AI credit", amount: "25.50" },
        },
      ],
      pagination: { total: 1, page: 1, limit: 20, totalPages: 1, next_cursor: null },
    });
  });

  test("is empty for who never paid one", async () => {
    const { fees, pagination } = await data(await stack.user(), "/ai-fee-history");
    expect([fees, pagination]).toEqual([
      [],
      { total: 0, page: 1, limit: 20, totalPages: 0, next_cursor: null },
    ]);
  });

  test("comes in pages, which together have each fee once", async () => {
    const seen: string[] = [];
    for (let page = 1; page <= 5; page++) {
      const { fees, pagination } = await data(busy, `/ai-fee-history?limit=25&page=${page}&sort_by=amount`);
      expect(pagination).toMatchObject({ total: 104, page, limit: 25, totalPages: 5 });
      seen.push(...fees.map((fee: { id: string }) => fee.id));
    }
    expect(new Set(seen).size).toBe(104);
    expect(seen).toHaveLength(104);
    expect((await data(busy, "/ai-fee-history?page=6&limit=25")).fees).toEqual([]);
    expect((await data(busy, "/ai-fee-history?page=999999999999999")).fees).toEqual([]);
    const { fees, pagination } = await data(busy, "/ai-fee-history?limit=1000");
    expect([fees.length, pagination.limit]).toEqual([100, 100]);
  });

  test.each(["created_at", "amount", "transaction_id"])(
    "is sorted by %s, ties alike each time",
    async (field) => {
      const [up, down, again] = await Promise.all(
        ["asc", "desc", "asc"].map((order) =>
          data(busy, `/ai-fee-history?limit=100&sort_by=${field}&sort_order=${order}`),
        ),
      );
      expect(up).toEqual(again);
      const values = (fees: Record<string, string>[]) => fees.map((fee) => fee[field] ?? "");
      expect(values(up.fees)).toEqual(values(up.fees).toSorted());
      expect(values(down.fees)).toEqual(values(down.fees).toSorted().reverse());
    },
  );

  test.each([
    ["limit=0", "query.limit"],
    ["page=0", "query.page"],
    ["page=x", "query.page"],
    ["sort_by=id", "query.sort_by"],
    ["sort_order=ASC", "query.sort_order"],
  ])("asked for with %s is refused, and the field is named", async (query, field) => {
    const { status, body } = await get(user, `/ai-fee-history?${query}`);
    expect([status, body.data]).toEqual([400, { field }]);
  });
});
