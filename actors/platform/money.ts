/**
 * Money is whole numbers: cents for general balances, micro-USD (a millionth of a dollar) for AI credit and the ledger.
 * Text comes in and goes out at the edges (design §3 "Where the spec is silent: money").
 */

export const MICROS_PER_CENT = 10_000n;
const CENTS_PER_DOLLAR = 100n;
const MICROS_PER_DOLLAR = 1_000_000n;

/** Cents of an amount that has passed the schema `Amount`: "25", "25.5" and "25.50" are 2500, 2550 and 2550. */
export function toCents(amount: string): bigint {
  const [dollars = "0", fraction = ""] = amount.split(".");
  return BigInt(dollars) * CENTS_PER_DOLLAR + BigInt(fraction.padEnd(2, "0"));
}

/** "475.00" of 47500 cents. */
export function fromCents(cents: bigint): string {
  return `${cents / CENTS_PER_DOLLAR}.${(cents % CENTS_PER_DOLLAR).toString().padStart(2, "0")}`;
}

/** "-32.00" of -3200 cents. */
export const signedFromCents = (cents: bigint): string =>
  cents < 0n ? `-${fromCents(-cents)}` : fromCents(cents);

/** "$1,234.50" of "1234.50", as people read it; "-$32.00" of "-32.00". */
export function moneyText(amount: string): string {
  const [, sign = "", whole = "", fraction = ""] = /^(-?)(\d+)(.*)$/.exec(amount) ?? [];
  return `${sign}$${whole.replace(/\B(?=(\d{3})+$)/g, ",")}${fraction}`;
}

/** 475.5 of 47550 cents, for records whose amounts are numbers. Exact up to 10^14 cents, the largest balance. */
export const dollars = (cents: bigint): number => Number(cents) / Number(CENTS_PER_DOLLAR);

/** "23.75" of 23750000 micro-USD; fractions of cents are shown in full: "0.000125". */
export function fromMicros(micros: bigint): string {
  const fraction = (micros % MICROS_PER_DOLLAR)
    .toString()
    .padStart(6, "0")
    .replace(/0{1,4}$/, "");
  return `${micros / MICROS_PER_DOLLAR}.${fraction}`;
}

/** Micro-USD of a number of dollars from a provider's JSON, rounded to the nearest. */
export function toMicros(dollars: number): bigint {
  // Above 10^21 JavaScript formats numbers with an exponent; no real amount comes near.
  if (!(dollars >= 0 && dollars < 1e15)) throw new RangeError(`${dollars} is no amount of dollars`);
  return BigInt(dollars.toFixed(6).replace(".", ""));
}
