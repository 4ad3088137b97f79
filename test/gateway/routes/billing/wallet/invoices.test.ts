import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { type EmbeddedStack, startEmbeddedStack, type TestUser } from "../../../../harness/embedded-stack.ts";

const PATH = "/api/v1/wallet/invoices";
const MISSING = "0123456789abcdef01234567";
const YEAR = new Date().getUTCFullYear();

let stack: EmbeddedStack;
/** Has five invoices: of 500, 25.50, 19.99, 50 and 1 dollars. */
let user: TestUser;
let other: TestUser;
beforeAll(async () => {
  stack = await startEmbeddedStack({
    actorHosts: 2,
    env: { BERTH_SELLER_NAME: "Harbour Ltd", BERTH_SELLER_DETAILS: "Quay 1; 20457 Hamburg ;" },
  });
  user = await stack.user({ balance: "500" });
  const wallet = stack.actors.wallet(user.id);
  await wallet.transfer({ amount: "25.50" });
  await wallet.charge({ amount_cents: 1_999, transaction_type: "rental", reason: "A month" });
  await wallet.deposit({ amount_cents: 5_000, source: "cardpay", reason: "Top-up" });
  await wallet.deposit({ amount_cents: 100, source: "codehost_bonus", reason: "Welcome" });
  for (const { id } of (await transactionsOf(user)).toReversed()) await generate(user, id);
  other = await stack.user({ balance: "25.50" });
  for (const { id } of await transactionsOf(other)) await generate(other, id);
});
afterAll(() => stack.stop());

const call = (who: TestUser, method: string, path: string) => stack.call(method, path, { token: who.token });
const generate = (who: TestUser, id: string) => call(who, "POST", `${PATH}/generate/${id}`);
const transactionsOf = async (who: TestUser): Promise<{ id: string; transaction_type: string }[]> =>
  (await call(who, "GET", "/api/v1/wallet/transactions?limit=100")).body.data;
const list = (who: TestUser, query = "") => call(who, "GET", `${PATH}/${query}`);
const filtered = async (who: TestUser, filter: unknown, more = "") =>
  (await list(who, `?filter=${encodeURIComponent(JSON.stringify(filter))}${more}`)).body.data;
const amounts = ({ invoices }: { invoices: { amount: number }[] }) => invoices.map(({ amount }) => amount);

/** A value of a reply, and the other ways in which a filter may write it. */
const formsOf = (value: string | number): (string | number)[] => {
  if (typeof value === "number") return [value, String(value), value.toFixed(2)];
  return ISO_TIME.test(value) ? [value, value.replace("Z", "+00:00"), value.slice(0, 10)] : [value];
};
const ISO_TIME = /^\d{4}-\d\d-\d\dT/;
/** The pattern that the same invoice is like: `like` matches what replies write. */
const written = (value: string | number): string =>
  typeof value === "number"
    ? value.toFixed(2)
    : ISO_TIME.test(value)
      ? `${value.slice(0, 10)}%`
      : `${value}%`;

