import type { DepositSource, TransactionType } from "../../../schemas/billing/wallet.ts";
import { DomainError, ValidationError } from "../../../schemas/errors.ts";
import { fromCents, MICROS_PER_CENT, moneyText } from "../../platform/money.ts";

/** A wallet as its actor holds it. */
export interface Wallet {
  readonly generalCents: bigint;
  readonly aiLimitMicros: bigint;
  /** A general balance below it is told once; null: never. */
  readonly lowBalanceCents: bigint | null;
  /** How much was refunded of each charge that was: the charge's transaction → cents. */
  readonly refundedCents: ReadonlyMap<string, bigint>;
}

export const EMPTY_WALLET: Wallet = {
  generalCents: 0n,
  aiLimitMicros: 0n,
  lowBalanceCents: null,
  refundedCents: new Map(),
};

/** Whether a change brings the balance below what the user wants to hear of. */
export const fellBelow = (before: Wallet, after: Wallet): boolean =>
  after.lowBalanceCents !== null &&
  before.generalCents >= after.lowBalanceCents &&
  after.generalCents < after.lowBalanceCents;

/** The largest balance, a trillion dollars: far more than anyone has, and far less than its column can hold. */
export const BALANCE_CENTS_MAX = 100_000_000_000_000n;

const BPS = 10_000n;

/** Splits a gross amount into fee and net. Cents. The fee rounds half-up and never exceeds the gross. */
export function splitFee(gross: bigint, feeBps: number): { fee: bigint; net: bigint } {
  const rounded = (gross * BigInt(feeBps) + BPS / 2n) / BPS;
  const fee = rounded > gross ? gross : rounded;
  return { fee, net: gross - fee };
}

/** An amount of the ledger that leaves one account and arrives in another, in micro-USD. */
export interface Movement {
  readonly from: string;
  readonly to: string;
  readonly micros: bigint;
}

/** Names of ledger accounts. */
export const account = {
  general: (userId: string) => `general:${userId}`,
  ai: (userId: string) => `ai:${userId}`,
  /** The platform's fees on transfers. */
  fees: "platform:fees",
  /** Gifts from operators. */
  grants: "platform:grants",
  /** Sales of the platform: rent, setup, images. */
  sales: "platform:sales",
  /** What users gave up when they deleted their accounts. */
  forfeited: "platform:forfeited",
  /** Deposits by source: a payment processor, or a bonus of the platform. */
  source: (source: DepositSource) => `source:${source}`,
} as const;

/** Stands for the user in `LEGS_BY_TYPE`. */
export const ANY_USER = "{user}";

const bought = [[account.general(ANY_USER), account.sales]] as const;

/**
 * The accounts between which each type of transaction moves money, at most once each. The rules below make no other
 * movements.
 */
export const LEGS_BY_TYPE: Readonly<
  Record<TransactionType, readonly (readonly [from: string, to: string])[]>
> = {
  ai_credit_transfer: [
    [account.general(ANY_USER), account.ai(ANY_USER)],
    [account.general(ANY_USER), account.fees],
  ],
  credit: [[account.grants, account.general(ANY_USER)]],
  top_up: [
    [account.source("cardpay"), account.general(ANY_USER)],
    [account.source("cryptopay"), account.general(ANY_USER)],
  ],
  bonus: [[account.source("codehost_bonus"), account.general(ANY_USER)]],
  rental: bought,
  rental_extension: bought,
  reservation: bought,
  image_purchase: bought,
  refund: [[account.sales, account.general(ANY_USER)]],
  forfeit: [[account.general(ANY_USER), account.forfeited]],
};

export interface Transferred {
  readonly wallet: Wallet;
  readonly fee: bigint;
  readonly net: bigint;
  readonly movements: readonly Movement[];
}

/**
 * General balance to AI credit (spec §4.9): the gross leaves the general balance, the net becomes AI credit, the fee is the
 * platform's. Cents.
 * @throws TRANSFER_FEE_CHANGED when the client displayed another fee, INSUFFICIENT_BALANCE.
 */
