import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import {
  account,
  BALANCE_CENTS_MAX,
  charge,
  credit,
  deposit,
  EMPTY_WALLET,
  type Movement,
  refund,
  refundableCents,
  splitFee,
  transfer,
  type Wallet,
  type WalletChange,
} from "../../../../actors/billing/wallet/rules.ts";
import { MICROS_PER_CENT } from "../../../../actors/platform/money.ts";
import { DomainError } from "../../../../schemas/errors.ts";

const ROUNDS = { numRuns: 5_000 };
const CHARGE = "c".repeat(24);
const USER = "0123456789abcdef01234567";

const holding = (generalCents: bigint, aiLimitMicros = 0n): Wallet => ({
  ...EMPTY_WALLET,
  generalCents,
  aiLimitMicros,
});

function refusal(run: () => unknown): { code: string; data: unknown } {
  try {
    run();
  } catch (error) {
    if (error instanceof DomainError) return { code: error.code, data: error.data };
    throw error;
  }
  throw new Error("it was not refused");
}

const anyCents = fc.bigInt({ min: 0n, max: BALANCE_CENTS_MAX });
const anyBps = fc.oneof(fc.constantFrom(0, 1, 499, 500, 5_000, 9_999), fc.integer({ min: 0, max: 9_999 }));
const anyWallet = fc
  .tuple(anyCents, fc.bigInt({ min: 0n, max: BALANCE_CENTS_MAX * MICROS_PER_CENT }))
  .map(([cents, micros]) => holding(cents, micros));

/** What it came to, or the code of its refusal. */
function outcome<T>(run: () => T): T | string {
  try {
    return run();
  } catch (error) {
    if (error instanceof DomainError) return error.code;
    throw error;
  }
}

/** What a change did to both balances is what its movements say, and none of them is of nothing. */
function expectBooked(before: Wallet, { wallet, movements }: WalletChange): void {
  expect((wallet.generalCents - before.generalCents) * MICROS_PER_CENT).toBe(
    effect(movements, account.general(USER)),
  );
  expect(wallet.aiLimitMicros - before.aiLimitMicros).toBe(effect(movements, account.ai(USER)));
  expect(movements.every(({ micros }) => micros > 0n)).toBe(true);
}

const transferAll = (wallet: Wallet, userId: string, cents: bigint) =>
  transfer(wallet, userId, cents, 500, undefined);

/** What the movements do to an account, in micro-USD. */
const effect = (movements: readonly Movement[], name: string) =>
  movements.reduce(
    (sum, { from, to, micros }) => sum + (to === name ? micros : 0n) - (from === name ? micros : 0n),
    0n,
  );

describe("the split of a gross amount", () => {
  test.each([
    [2_500n, 500, 125n],
    [100n, 0, 0n],
    [9n, 500, 0n],
    [10n, 500, 1n],
    [11n, 500, 1n],
    [29n, 500, 1n],
    [30n, 500, 2n],
    [1n, 4_999, 0n],
    [1n, 5_000, 1n],
    [1n, 9_999, 1n],
    [2n, 9_999, 2n],
    [100_000_000_000_000n, 9_999, 99_990_000_000_000n],
    [99_999_999_999_999n, 500, 5_000_000_000_000n],
  ])("the fee of %s cents at %s basis points is %s cents, half a cent rounded up", (gross, bps, fee) => {
    expect(splitFee(gross, bps)).toEqual({ fee, net: gross - fee });
  });

  test("fee and net make up the gross, the fee is the nearest cent and never more than the gross", () => {
    fc.assert(
      fc.property(anyCents, anyBps, (gross, bps) => {
        const { fee, net } = splitFee(gross, bps);
        expect(fee + net).toBe(gross);
        expect(fee >= 0n && net >= 0n).toBe(true);
        const above = fee * 10_000n - gross * BigInt(bps);
        // Half a cent is rounded up.
        expect(above > -5_000n && above <= 5_000n).toBe(true);
      }),
      ROUNDS,
    );
  });

  test("a larger gross never has a smaller fee, nor a smaller net at the same fee", () => {
    fc.assert(
      fc.property(anyCents, fc.bigInt({ min: 0n, max: 1_000n }), anyBps, (gross, more, bps) => {
        const [small, large] = [splitFee(gross, bps), splitFee(gross + more, bps)];
        expect(large.fee >= small.fee && large.net >= small.net).toBe(true);
      }),
      ROUNDS,
    );
  });
});

