import { afterAll, beforeAll, expect, test } from "bun:test";
import { join } from "node:path";
import { renderInvoice } from "../../../../gateway/invoices/pdf/index.ts";
import type { Invoice } from "../../../../schemas/billing/invoice.ts";
import { temporaryFolder } from "../../../harness/servers.ts";
import { type SharedStack, sharedStack, type TestUser } from "../../../harness/shared-stack.ts";
import { testWhere } from "../../../harness/test-where.ts";

const poppler = testWhere(Bun.which("pdftotext") !== null, "poppler-utils");

const REASON = "Подарок για σένα — 東京のテスト 한국어 नमस्ते";

let stack: SharedStack;
let user: TestUser;
let invoice: Invoice;
beforeAll(async () => {
  stack = await sharedStack();
  user = await stack.user();
  const { value } = await stack.actors
    .wallet(user.id)
    .credit({ amount: "1234.5", reason: REASON, idempotency_key: "k" });
  const { body } = await stack.call("POST", `/api/v1/wallet/invoices/generate/${value.transaction_id}`, {
    token: user.token,
  });
  invoice = (
    await stack.call("GET", `/api/v1/wallet/invoices/${body.data.invoice_id}`, { token: user.token })
  ).body.data;
});
afterAll(() => stack.stop());

const download = () =>
  fetch(`${stack.url}/api/v1/wallet/invoices/${invoice.id}/pdf`, {
    headers: { authorization: `Bearer ${user.token}` },
  });

/** What a program of poppler's says of a PDF. */
async function said(program: string, pdf: Uint8Array, ...options: string[]): Promise<string> {
  const file = join(temporaryFolder(), "invoice.pdf");
  await Bun.write(file, pdf);
  const output = program === "pdftotext" ? ["-"] : [];
  const { stdout, stderr, exitCode } = Bun.spawnSync([program, ...options, file, ...output]);
  expect([exitCode, stderr.toString()]).toEqual([0, ""]);
  return stdout.toString();
}

test("a PDF is sent under the invoice's number", async () => {
  const response = await download();
  expect(response.status).toBe(200);
  expect(response.headers.get("content-type")).toBe("application/pdf");
  expect(response.headers.get("content-disposition")).toBe(
    `attachment; filename="${invoice.invoice_number}.pdf"`,
  );
  expect(response.headers.get("x-request-id")).toBeTruthy();
  const bytes = await response.bytes();
  expect(new TextDecoder("latin1").decode(bytes.subarray(0, 5))).toBe("%PDF-");
  expect(response.headers.get("content-length")).toBe(String(bytes.byteLength));
});

test("it is the same to the last byte whenever it is asked for, of whatever process", async () => {
  const [one, two] = await Promise.all([download(), download()]).then((all) =>
    Promise.all(all.map((response) => response.bytes())),
  );
  expect(Buffer.compare(one as Uint8Array, two as Uint8Array)).toBe(0);
  const here = await renderInvoice(invoice);
  expect(Buffer.compare(here, one as Uint8Array)).toBe(0);
});

test("another invoice is another file", async () => {
  const here = await renderInvoice(invoice);
  const changed = await renderInvoice({ ...invoice, amount: invoice.amount + 0.01 });
  expect(Buffer.compare(here, changed)).not.toBe(0);
});

poppler("it says what the invoice says, in whatever script", async () => {
  const pdf = await renderInvoice({
    ...invoice,
    seller: { name: "Harbour Ltd", details: ["Quay 1", "20457 Hamburg"] },
  });
  const text = await said("pdftotext", pdf, "-layout");
  for (const part of [
    "Invoice",
    invoice.invoice_number,
    "Harbour Ltd",
    "20457 Hamburg",
    user.username,
    `${user.username}@example.com`,
    "Подарок για σένα — 東京のテスト 한국어",
    "$1,234.50",
    "Total USD",
    invoice.transaction_id,
    "PAID",
  ]) {
    expect(text).toContain(part);
  }
});

poppler("money that goes back has a credit note", async () => {
  const refund = { ...invoice.transaction, transaction_type: "refund" } as const;
  const text = await said("pdftotext", await renderInvoice({ ...invoice, transaction: refund }));
  for (const part of ["Credit note", "RETURNED TO", "RETURNED AS", "Total returned USD", "-$1,234.50"])
    expect(text).toContain(part);
  // It does not read as if the customer had paid, or owed.
  expect(text).not.toMatch(/Invoice|PAID|DUE|BILLED| \$1,234/);
});

poppler("a kind of item that has no name on paper is called by its own words", async () => {
  const items = [{ type: "a_new_kind", description: "What it was", amount: 1 }];
  expect(await said("pdftotext", await renderInvoice({ ...invoice, items }))).toContain("a new kind");
});

poppler("every face is in the file, so that it looks the same everywhere", async () => {
  const fonts = (await said("pdffonts", await renderInvoice(invoice))).trim().split("\n").slice(2);
  expect(fonts.length).toBeGreaterThan(3);
  for (const font of fonts)
    expect(font).toMatch(/^[A-Z]{6}\+noto-sans\S* +CID TrueType +Identity-H +yes yes yes/);
});

poppler("the longest names and reasons go on to a second page, and nothing leaves the paper", async () => {
  const long = await renderInvoice({
    ...invoice,
    seller: { name: "W".repeat(80), details: Array(8).fill("W".repeat(60)) },
    buyer: { username: "W".repeat(100), email: `${"w".repeat(242)}@example.com` },
    items: [
      { type: "ai_credit", description: "W".repeat(255), amount: 999_999_999_999.99 },
      { type: "fee", description: "Platform fee", amount: 0.01 },
    ],
    amount: 1_000_000_000_000,
  });
  expect(await said("pdfinfo", long)).toContain("Pages:           2\n");
  expect(await said("pdfinfo", await renderInvoice(invoice))).toContain("Pages:           1\n");
  const boxes = await said("pdftotext", long, "-bbox");
  const words = [...boxes.matchAll(/xMin="([\d.]+)" yMin="[\d.]+" xMax="([\d.]+)" yMax="([\d.]+)">([^<]*)/g)];
  expect(words.length).toBeGreaterThan(20);
  for (const [, left, right, bottom, word] of words) {
    expect(Number(left)).toBeGreaterThanOrEqual(55);
    expect(Number(right)).toBeLessThanOrEqual(541);
    // The foot, or above it.
    expect(
      Number(bottom) < 782 || /^(Invoice|INV|page|2|Amounts|are|in|US|dollars|Dates|UTC)/.test(word ?? ""),
    ).toBe(true);
  }
  expect(words.map(([, , , , word]) => word)).toContain(invoice.transaction_id);
});
