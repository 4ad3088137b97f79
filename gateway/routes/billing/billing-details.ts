import { Elysia } from "elysia";
import { readBillingDetails } from "../../../actors/accounts/account/queries.ts";
import { BillingDetailsReply, SetBillingDetails } from "../../../schemas/billing/billing-details.ts";
import { signedIn } from "../../auth/guards.ts";
import type { GatewayContext } from "../../context.ts";
import { ok } from "../../http/envelope.ts";

/** Whom the caller's invoices are made out to. */
export const billingDetailsRoutes = ({ db, actors, credentials }: GatewayContext) => {
  const read = async (userId: string) => ({ billing_details: await readBillingDetails(db, userId) });

  const reading = new Elysia()
    .use(signedIn(credentials, "wallet.read"))
    .get("/", async ({ caller }) => ok("Billing details", await read(caller.userId)), {
      response: { 200: BillingDetailsReply },
      detail: { summary: "Whom your invoices are made out to" },
    });

  const writing = new Elysia()
    .use(signedIn(credentials, "wallet.spend"))
    .put(
      "/",
      async ({ caller, body }) => {
        const billing_details = {
          ...body,
          postal_code: body.postal_code ?? null,
          vat_id: body.vat_id ?? null,
        };
        await actors.account(caller.userId).set_billing_details({ billing_details });
        return ok("Billing details changed", await read(caller.userId));
      },
      {
        body: SetBillingDetails,
        response: { 200: BillingDetailsReply },
        detail: {
          summary: "Set whom your invoices are made out to",
          description:
            "Takes the place of all that was set before. Invoices from now on keep a copy of it in `billing_details` and print it; those that were issued before do not change. " +
            "A VAT id is checked by the shape that its country gives it.",
          "x-idempotency-key": false,
        },
      },
    )
    .delete(
      "/",
      async ({ caller }) => {
        await actors.account(caller.userId).set_billing_details({ billing_details: null });
        return ok("Billing details removed", await read(caller.userId));
      },
      {
        response: { 200: BillingDetailsReply },
        detail: {
          summary: "Remove your billing details",
          description: "Invoices that were issued with them keep their copies.",
          "x-idempotency-key": false,
        },
      },
    );

  return new Elysia({ prefix: "/api/v1/wallet/billing-details", detail: { tags: ["Invoices"] } })
    .use(reading)
    .use(writing);
};
