import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import {
  type Billed,
  billingDetailsOf,
  invoiceNumber,
  issuedAt,
  itemsOf,
} from "../../../../actors/billing/invoice/rules.ts";
import { splitFee } from "../../../../actors/billing/wallet/rules.ts";
import { seriesOf } from "../../../../schemas/billing/invoice.ts";
import { TRANSACTION_TYPES } from "../../../../schemas/billing/wallet.ts";

const ID = "0123456789abcdef01234567";
const billed = (change: Partial<Billed> = {}): Billed => ({
  transaction_id: ID,
  transaction_type: "rental",
  user_id: ID,
  amount_cents: 2_500,
  fee_cents: 0,
  provider: null,
  currency: "USD",
  reason: "A month of node-1",
  paid_at: "2026-01-31T09:30:00.000Z",
  buyer: { username: "ada", email: "ada@example.com" },
  ...change,
});

test("a number has its year and six digits, and more when they are used up", () => {
  expect(invoiceNumber(seriesOf("rental", 2026), 1)).toBe("INV-2026-000001");
  expect(invoiceNumber("INV-2026", 1_234_567)).toBe("INV-2026-1234567");
  expect(invoiceNumber(seriesOf("refund", 2026), 1)).toBe("CN-2026-000001");
});

describe("items", () => {
  test("of a transfer are the credit and the fee", () => {
    const transfer = billed({ transaction_type: "ai_credit_transfer", reason: "Transfer", fee_cents: 125 });
    expect(itemsOf(transfer)).toEqual([
      { type: "ai_credit", description: "Transfer", amount: 23.75 },
      { type: "fee", description: "Platform fee", amount: 1.25 },
    ]);
  });

  test("of anything else are one, with the reason", () => {
    for (const transaction_type of TRANSACTION_TYPES) {
      const items = itemsOf(billed({ transaction_type }));
      expect(items).toEqual([{ type: transaction_type, description: "A month of node-1", amount: 25 }]);
    }
  });

  test("sum to the amount to the cent, whatever amount and fee", () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 1n, max: 99_999_999_999_999n }), fc.nat(9_999), (gross, bps) => {
        const { fee } = splitFee(gross, bps);
        const items = itemsOf(billed({ amount_cents: Number(gross), fee_cents: Number(fee) }));
        const sum = items.reduce((cents, { amount }) => cents + BigInt(Math.round(amount * 100)), 0n);
        expect(sum).toBe(gross);
        expect(items.every(({ amount }) => amount > 0)).toBe(true);
      }),
      { numRuns: 2_000 },
    );
  });
});

test.each([
  ["rental", null, "Wallet balance", "wallet"],
  ["ai_credit_transfer", null, "Wallet balance", "wallet"],
  ["refund", null, "Wallet balance", "wallet"],
  ["credit", null, "Credit", "credit"],
  ["bonus", "codehost_bonus", "Bonus", "bonus"],
  ["top_up", "cardpay", "Card", "cardpay"],
  ["top_up", "cryptopay", "Cryptocurrency", "cryptopay"],
] as const)("a %s (%p) was paid with %s", (transaction_type, provider, method, type) => {
  expect(billingDetailsOf(billed({ transaction_type, provider }))).toEqual({
    payment_method: method,
    payment_method_type: type,
  });
});

test("an invoice is issued in the year of its number, whatever a clock says at the turn of the year", () => {
  const at = (time: string) => issuedAt("2026", new Date(time)).toISOString();
  expect(at("2026-06-01T00:00:00.000Z")).toBe("2026-06-01T00:00:00.000Z");
  expect(at("2025-12-31T23:59:59.998Z")).toBe("2026-01-01T00:00:00.000Z");
  expect(at("2027-01-01T00:00:00.001Z")).toBe("2026-12-31T23:59:59.999Z");
});
