import { type Static, Type } from "@sinclair/typebox";
import { Reply } from "../envelope.ts";
import { Nullable, Strict } from "../primitives.ts";
import { Name } from "../text.ts";

/** Whom invoices are made out to, beside the user's name and address of mail. */

const ADDRESS_LINES_MAX = 4;

const party = {
  name: Type.Unsafe<string>({ ...Name(200), description: "the name of a person or of a company" }),
  address_lines: Type.Array(Name(200), { minItems: 1, maxItems: ADDRESS_LINES_MAX }),
  postal_code: Nullable(Name(20)),
  city: Name(100),
  country: Type.String({ pattern: "^[A-Z]{2}$", description: "ISO 3166-1 code", examples: ["DE"] }),
  vat_id: Nullable(
    Type.Unsafe<string>({
      ...Name(40),
      description:
        "with the letters of its country; checked by its shape alone, and kept without blanks, dots and hyphens",
      examples: ["DE123456789"],
    }),
  ),
};

/** An invoice keeps a copy of it as it is when the invoice is issued. */
export const BilledParty = Type.Object(party);
export type BilledParty = Static<typeof BilledParty>;

export const SetBillingDetails = Strict({
  ...party,
  postal_code: Type.Optional(party.postal_code),
  vat_id: Type.Optional(party.vat_id),
});
export type SetBillingDetails = Static<typeof SetBillingDetails>;

export const BillingDetailsReply = Reply(
  Type.Object({
    billing_details: Nullable(BilledParty),
  }),
);