describe("a transfer to AI credit", () => {
  test("takes the gross, gives the net and leaves the fee to the platform", () => {
    const moved = transfer(holding(50_000n, 7n), USER, 2_500n, 500, 500);
    expect(moved.wallet).toEqual(holding(47_500n, 23_750_007n));
    expect(moved.movements).toEqual([
      { from: account.general(USER), to: account.ai(USER), micros: 23_750_000n },
      { from: account.general(USER), to: account.fees, micros: 1_250_000n },
    ]);
  });

  test("writes no movement of nothing", () => {
    expect(transfer(holding(9n), USER, 9n, 500, undefined).movements).toHaveLength(1);
    const allFee = transfer(holding(1n), USER, 1n, 9_999, undefined);
    expect(allFee.net).toBe(0n);
    expect(allFee.movements).toEqual([
      { from: account.general(USER), to: account.fees, micros: MICROS_PER_CENT },
    ]);
  });

  test("takes the last cent and not one more", () => {
    expect(transfer(holding(100n), USER, 100n, 500, undefined).wallet.generalCents).toBe(0n);
    const { code } = refusal(() => transfer(holding(100n), USER, 101n, 500, undefined));
    expect(code).toBe("INSUFFICIENT_BALANCE");
  });

  test("of nothing is refused", () => {
    const { code, data } = refusal(() => transfer(holding(100n), USER, 0n, 500, undefined));
    expect({ code, data }).toEqual({ code: "VALIDATION_ERROR", data: { field: "body.amount" } });
  });

  test("is refused under another fee than displayed, with the fee that holds, before the balance is looked at", () => {
    const { code, data } = refusal(() => transfer(EMPTY_WALLET, USER, 100n, 500, 499));
    expect({ code, data }).toEqual({ code: "TRANSFER_FEE_CHANGED", data: { fee_bps: 500 } });
  });

  test("never takes AI credit past what a wallet holds", () => {
    const full = BALANCE_CENTS_MAX * MICROS_PER_CENT;
    expect(transfer(holding(2n, full - MICROS_PER_CENT), USER, 1n, 0, 0).wallet.aiLimitMicros).toBe(full);
    const { code } = refusal(() => transfer(holding(2n, full - MICROS_PER_CENT), USER, 2n, 0, 0));
    expect(code).toBe("BALANCE_LIMIT");
  });

  test("changes every balance by exactly what its movements say, or is refused", () => {
    fc.assert(
      fc.property(anyWallet, fc.bigInt({ min: 1n, max: BALANCE_CENTS_MAX }), anyBps, (before, gross, bps) => {
        const moved = outcome(() => transfer(before, USER, gross, bps, undefined));
        if (typeof moved === "string") {
          expect(moved).toBe(gross > before.generalCents ? "INSUFFICIENT_BALANCE" : "BALANCE_LIMIT");
          return;
        }
        expectBooked(before, moved);
        expect(effect(moved.movements, account.fees)).toBe(moved.fee * MICROS_PER_CENT);
        expect(moved.fee + moved.net).toBe(gross);
      }),
      ROUNDS,
    );
  });
});

/** Refunds of one charge, which is smaller than they are together. */
const refundOfOne = (wallet: Wallet, userId: string, cents: bigint) =>
  refund(wallet, userId, cents, { id: CHARGE, cents: 2_000_000n });

describe("whatever happens to a wallet", () => {
  const anyChange = fc.record({
    act: fc.constantFrom(credit, charge, refundOfOne, deposit, transferAll),
    cents: fc.bigInt({ min: 1n, max: 1_000_000n }),
  });

  test("no balance goes below zero, and each is the sum of its movements", () => {
    fc.assert(
      fc.property(fc.array(anyChange, { maxLength: 40 }), (changes) => {
        let wallet = EMPTY_WALLET;
        const ledger: Movement[] = [];
        for (const { act, cents } of changes) {
          const changed = outcome(() => act(wallet, USER, cents, "cardpay"));
          if (typeof changed === "string") continue;
          expectBooked(wallet, changed);
          ledger.push(...changed.movements);
          wallet = changed.wallet;
        }
        expect(wallet.generalCents >= 0n && wallet.aiLimitMicros >= 0n).toBe(true);
        expect(effect(ledger, account.general(USER))).toBe(wallet.generalCents * MICROS_PER_CENT);
        expect(effect(ledger, account.ai(USER))).toBe(wallet.aiLimitMicros);
      }),
    );
  });
});

