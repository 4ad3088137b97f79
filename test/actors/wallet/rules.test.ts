import { describe, expect, test } from "bun:test";
import { MICROS_PER_CENT } from "../../../actors/money.ts";
import {
  account,
  BALANCE_CENTS_MAX,
  charge,
  credit,
  deposit,
  EMPTY_WALLET,
  type Movement,
  refund,
  splitFee,
  transfer,
  type Wallet,
} from "../../../actors/wallet/rules.ts";
import { DomainError } from "../../../schemas/errors.ts";
import { Seeded } from "./seeded.ts";

const ROUNDS = 20_000;
const USER = "0123456789abcdef01234567";

const holding = (generalCents: bigint, aiLimitMicros = 0n): Wallet => ({ generalCents, aiLimitMicros });

function refusal(run: () => unknown): { code: string; data: unknown } {
  try {
    run();
  } catch (error) {
    if (error instanceof DomainError) return { code: error.code, data: error.data };
    throw error;
  }
  throw new Error("it was not refused");
}

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
    const random = new Seeded(4);
    for (let i = 0; i < ROUNDS; i++) {
      const gross = random.bigint(14);
      const bps = random.pick([0, 1, 499, 500, 5_000, 9_999, random.integer(0, 9_999)]);
      const { fee, net } = splitFee(gross, bps);
      const above = fee * 10_000n - gross * BigInt(bps);
      const isNearest = above > -5_000n && above <= 5_000n;
      if (fee + net !== gross || fee < 0n || net < 0n || !isNearest) {
        throw new Error(`${gross} at ${bps} became ${fee} and ${net}`);
      }
    }
  });
});

describe("a transfer to AI credit", () => {
  test("takes the gross, gives the net and leaves the fee to the platform", () => {
    const moved = transfer(holding(50_000n, 7n), USER, 2_500n, 500, 500);
    expect(moved.wallet).toEqual({ generalCents: 47_500n, aiLimitMicros: 23_750_007n });
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

  test("changes every balance by exactly what its movements say", () => {
    const random = new Seeded(5);
    for (let i = 0; i < ROUNDS; i++) {
      const before = holding(random.bigint(12) + 1n, random.bigint(15));
      const gross = (random.bigint(12) % before.generalCents) + 1n;
      const { wallet, fee, net, movements } = transfer(
        before,
        USER,
        gross,
        random.integer(0, 9_999),
        undefined,
      );
      const general = (wallet.generalCents - before.generalCents) * MICROS_PER_CENT;
      const ai = wallet.aiLimitMicros - before.aiLimitMicros;
      const fits =
        general === effect(movements, account.general(USER)) &&
        ai === effect(movements, account.ai(USER)) &&
        fee * MICROS_PER_CENT === effect(movements, account.fees) &&
        fee + net === gross &&
        wallet.generalCents >= 0n &&
        movements.every(({ micros }) => micros > 0n);
      if (!fits) throw new Error(`seed 5, round ${i}: ${gross} of ${before.generalCents}`);
    }
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
    const refunded = refund(charged.wallet, USER, 1_999n);
    expect(refunded.wallet).toEqual(holding(50_000n));
    const all = [...charged.movements, ...refunded.movements];
    expect(effect(all, account.general(USER))).toBe(0n);
    expect(effect(all, account.sales)).toBe(0n);
  });

  test("a deposit comes from its source, and is taken even by a wallet that is full", () => {
    const { wallet, movements } = deposit(holding(BALANCE_CENTS_MAX), USER, 500n, "cardpay");
    expect(wallet).toEqual(holding(BALANCE_CENTS_MAX + 500n));
    expect(effect(movements, account.source("cardpay"))).toBe(-500n * MICROS_PER_CENT);
    expect(effect(movements, account.general(USER))).toBe(500n * MICROS_PER_CENT);
  });
});