describe("an invoice", () => {
  test("is made once: 201, then 200 with the same", async () => {
    const one = await stack.user({ balance: "1" });
    const [transaction] = await transactionsOf(one);
    const first = await generate(one, transaction?.id ?? "");
    const second = await generate(one, transaction?.id ?? "");
    expect([first.status, second.status]).toEqual([201, 200]);
    expect(second.body.data).toEqual(first.body.data);
    expect(first.body.data).toEqual({
      invoice_id: expect.stringMatching(/^[0-9a-f]{24}$/),
      invoice_number: expect.stringMatching(new RegExp(`^INV-${YEAR}-\\d{6}$`)),
    });
    const events = await stack.db`
      SELECT data FROM events WHERE user_id = ${one.id} AND event_type = 'activity_log.invoice_issued'`;
    expect(events).toHaveLength(1);
  });

  test("says who sold what to whom, and how it was paid", async () => {
    const [, , , transfer] = (await list(user)).body.data.invoices;
    const { status, body } = await call(user, "GET", `${PATH}/${transfer.id}`);
    expect(status).toBe(200);
    expect(body.data).toEqual({
      id: transfer.id,
      user_id: user.id,
      transaction_id: transfer.transaction.id,
      invoice_number: `INV-${YEAR}-000002`,
      status: "paid",
      amount: 25.5,
      currency: "USD",
      issue_date: body.data.created_at,
      due_date: body.data.created_at,
      paid_date: transfer.transaction.created_at,
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      updated_at: body.data.created_at,
      transaction: {
        id: transfer.transaction.id,
        transaction_type: "ai_credit_transfer",
        reason: "Transfer to AI credit",
        status: "completed",
        amount: 25.5,
        currency: "USD",
        created_at: transfer.transaction.created_at,
      },
      credit_note_for: null,
      seller: { name: "Harbour Ltd", details: ["Quay 1", "20457 Hamburg"] },
      buyer: { username: user.username, email: `${user.username}@example.com` },
      billing_details: { payment_method: "Wallet balance", payment_method_type: "wallet" },
      items: [
        { type: "ai_credit", description: "Transfer to AI credit", amount: 24.22 },
        { type: "fee", description: "Platform fee", amount: 1.28 },
      ],
    });
  });

  test("of money that came in names its source", async () => {
    const { invoices } = await filtered(user, { amount: 50 });
    const { body } = await call(user, "GET", `${PATH}/${invoices[0].id}`);
    expect(body.data.billing_details).toEqual({ payment_method: "Card", payment_method_type: "cardpay" });
    expect(body.data.items).toEqual([{ type: "top_up", description: "Top-up", amount: 50 }]);
  });

  test("of another user answers as one that is not there, and so does the transaction of another", async () => {
    const id = (await list(user)).body.data.invoices[0].id;
    const [transaction] = await transactionsOf(user);
    const paths = [
      ["GET", `${PATH}/`, "", id, "INVOICE_NOT_FOUND", "Invoice not found"],
      ["GET", `${PATH}/`, "/pdf", id, "INVOICE_NOT_FOUND", "Invoice not found"],
      ["POST", `${PATH}/generate/`, "", transaction?.id, "TRANSACTION_NOT_FOUND", "Transaction not found"],
    ] as const;
    for (const [method, before, after, theirs, code, message] of paths) {
      const answer = await call(other, method, before + theirs + after);
      const missing = await call(other, method, before + MISSING + after);
      expect([answer.status, answer.body]).toEqual([404, missing.body]);
      expect(answer.body).toMatchObject({ code, message });
    }
  });
});

describe("made in parallel", () => {
  test("fifty requests for one transaction make one invoice, and one of them says so", async () => {
    const one = await stack.user({ balance: "1" });
    const [transaction] = await transactionsOf(one);
    const answers = await Promise.all(Array.from({ length: 50 }, () => generate(one, transaction?.id ?? "")));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(49);
    expect(new Set(answers.map(({ body }) => JSON.stringify(body.data))).size).toBe(1);
    expect((await list(one)).body.data.pagination.total).toBe(1);
  });

  test("invoices of many users have numbers without a gap", async () => {
    const users = await Promise.all(Array.from({ length: 5 }, () => stack.user({ balance: "10" })));
    for (const one of users)
      for (let i = 0; i < 9; i++) await stack.actors.wallet(one.id).transfer({ amount: "1" });
    const wanted = await Promise.all(users.map(async (one) => ({ one, all: await transactionsOf(one) })));
    // Each twice, so that there are losers.
    const asked = wanted.flatMap(({ one, all }) => [...all, ...all].map(({ id }) => ({ one, id })));
    const answers = await Promise.all(asked.map(({ one, id }) => generate(one, id)));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(50);
    const rows = await stack.db`SELECT invoice_number FROM invoices ORDER BY invoice_number`;
    expect(rows.map((row) => row.invoice_number)).toEqual(
      rows.map((_, index) => `INV-${YEAR}-${String(index + 1).padStart(6, "0")}`),
    );
  });

  test("a transaction that two years' books are asked for has one invoice, and the losing book no gap", async () => {
    const one = await stack.user({ balance: "1" });
    const [transaction] = await transactionsOf(one);
    const billed = {
      transaction_id: transaction?.id ?? "",
      transaction_type: "credit" as const,
      user_id: one.id,
      amount_cents: 100,
      fee_cents: 0,
      provider: null,
      currency: "USD",
      reason: "test",
      paid_at: new Date().toISOString(),
      buyer: { username: one.username, email: "a@example.com" },
    };
    const results = await Promise.allSettled(
      ["INV-2101", "INV-2102"].map((series, index) =>
        stack.actors
          .invoice_book(series)
          .issue(
            { invoice_id: `${index}`.repeat(24), billed },
            { key: billed.transaction_id, hasClientKey: true },
          ),
      ),
    );
    expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    const refused = results.find((result) => result.status === "rejected");
    expect(refused?.reason.code).toBe("INVOICE_EXISTS");
    expect((await generate(one, billed.transaction_id)).status).toBe(200);
    const books = await stack.db`SELECT series FROM invoice_books WHERE series IN ('INV-2101', 'INV-2102')`;
    expect(books).toHaveLength(1);
  });
});

