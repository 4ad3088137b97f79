import { Type } from "@sinclair/typebox";
import { BilledParty } from "../../../schemas/billing/billing-details.ts";
import { normalizeVatId, vatIdProblem } from "../../../schemas/billing/vat-id.ts";
import { ValidationError } from "../../../schemas/errors.ts";
import { Nullable, Strict } from "../../../schemas/primitives.ts";
import { type Context, command } from "../../runtime/definition.ts";
import type { Account } from "./rules.ts";
import type { SecurityOptions } from "./security.ts";

type State = Account | null;

/** Made at their first use: they load tables for milliseconds, which a start need not wait for. */
let countries: Intl.DisplayNames | undefined;
function isCountry(code: string): boolean {
  countries ??= new Intl.DisplayNames("en", { type: "region", fallback: "none" });
  return countries.of(code) !== undefined;
}

/** Whom the account's invoices are made out to. */
export const billingCommands = ({ requireAccount }: Pick<SecurityOptions, "requireAccount">) => ({
  /** Invoices that were issued before keep what they say. @throws VALIDATION_ERROR for no country, or no VAT id of it */
  set_billing_details: command(
    Strict({ billing_details: Nullable(BilledParty) }),
    Type.Object({}),
    (state: State, { billing_details }, ctx: Context<State>) => {
      const billingDetails = billing_details === null ? null : checkedParty(billing_details);
      ctx.setState({ ...requireAccount(state), billingDetails });
      return {};
    },
  ),
});

/** @throws ValidationError */
function checkedParty(party: BilledParty): BilledParty {
  if (!isCountry(party.country))
    throw new ValidationError("body.country", "must be the ISO 3166-1 code of a country");
  if (party.vat_id === null) return party;
  const vatId = normalizeVatId(party.vat_id);
  const problem = vatIdProblem(party.country, vatId);
  if (problem !== undefined) throw new ValidationError("body.vat_id", problem);
  return { ...party, vat_id: vatId };
}
