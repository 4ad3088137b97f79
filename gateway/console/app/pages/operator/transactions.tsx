import { useState } from "react";
import { api, dataOf, type Schemas } from "../../lib/api.ts";
import { formatChange, formatMoney } from "../../lib/format.ts";
import { from, useList } from "../../lib/lists.ts";
import { perform } from "../../lib/perform.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Field } from "../../ui/field.tsx";
import { Form, type Values } from "../../ui/form.tsx";
import { LoadedList } from "../../ui/list.tsx";
import { Section } from "../../ui/page.tsx";
import { DateTime } from "../../ui/status.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { signedAmountOf } from "../wallet/transactions.tsx";

type Transaction = Schemas["ManagedTransaction"];

/** What a user was credited and charged, and the refund of a charge. */
export function Transactions({ userId }: { userId: string }) {
  const [refunded, setRefunded] = useState<Transaction>();
  const query = useList(["operator", "users", userId, "transactions"], async (cursor) => {
    const params = { path: { id: userId }, query: { limit: "20", ...from(cursor) } };
    const { transactions, pagination } = await dataOf(
      api.GET("/api/v1/admin/users/{id}/transactions", { params }),
    );
    return { items: transactions, next: pagination.next_cursor };
  });
  return (
    <Section title="Transactions">
      <LoadedList query={query} empty={<p className="hint">None.</p>}>
        {(transactions) => (
          <Table
            caption="Transactions"
            columns={columnsOf(setRefunded)}
            rows={transactions}
            keyOf={({ id }) => id}
          />
        )}
      </LoadedList>
      {refunded && <RefundDialog transaction={refunded} onClose={() => setRefunded(undefined)} />}
    </Section>
  );
}

const columnsOf = (onRefund: (transaction: Transaction) => void): readonly Column<Transaction>[] => [
  {
    title: "What",
    cell: ({ reason, refund_of_reason }) => (
      <>
        {reason}
        {refund_of_reason && <div className="hint">Refund of {refund_of_reason}</div>}
      </>
    ),
  },
  { title: "When", cell: ({ created_at }) => <DateTime at={created_at} /> },
  { title: "Amount", cell: (transaction) => formatChange(signedAmountOf(transaction)), isFigure: true },
  {
    title: "Refunded",
    cell: ({ refunded }) => (refunded === 0 ? "–" : formatMoney(refunded)),
    isFigure: true,
  },
  {
    title: "Refund",
    isActions: true,
    cell: (transaction) =>
      transaction.refundable > 0 && (
        <Button
          look="quiet"
          aria-label={`Refund ${transaction.reason}`}
          onPress={() => onRefund(transaction)}
        >
          Refund
        </Button>
      ),
  },
];

interface RefundDialogProps {
  readonly transaction: Transaction;
  readonly onClose: () => void;
}

/** Whole or in part. The same dialog sent twice refunds once. */
function RefundDialog({ transaction: { id, reason, refundable }, onClose }: RefundDialogProps) {
  const [key] = useState(() => crypto.randomUUID());
  const path = "/api/v1/admin/transactions/{id}/refund";
  const bodyOf = (values: Values) => ({ amount: values.amount ?? "", reason: values.reason ?? "" });
  return (
    <Dialog title="Refund" onClose={onClose}>
      <Form
        submit="Refund it"
        onSubmit={async (values) => {
          const body = bodyOf(values);
          const idempotency_key = `${key}-${body.amount}`;
          await perform(
            `${formatMoney(body.amount)} went back to the balance`,
            () => api.POST(path, { params: { path: { id } }, body: { ...body, idempotency_key } }),
            ["operator", "users"],
          );
          onClose();
        }}
        fieldOf={{ REFUND_EXCEEDS_CHARGE: "amount" }}
        command={(values) => ({
          method: "POST",
          path: path.replace("{id}", id),
          body: { ...bodyOf(values), idempotency_key: "…" },
          berth: ["admin", "refund", id, values.amount || "…", "--reason", values.reason || "…"],
        })}
      >
        <p>{reason}</p>
        <Field
          label="Amount"
          name="amount"
          unit="$"
          inputMode="decimal"
          defaultValue={refundable.toFixed(2)}
          isRequired
          autoFocus
          hint={`${formatMoney(refundable)} at most. What was sold stays as it is.`}
        />
        <Field label="Reason" name="reason" maxLength={255} isRequired hint="The user sees it." />
      </Form>
    </Dialog>
  );
}
