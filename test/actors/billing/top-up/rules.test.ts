import { describe, expect, test } from "bun:test";
import {
  canOpenSession,
  creditable,
  decideSettlement,
  type Intent,
  isOver,
  isSettledByPayment,
  type Review,
  type Settlement,
  statusAt,
} from "../../../../actors/billing/top-up/rules.ts";

const NOW = new Date("2026-01-31T09:30:00.000Z");
const at = (seconds: number) => new Date(NOW.getTime() + seconds * 1000);

const intent = (change: Partial<Intent> = {}): Intent => ({
  userId: "u",
  provider: "cardpay",
  adapter: "sandbox",
  status: "pending",
  settling: false,
  amountCents: 2500n,
  sessionId: "s",
  redirectUrl: null,
  sessionClaim: null,
  depositedCents: 0n,
  deposits: 0,
  creditedAt: null,
  expiresAt: at(60),
  createdAt: NOW,
  reviews: [],
  ...change,
});
const paid = (cents: bigint | null, change: Partial<Settlement> = {}): Settlement => ({
  sessionId: "s",
  paidCents: cents,
  currency: "USD",
  reported: "",
  isFinal: true,
  ...change,
});
const review = (change: Partial<Review> = {}): Review => ({
  ...{ id: "r", sessionId: "s", reason: "amount_mismatch", paidCents: 2000n, currency: "USD", reported: "" },
  ...{ status: "open", creditedCents: 0n, note: null, resolvedBy: null, resolvedAt: null, createdAt: NOW },
  ...change,
});

describe("a settlement", () => {
  test("of the amount that was asked for is credited, whatever the status", () => {
    for (const status of ["pending", "failed", "expired"] as const) {
      expect(decideSettlement(intent({ status }), paid(2500n))).toEqual({ kind: "credit", cents: 2500n });
    }
  });

  test("is judged by its currency, its amount, its session and its finality, in this order", () => {
    const wrong = { currency: "EUR", sessionId: "other", isFinal: false };
    expect(decideSettlement(intent(), paid(null, wrong))).toEqual({
      kind: "flag",
      reason: "currency_mismatch",
    });
    const known = { ...wrong, currency: "USD" };
    expect(decideSettlement(intent(), paid(null, known))).toEqual({ kind: "flag", reason: "amount_unknown" });
    expect(decideSettlement(intent(), paid(2500n, known))).toEqual({ kind: "flag", reason: "other_session" });
    expect(decideSettlement(intent(), paid(2500n, { isFinal: false }))).toEqual({
      kind: "flag",
      reason: "not_final",
    });
    expect(decideSettlement(intent(), paid(2499n))).toEqual({ kind: "flag", reason: "amount_mismatch" });
    expect(decideSettlement(intent(), paid(0n))).toEqual({ kind: "flag", reason: "amount_mismatch" });
  });

  test("that says nothing new changes nothing", () => {
    const done = intent({ status: "completed", depositedCents: 2500n });
    expect(decideSettlement(done, paid(2500n))).toEqual({ kind: "nothing" });
    expect(decideSettlement(done, paid(2000n))).toEqual({ kind: "nothing" });
    const flagged = intent({ reviews: [review({ status: "dismissed" })] });
    expect(decideSettlement(flagged, paid(2000n))).toEqual({ kind: "nothing" });
    expect(decideSettlement(flagged, paid(2001n))).toEqual({ kind: "flag", reason: "amount_mismatch" });
    // It was overtaken by the one that told of more.
    expect(decideSettlement(flagged, paid(1999n))).toEqual({ kind: "nothing" });
  });

  test("brings a session's total and no cent more, in whatever order totals and an operator's credits come", () => {
    const steps = ["1000", "2500", "3000", "2500", "credit", "credit"];
    for (const order of permutations(steps)) {
      let now = intent();
      for (const step of order) now = step === "credit" ? credit(now) : settle(now, BigInt(step));
      now = credit(now);
      expect({ order, deposited: now.depositedCents }).toEqual({ order, deposited: 3000n });
    }
  });
});

/** What the actor does with a settlement and with an operator's credit, without the wallet. */
function settle(before: Intent, cents: bigint): Intent {
  const verdict = decideSettlement(before, paid(cents));
  if (verdict.kind === "nothing") return before;
  if (verdict.kind === "flag") return { ...before, reviews: [review({ paidCents: cents })] };
  return {
    ...before,
    depositedCents: before.depositedCents + verdict.cents,
    reviews: before.reviews.filter((one) => !isSettledByPayment(before, one)),
  };
}

function credit(before: Intent): Intent {
  const [open] = before.reviews;
  if (open === undefined || open.status !== "open") return before;
  try {
    const cents = creditable(before, open);
    return {
      ...before,
      depositedCents: before.depositedCents + cents,
      reviews: [{ ...open, status: "credited" }],
    };
  } catch {
    return before;
  }
}

function permutations<T>(items: readonly T[]): T[][] {
  if (items.length <= 1) return [[...items]];
  return items.flatMap((item, i) =>
    permutations([...items.slice(0, i), ...items.slice(i + 1)]).map((rest) => [item, ...rest]),
  );
}

describe("an operator's credit", () => {
  test("is what the session paid and nobody credited yet", () => {
    expect(creditable(intent(), review())).toBe(2000n);
    expect(creditable(intent({ depositedCents: 500n }), review())).toBe(1500n);
    const other = review({ sessionId: "other", creditedCents: 100n });
    expect(creditable(intent({ depositedCents: 2500n }), other)).toBe(1900n);
  });

  test("is refused where nothing is left, and where nobody knows how many dollars it was", () => {
    for (const [one, of] of [
      [intent({ depositedCents: 2000n }), review()],
      [intent(), review({ paidCents: null })],
      [intent(), review({ currency: "EUR" })],
    ] as const) {
      expect(() => creditable(one, of)).toThrow(expect.objectContaining({ code: "REVIEW_NOT_CREDITABLE" }));
    }
  });
});

describe("an intent", () => {
  test("has expired at its time, unless the money is there", () => {
    expect(statusAt(intent(), at(59.999))).toBe("pending");
    expect(statusAt(intent(), at(60))).toBe("expired");
    expect(statusAt(intent({ settling: true }), at(61))).toBe("pending");
    expect(isOver(intent(), at(59))).toBe(false);
    expect(isOver(intent({ settling: true }), at(0))).toBe(true);
  });

  test("is opened by one at a time, until it has its page or is over", () => {
    const opening = { token: "t", until: at(15) };
    expect(canOpenSession(intent(), NOW)).toBe(true);
    expect(canOpenSession(intent({ sessionClaim: opening }), at(14))).toBe(false);
    expect(canOpenSession(intent({ sessionClaim: opening }), at(15))).toBe(true);
    expect(canOpenSession(intent({ redirectUrl: "https://x" }), NOW)).toBe(false);
    expect(canOpenSession(intent(), at(60))).toBe(false);
  });
});
