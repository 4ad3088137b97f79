import { useState } from "react";
import { api, dataOf, type Schemas } from "../../lib/api.ts";
import { option } from "../../lib/commands.ts";
import { formatMoney } from "../../lib/format.ts";
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
  onClose,
}: {
  availability: Schemas["PaymentAvailability"];
  /** Of a payment that is tried again. */
  amount: number | undefined;
  by: string | undefined;
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
          defaultValue={String(asked)}
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
      </Form>
    </Dialog>
  );
}
