import type { BilledParty } from "../../../schemas/billing/billing-details.ts";

const countries = new Intl.DisplayNames("en", { type: "region" });

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
    ...(country === undefined ? [] : [countries.of(country) ?? country]),
    ...(vat_id ? [`VAT id ${vat_id}`] : []),
    email,
  ];
}
