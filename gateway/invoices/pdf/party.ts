import type { BilledParty } from "../../../schemas/billing/billing-details.ts";

/** Made at their first use: they load tables for milliseconds, which a start need not wait for. */
let countries: Intl.DisplayNames | undefined;
function countryName(code: string): string {
  countries ??= new Intl.DisplayNames("en", { type: "region" });
  return countries.of(code) ?? code;
}

/** Whom a document is made out to, line by line; the first is a name. Without billing details the account says it. */
export function partyLines(
  { username, email }: { readonly username: string; readonly email: string },
  { name, address_lines = [], postal_code, city, country, vat_id }: Partial<BilledParty>,
): string[] {
  if (name === undefined) return [username, email];
  const place = [postal_code, city].filter(Boolean).join(" ");
  return [
    name,
    ...address_lines,
    ...(place === "" ? [] : [place]),
    ...(country === undefined ? [] : [countryName(country)]),
    ...(vat_id ? [`VAT id ${vat_id}`] : []),
    email,
  ];
}
