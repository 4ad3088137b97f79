import { useState } from "react";
import { refresh } from "../../lib/actions.ts";
import { api, dataOf, type Schemas } from "../../lib/api.ts";
import { option } from "../../lib/commands.ts";
import { formatMoney } from "../../lib/format.ts";
import { keepWayBack } from "../../lib/purchase.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { ChoiceField, Field } from "../../ui/field.tsx";
import { Form, type Values } from "../../ui/form.tsx";

const PROVIDERS = {
  cardpay: { label: "Card", path: "/api/v1/wallet/payments/cardpay/checkout" },
  cryptopay: { label: "Cryptocurrency", path: "/api/v1/wallet/payments/cryptopay/invoice" },
} as const;
type Provider = keyof typeof PROVIDERS;

/** Leads to the processor's own page. The money is in the wallet when the processor says that it was paid. */
export function TopUp({
  availability,
  amount: asked = 25,
  by,
  back,
  onClose,
}: {
  availability: Schemas["PaymentAvailability"];
  /** Of a payment that is tried again, or what a purchase lacks. */
  amount: number | undefined;
  by: string | undefined;
  /** The page of the purchase that the money is for. */
  back: string | undefined;
  onClose: () => void;
}) {
  const offered = (Object.keys(PROVIDERS) as Provider[]).filter((name) => availability[name].enabled);
  const [provider, setProvider] = useState(offered.find((name) => name === by) ?? offered[0]);
  if (provider === undefined)
    return (
      <Dialog title="Top up" onClose={onClose}>
        <p>This Berth takes no payments at present. An administrator can credit your wallet.</p>
      </Dialog>
    );
  const { min_usd, max_usd } = availability[provider];
  const pay = async ({ amount = "" }: Values) => {
    const body = { amount };
    const url =
      provider === "cardpay"
        ? (await dataOf(api.POST(PROVIDERS.cardpay.path, { body }))).checkout_url
        : (await dataOf(api.POST(PROVIDERS.cryptopay.path, { body }))).invoice_url;
    if (url === null) throw new Error("The payment has ended before it began. Try again.");
    await refresh(["wallet", "unpaid"]);
    keepWayBack(back);
    // Whoever comes back from there finds the top-up among those that are not paid yet, and not this dialog over it.
    history.replaceState(history.state, "", location.pathname);
    location.assign(url);
  };
  return (
    <Dialog title="Top up" onClose={onClose}>
      <Form
        submit="Go to the payment page"
        onSubmit={pay}
        command={({ amount = "" }) => ({
          method: "POST",
          path: PROVIDERS[provider].path,
          body: { amount },
          berth: [
            ...["wallet", "top-up", amount || "…"],
            ...option("by", provider === "cardpay" ? "" : "crypto"),
          ],
        })}
      >
        <Field
          label="Amount"
          name="amount"
          unit="$"
          inputMode="decimal"
          defaultValue={String(Math.max(asked, min_usd))}
          isRequired
          autoFocus
          hint={`From ${formatMoney(min_usd)} to ${formatMoney(max_usd)}.`}
        />
        <ChoiceField
          label="Pay by"
          value={provider}
          onChange={(value) => setProvider(value as Provider)}
          choices={offered.map((value) => ({ value, label: PROVIDERS[value].label }))}
        />
        {back !== undefined && <p className="hint">The payment leads back to your order.</p>}
      </Form>
    </Dialog>
  );
}
