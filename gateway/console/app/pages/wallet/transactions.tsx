import { useInfiniteQuery } from "@tanstack/react-query";
import { useState } from "react";
import { act } from "../../lib/actions.ts";
import { api, replyOf, type Schemas } from "../../lib/api.ts";
import { formatChange, formatType } from "../../lib/format.ts";
import { Button } from "../../ui/button.tsx";
import { Empty, Loaded } from "../../ui/page.tsx";
import { DateTime } from "../../ui/status.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { DetailsDialog, useBillingDetails } from "./billing-details.tsx";
import { InvoiceFile, isRefund, useInvoices } from "./invoices.tsx";

type Transaction = Schemas["Transaction"];
const RAISES = new Set<string>(["credit", "top_up", "bonus", "refund"]);

/** Above zero where it raises the balance. */
export const signedAmountOf = ({ amount, transaction_type }: Transaction): number =>
  RAISES.has(transaction_type) ? amount : -amount;

/** What came and went, the newest first. */
export function Transactions() {
  const query = useInfiniteQuery({
    queryKey: ["wallet", "transactions"],
    queryFn: ({ pageParam }) =>
      replyOf(
        api.GET("/api/v1/wallet/transactions", {
          params: { query: { limit: "50", ...(pageParam === "" ? {} : { cursor: pageParam }) } },
        }),
      ),
    initialPageParam: "",
    getNextPageParam: ({ pagination }) => pagination.next_cursor,
  });
  return (
    <Loaded query={query as never}>
      {() => {
        const rows = query.data?.pages.flatMap(({ data }) => data) ?? [];
        if (rows.length === 0)
          return (
            <Empty icon="wallet" title="No money has moved yet">
              Top up, and rent your first server.
            </Empty>
          );
        return (
          <>
            <Table caption="Transactions" columns={COLUMNS} rows={rows} keyOf={({ id }) => id} />
            {query.hasNextPage && (
              <div className="more">
                <Button isPending={query.isFetchingNextPage} onPress={() => query.fetchNextPage()}>
                  Show more
                </Button>
              </div>
            )}
          </>
        );
      }}
    </Loaded>
  );
}

const COLUMNS: readonly Column<Transaction>[] = [
  {
    title: "What",
    cell: ({ reason, refund_of_reason }) => (
      <>
        {reason}
        {refund_of_reason && <div className="hint">Refund of {refund_of_reason}</div>}
      </>
    ),
  },
  { title: "Type", cell: ({ transaction_type }) => formatType(transaction_type) },
  { title: "When", cell: ({ created_at }) => <DateTime at={created_at} /> },
  {
    title: "Amount",
    isFigure: true,
    cell: (transaction) => formatChange(signedAmountOf(transaction)),
  },
  {
    title: "Invoice",
    isActions: true,
    cell: (transaction) => <Paper transaction={transaction} />,
  },
];

/** Whoever has issued one without billing details is not asked for them again. */
let wasAsked = false;

/** Nobody has paid for these. */
const GIFTS: ReadonlySet<Transaction["transaction_type"]> = new Set(["credit", "bonus"]);

/** The invoice of a transaction, or a button that makes it: of what was paid, and of what was returned of an invoice. */
function Paper({ transaction: { id, transaction_type, reason, refund_of } }: { transaction: Transaction }) {
  const { data } = useInvoices();
  const details = useBillingDetails().data;
  const [asks, setAsks] = useState(false);
  if (data === undefined) return null;
  const invoice = data.invoices.find(({ transaction_id }) => transaction_id === id);
  if (invoice) return <InvoiceFile invoice={invoice}>{invoice.invoice_number}</InvoiceFile>;
  const isOfInvoice = data.invoices.some(({ transaction_id }) => transaction_id === refund_of);
  if (GIFTS.has(transaction_type) || (refund_of !== null && !isOfInvoice)) return null;
  const paper = isRefund(transaction_type) ? "credit note" : "invoice";
  const make = isRefund(transaction_type) ? "Make a credit note" : "Make an invoice";
  const issue = () => {
    wasAsked = true;
    return act(
      `The ${paper} is made`,
      () => api.POST("/api/v1/wallet/invoices/generate/{id}", { params: { path: { id } } }),
      ["wallet", "invoices"],
    );
  };
  const mustAsk = details?.billing_details === null && !wasAsked;
  return (
    <>
      <Button
        look="quiet"
        aria-label={`${make}: ${reason}`}
        onPress={() => (mustAsk ? setAsks(true) : issue())}
      >
        {make}
      </Button>
      {asks && <DetailsDialog party={null} issue={issue} paper={paper} onClose={() => setAsks(false)} />}
    </>
  );
}
