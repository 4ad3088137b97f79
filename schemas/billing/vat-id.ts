/** VAT identification numbers, by their shape: whether one is registered is the tax office's to say. */

interface Shape {
  readonly pattern: RegExp;
  /** What stands after the letters of the country. */
  readonly text: string;
}

const digits = (...counts: readonly number[]): Shape => ({
  pattern: new RegExp(`^(?:${counts.map((count) => `[0-9]{${count}}`).join("|")})$`),
  text: `${counts.join(" or ")} digits`,
});
const shape = (pattern: RegExp, text: string): Shape => ({ pattern, text });

/** By country (ISO 3166-1): the European Union, and countries beside it whose numbers invoices name. */
const SHAPES: Readonly<Record<string, Shape>> = {
  AT: shape(/^U[0-9]{8}$/, "U and 8 digits"),
  BE: shape(/^[01][0-9]{9}$/, "10 digits, the first 0 or 1"),
  BG: digits(9, 10),
  CH: shape(/^E[0-9]{9}(MWST|TVA|IVA)?$/, "E and 9 digits"),
  CY: shape(/^[0-9]{8}[A-Z]$/, "8 digits and a letter"),
  CZ: digits(8, 9, 10),
  DE: digits(9),
  DK: digits(8),
  EE: digits(9),
  ES: shape(/^[A-Z0-9][0-9]{7}[A-Z0-9]$/, "9 characters, the first or the last a letter"),
  FI: digits(8),
  FR: shape(/^[A-Z0-9]{2}[0-9]{9}$/, "2 characters and 9 digits"),
  GB: shape(/^([0-9]{9}|[0-9]{12}|(GD|HA)[0-9]{3})$/, "9 or 12 digits"),
  GR: digits(9),
  HR: digits(11),
  HU: digits(8),
  IE: shape(/^[0-9][A-Z0-9+*][0-9]{5}[A-Z]{1,2}$/, "7 digits and 1 or 2 letters"),
  IT: digits(11),
  LT: digits(9, 12),
  LU: digits(8),
  LV: digits(11),
  MT: digits(8),
  NL: shape(/^[0-9]{9}B[0-9]{2}$/, "9 digits, B and 2 digits"),
  NO: shape(/^[0-9]{9}(MVA)?$/, "9 digits"),
  PL: digits(10),
  PT: digits(9),
  RO: shape(/^[0-9]{2,10}$/, "2 to 10 digits"),
  SE: shape(/^[0-9]{10}01$/, "12 digits that end with 01"),
  SI: digits(8),
  SK: digits(10),
};

/** Where the letters of the number are not the country's own. */
const PREFIXES: Readonly<Record<string, readonly string[]>> = { GR: ["EL"], GB: ["GB", "XI"] };

/** Elsewhere a tax number is letters and digits. */
const ANYWHERE = /^[A-Z0-9]{4,20}$/;

/** Without what people write between the parts, and in capital letters: "DE 123.456.789" is DE123456789. */
export const normalizeVatId = (text: string): string => text.replace(/[\s./-]/g, "").toUpperCase();

/**
 * What is wrong with a number, which must be normalized; undefined: it can be one of the country.
 *
 * @param country ISO 3166-1
 */
export function vatIdProblem(country: string, vatId: string): string | undefined {
  const known = SHAPES[country];
  if (known === undefined)
    return ANYWHERE.test(vatId) ? undefined : "must be 4 to 20 letters and digits, without other characters";
  const prefixes = PREFIXES[country] ?? [country];
  const prefix = prefixes.find((one) => vatId.startsWith(one));
  if (prefix !== undefined && known.pattern.test(vatId.slice(prefix.length))) return undefined;
  return `must be ${prefixes.join(" or ")} and then ${known.text}`;
}
