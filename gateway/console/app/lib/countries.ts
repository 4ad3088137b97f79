/** Countries by their codes of ISO 3166-1, named in the reader's language. The table of names takes long to make: it is made once. */
const names = new Intl.DisplayNames(undefined, { type: "region", fallback: "none" });

/** "Germany (DE)"; a code that names no country stands alone. */
export function countryName(code: string): string {
  const name = names.of(code);
  return name === undefined ? code : `${name} (${code})`;
}

const LETTERS = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZ"];
/** Unions, leftovers and test values, which have a name as well. */
const NO_COUNTRIES: ReadonlySet<string> = new Set(["EU", "EZ", "QO", "UN", "XA", "XB", "ZZ"]);

/** The codes of all countries, in the order of their names in the reader's language. */
export const countryCodes = (): string[] =>
  LETTERS.flatMap((first) => LETTERS.map((second) => first + second))
    .filter((code) => names.of(code) !== undefined && !NO_COUNTRIES.has(code) && isPresent(code))
    .sort((a, b) => countryName(a).localeCompare(countryName(b)));

/** A code of a former country, such as DD, stands for another one. */
const isPresent = (code: string): boolean => new Intl.Locale("und", { region: code }).region === code;