export function transfer(
  wallet: Wallet,
  userId: string,
  gross: bigint,
  feeBps: number,
  expectedFeeBps: number | undefined,
): Transferred {
  if (gross <= 0n) throw new ValidationError("body.amount", "must be more than zero");
  if (expectedFeeBps !== undefined && expectedFeeBps !== feeBps) {
    throw new DomainError("TRANSFER_FEE_CHANGED", "the transfer fee has changed; show it and try again", {
      fee_bps: feeBps,
    });
  }
  if (gross > wallet.generalCents)
    throw new DomainError("INSUFFICIENT_BALANCE", "the general balance is too low");
  const { fee, net } = splitFee(gross, feeBps);
  const aiLimitMicros = wallet.aiLimitMicros + net * MICROS_PER_CENT;
  if (aiLimitMicros > BALANCE_CENTS_MAX * MICROS_PER_CENT) throw tooMuch("AI credit");
  const movements: Movement[] = [];
  if (net > 0n)
    movements.push({ from: account.general(userId), to: account.ai(userId), micros: net * MICROS_PER_CENT });
  if (fee > 0n)
    movements.push({ from: account.general(userId), to: account.fees, micros: fee * MICROS_PER_CENT });
  return {
    wallet: { ...wallet, generalCents: wallet.generalCents - gross, aiLimitMicros },
    fee,
    net,
    movements,
  };
}

/**
 * An operator's gift to the general balance. Cents. @throws BALANCE_LIMIT when the balance would exceed
 * `BALANCE_CENTS_MAX`
 */
export function credit(
  wallet: Wallet,
  userId: string,
  cents: bigint,
): { wallet: Wallet; movements: Movement[] } {
  if (cents <= 0n) throw new ValidationError("body.amount", "must be more than zero");
  const generalCents = wallet.generalCents + cents;
  if (generalCents > BALANCE_CENTS_MAX) throw tooMuch("general balance");
  return {
    wallet: { ...wallet, generalCents },
    movements: [{ from: account.grants, to: account.general(userId), micros: cents * MICROS_PER_CENT }],
  };
}

/** A change of the general balance. */
export interface WalletChange {
  readonly wallet: Wallet;
  readonly movements: readonly Movement[];
}

/** Charges for a purchase. Cents, more than zero. @throws INSUFFICIENT_BALANCE */
export function charge(wallet: Wallet, userId: string, cents: bigint): WalletChange {
  if (cents > wallet.generalCents)
    throw new DomainError("INSUFFICIENT_BALANCE", "the general balance is too low");
  return {
    wallet: { ...wallet, generalCents: wallet.generalCents - cents },
    movements: [{ from: account.general(userId), to: account.sales, micros: cents * MICROS_PER_CENT }],
  };
}

/** Gives up a part of the balance, cents, or all of it where there is less. */
export function forfeit(wallet: Wallet, userId: string, most: bigint): WalletChange & { cents: bigint } {
  const cents = most < wallet.generalCents ? most : wallet.generalCents;
  return {
    cents,
    wallet: { ...wallet, generalCents: wallet.generalCents - cents },
    movements: [{ from: account.general(userId), to: account.forfeited, micros: cents * MICROS_PER_CENT }],
  };
}

/** A charge of this wallet: its transaction and its amount. */
export interface Charged {
  readonly id: string;
  readonly cents: bigint;
}

/** What is left to refund of a charge. Cents. */
export const refundableCents = ({ refundedCents }: Wallet, { id, cents }: Charged): bigint =>
  cents - (refundedCents.get(id) ?? 0n);

/**
 * Refunds a charge or a part of it. Cents, more than zero. It is the user's money, so `BALANCE_CENTS_MAX` does not
 * apply. @throws REFUND_EXCEEDS_CHARGE when all refunds of the charge would be more than the charge
 */
export function refund(wallet: Wallet, userId: string, cents: bigint, charged: Charged): WalletChange {
  const left = refundableCents(wallet, charged);
  if (cents > left || left <= 0n) throw refundExceedsCharge(left);
  if (cents <= 0n) throw new ValidationError("body.amount", "must be more than zero");
  const refunded = charged.cents - left + cents;
  return {
    wallet: {
      ...wallet,
      generalCents: wallet.generalCents + cents,
      refundedCents: new Map(wallet.refundedCents).set(charged.id, refunded),
    },
    movements: [{ from: account.sales, to: account.general(userId), micros: cents * MICROS_PER_CENT }],
  };
}

/** Deposits money. Cents, more than zero. It has been paid, so `BALANCE_CENTS_MAX` does not apply. */
export function deposit(wallet: Wallet, userId: string, cents: bigint, source: DepositSource): WalletChange {
  return {
    wallet: { ...wallet, generalCents: wallet.generalCents + cents },
    movements: [
      { from: account.source(source), to: account.general(userId), micros: cents * MICROS_PER_CENT },
    ],
  };
}

function refundExceedsCharge(left: bigint): DomainError {
  const refundable = fromCents(left > 0n ? left : 0n);
  const why =
    left > 0n
      ? `no more than ${moneyText(refundable)} of this charge are left to refund`
      : "all of this charge is refunded";
  return new DomainError("REFUND_EXCEEDS_CHARGE", why, { refundable });
}

const tooMuch = (what: string) =>
  new DomainError("BALANCE_LIMIT", `the ${what} would grow past the limit of a wallet`);
