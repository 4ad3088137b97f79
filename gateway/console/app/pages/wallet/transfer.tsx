import { useState } from "react";
import { refresh } from "../../lib/actions.ts";
import { api, dataOf } from "../../lib/api.ts";
import { formatMoney } from "../../lib/format.ts";
import { toast } from "../../lib/toasts.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { Field } from "../../ui/field.tsx";
import { Form } from "../../ui/form.tsx";

const BPS = 10_000;

/** Balance to AI credit, one way. Fee and net stand here before it happens, and the transfer is refused if the fee is another by then. */
export function TransferDialog({ feeBps, onClose }: { feeBps: number; onClose: () => void }) {
  const [amount, setAmount] = useState("");
  const isAmount = /^\d{1,12}(\.\d{1,2})?$/.test(amount);
  const cents = isAmount ? Math.round(Number(amount) * 100) : 0;
  // As the API rounds it: half up, to the cent.
  const fee = Math.floor((cents * feeBps + BPS / 2) / BPS);
  const transfer = async () => {
    const { net_ai_credit } = await dataOf(
      api.POST("/api/v1/wallet/transfers", { body: { amount, expected_fee_bps: feeBps } }),
    );
    await refresh(["wallet"]);
    toast(`${formatMoney(net_ai_credit)} of AI credit are yours`);
    onClose();
  };
  return (
    <Dialog title="Transfer to AI credit" onClose={onClose}>
      <Form
        submit={`Transfer ${formatMoney(cents / 100)}`}
        isDisabled={cents === 0}
        onSubmit={transfer}
        fieldOf={{ INSUFFICIENT_BALANCE: "amount" }}
        command={() => ({
          method: "POST",
          path: "/api/v1/wallet/transfers",
          body: { amount, expected_fee_bps: feeBps },
          berth: ["wallet", "transfer", amount || "…"],
        })}
      >
        <Field
          label="Amount"
          name="amount"
          unit="$"
          inputMode="decimal"
          value={amount}
          onChange={setAmount}
          isRequired
          autoFocus
          hint="It cannot be transferred back."
        />
        <dl className="sum">
          <div>
            <dt>Fee of {feeBps / 100} %</dt>
            <dd>{formatMoney(fee / 100)}</dd>
          </div>
          <div className="total">
            <dt>AI credit</dt>
            <dd>{formatMoney((cents - fee) / 100)}</dd>
          </div>
        </dl>
      </Form>
    </Dialog>
  );
}