describe("the list", () => {
  test("omits items and billing details, and comes newest first", async () => {
    const { status, body } = await list(user);
    expect(status).toBe(200);
    expect(amounts(body.data)).toEqual([1, 50, 19.99, 25.5, 500]);
    expect(body.data.pagination).toMatchObject({ total: 5, page: 1, limit: 20, totalPages: 1 });
    const {
      items: _items,
      billing_details: _billing,
      seller: _seller,
      buyer: _buyer,
      ...listed
    } = (await call(user, "GET", `${PATH}/${body.data.invoices[0].id}`)).body.data;
    expect(body.data.invoices[0]).toEqual(listed);
  });

  test("comes in pages", async () => {
    const pages = await Promise.all([1, 2, 3, 4].map((page) => list(user, `?limit=2&page=${page}`)));
    expect(pages.map(({ body }) => amounts(body.data))).toEqual([[1, 50], [19.99, 25.5], [500], []]);
    expect(pages[3]?.body.data.pagination).toMatchObject({ total: 5, page: 4, limit: 2, totalPages: 3 });
    const { body } = await list(user, "?limit=5000&page=999999999999999");
    expect(body.data).toEqual({
      invoices: [],
      pagination: { total: 5, page: 999_999_999_999_999, limit: 100, totalPages: 1, next_cursor: null },
    });
  });

  test("goes with and without a slash at its end", async () => {
    expect((await call(user, "GET", PATH)).body).toEqual((await call(user, "GET", `${PATH}/`)).body);
  });

  test.each([
    ["amount", "asc", [1, 19.99, 25.5, 50, 500]],
    ["amount", "desc", [500, 50, 25.5, 19.99, 1]],
    ["invoice_number", "asc", [500, 25.5, 19.99, 50, 1]],
    ["paid_date", "asc", [500, 25.5, 19.99, 50, 1]],
    ["issue_date", "desc", [1, 50, 19.99, 25.5, 500]],
    ["zzz", "desc", [1, 50, 19.99, 25.5, 500]],
    ["constructor", "asc", [500, 25.5, 19.99, 50, 1]],
  ])("sorted by %s, %s", async (field, order, expected) => {
    const { body } = await list(user, `?sort_by=${field}&sort_order=${order}`);
    expect(amounts(body.data)).toEqual(expected);
  });

  test.each([
    "id",
    "invoice_number",
    "status",
    "amount",
    "currency",
    "issue_date",
    "due_date",
    "paid_date",
    "created_at",
    "updated_at",
    "user_id",
    "transaction_id",
  ])("is filtered by %s with every operator, in every form that its values have", async (field) => {
    const [newest] = (await list(user)).body.data.invoices;
    const total = async (asked: unknown) => (await filtered(user, { [field]: asked })).pagination.total;
    for (const value of formsOf(newest[field])) {
      const totals: Record<string, number> = {};
      for (const operator of ["eq", "ne", "lt", "lte", "gt", "gte"])
        totals[operator] = await total({ [operator]: value });
      const { eq = 0, ne = 0, lt = 0, lte = 0, gt = 0, gte = 0 } = totals;
      expect(eq).toBeGreaterThan(0);
      expect([eq + ne, lt + gte, gt + lte, lt + eq, gt + eq]).toEqual([5, 5, 5, lte, gte]);
      expect([await total(value), await total({ in: [value] })]).toEqual([eq, eq]);
      expect(await total({ like: written(value) })).toBeGreaterThan(0);
    }
  });

  test.each([
    ["9999-12-31", 0],
    ["0001-01-01", 5],
  ])("takes the day %s, at an end of the calendar", async (day, later) => {
    expect((await filtered(user, { issue_date: { gt: day } })).pagination.total).toBe(later);
  });

  test("meets every condition of a filter", async () => {
    expect(amounts(await filtered(user, { amount: { gte: 19.99, lt: 50 } }))).toEqual([19.99, 25.5]);
    expect(amounts(await filtered(user, { amount: { gt: 25.499, lt: 25.501 } }))).toEqual([25.5]);
    expect(amounts(await filtered(user, { amount: { in: [1, 500, 7] } }))).toEqual([1, 500]);
    expect(amounts(await filtered(user, { amount: { ne: 1 }, currency: "USD" }, "&limit=2"))).toEqual([
      50, 19.99,
    ]);
    expect(amounts(await filtered(user, { amount: 1, currency: "EUR" }))).toEqual([]);
    expect(amounts(await filtered(user, { amount: { lt: 1e300, gt: -1e300 } }))).toHaveLength(5);
  });

  test("with like matches patterns with % and _, in any case, also of amounts and dates as they are written", async () => {
    const total = async (like: string, field = "invoice_number") =>
      (await filtered(user, { [field]: { like } })).pagination.total;
    for (const pattern of ["inv-%", "%-00000_", "%", "INV-____-______"]) expect(await total(pattern)).toBe(5);
    for (const pattern of ["%000002", "INV-____-000002"]) expect(await total(pattern)).toBe(1);
    for (const pattern of ["inv-", "_", "INV_2", "\\%", "000002", "%\\"])
      expect(await total(pattern)).toBe(0);
    expect(
      await Promise.all(["25.50", "%.50", "5%", "1.00", "1"].map((like) => total(like, "amount"))),
    ).toEqual([1, 1, 2, 1, 0]);
    const year = new Date().getUTCFullYear();
    expect(await Promise.all([`${year}-%`, "%Z", "1999-%"].map((like) => total(like, "issue_date")))).toEqual(
      [5, 5, 0],
    );
  });

  test("falls back to created_at for any other sort, however long", async () => {
    const answer = await list(user, `?sort_by=${"x".repeat(2_000)}`);
    expect([answer.status, answer.body.data.invoices.length]).toEqual([200, 5]);
  });

  test("has the caller's invoices alone, whatever the filter says", async () => {
    const theirs = (await list(other)).body.data.invoices[0];
    for (const filter of [
      { user_id: other.id },
      { user_id: { in: [other.id, user.id] }, id: theirs.id },
      { user_id: { ne: user.id } },
      { id: theirs.id },
      { invoice_number: theirs.invoice_number },
      { transaction_id: { like: theirs.transaction_id } },
    ]) {
      expect((await filtered(user, filter)).pagination.total).toBe(0);
    }
    expect((await filtered(user, { user_id: { gte: "" } })).pagination.total).toBe(5);
  });

  test.each(["' OR 1=1 --", "'; DROP TABLE invoices; --", "$1", "\\'"])("takes %s for text", async (text) => {
    const { pagination } = await filtered(user, {
      status: { in: [text] },
      invoice_number: { like: text },
      currency: text,
    });
    expect(pagination.total).toBe(0);
    expect((await list(user)).body.data.pagination.total).toBe(5);
  });

  test.each([
    ["limit=0", "query.limit"],
    ["page=0", "query.page"],
    ["page=-1", "query.page"],
    ["limit=ten", "query.limit"],
    ["sort_order=down", "query.sort_order"],
    ["filter=", "query.filter"],
    ["filter={}&filter={}", "query.filter"],
    [`filter=${encodeURIComponent('{"zzz":1}')}`, "query.filter"],
    [`filter=${encodeURIComponent('{"amount":{"between":[1,2]}}')}`, "query.filter"],
    [`filter=${encodeURIComponent('{"amount":"one"}')}`, "query.filter"],
    [`filter=${encodeURIComponent(JSON.stringify({ id: "x".repeat(9_000) }))}`, "query.filter"],
  ])("asked for with %s is refused, and the field is named", async (query, field) => {
    const { status, body } = await list(user, `?${query}`);
    expect([status, body.code, body.data]).toEqual([400, "VALIDATION_ERROR", { field }]);
  });
});