describe("a credit", () => {
  test("comes from the grants account", () => {
    const credited = credit(holding(100n), USER, 50n);
    expect(credited.wallet).toEqual(holding(150n));
    expect(credited.movements).toEqual([
      { from: account.grants, to: account.general(USER), micros: 500_000n },
    ]);
  });

  test("fills a wallet to its limit and not a cent further", () => {
    expect(credit(holding(BALANCE_CENTS_MAX - 1n), USER, 1n).wallet.generalCents).toBe(BALANCE_CENTS_MAX);
    expect(refusal(() => credit(holding(BALANCE_CENTS_MAX), USER, 1n)).code).toBe("BALANCE_LIMIT");
  });

  test("of nothing is refused", () => {
    expect(refusal(() => credit(EMPTY_WALLET, USER, 0n)).code).toBe("VALIDATION_ERROR");
  });
});

describe("sales, refunds and deposits", () => {
  test("a charge moves the price from the user's balance to the platform's sales", () => {
    const { wallet, movements } = charge(holding(50_000n, 7n), USER, 1_999n);
    expect(wallet).toEqual(holding(48_001n, 7n));
    expect(effect(movements, account.general(USER))).toBe(-1_999n * MICROS_PER_CENT);
    expect(effect(movements, account.sales)).toBe(1_999n * MICROS_PER_CENT);
  });

  test("the last cent can be spent, and not one more", () => {
    expect(charge(holding(1_999n), USER, 1_999n).wallet).toEqual(holding(0n));
    expect(refusal(() => charge(holding(1_999n), USER, 2_000n)).code).toBe("INSUFFICIENT_BALANCE");
  });

  test("a refund undoes its charge in the balance and in the ledger", () => {
    const charged = charge(holding(50_000n), USER, 1_999n);
    const refunded = refund(charged.wallet, USER, 1_999n, { id: CHARGE, cents: 1_999n });
    expect(refunded.wallet.generalCents).toBe(50_000n);
    const all = [...charged.movements, ...refunded.movements];
    expect(effect(all, account.general(USER))).toBe(0n);
    expect(effect(all, account.sales)).toBe(0n);
  });

  test("all refunds of a charge together are at most the charge, and of one charge take nothing from another", () => {
    const charged = { id: CHARGE, cents: 1_000n };
    fc.assert(
      fc.property(fc.array(fc.bigInt({ min: 0n, max: 700n }), { minLength: 1, maxLength: 12 }), (parts) => {
        let wallet = EMPTY_WALLET;
        for (const cents of parts) {
          const left = refundableCents(wallet, charged);
          const code = cents > left || left === 0n ? "REFUND_EXCEEDS_CHARGE" : "VALIDATION_ERROR";
          const changed = outcome(() => refund(wallet, USER, cents, charged));
          if (typeof changed === "string") expect(changed).toBe(code);
          else {
            expect(cents).toBeGreaterThan(0n);
            wallet = changed.wallet;
          }
        }
        expect(wallet.generalCents + refundableCents(wallet, charged)).toBe(1_000n);
        expect(wallet.generalCents).toBeLessThanOrEqual(1_000n);
        expect(refundableCents(wallet, { id: USER, cents: 5n })).toBe(5n);
      }),
    );
    const { data } = refusal(() => refund(EMPTY_WALLET, USER, 1_001n, charged));
    expect(data).toEqual({ refundable: "10.00" });
  });

  test("a deposit comes from its source, and is taken even by a wallet that is full", () => {
    const { wallet, movements } = deposit(holding(BALANCE_CENTS_MAX), USER, 500n, "cardpay");
    expect(wallet).toEqual(holding(BALANCE_CENTS_MAX + 500n));
    expect(effect(movements, account.source("cardpay"))).toBe(-500n * MICROS_PER_CENT);
    expect(effect(movements, account.general(USER))).toBe(500n * MICROS_PER_CENT);
  });
});
