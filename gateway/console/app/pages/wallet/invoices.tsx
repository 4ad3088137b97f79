import { useQuery } from "@tanstack/react-query";
import { api, dataOf, type Schemas } from "../../lib/api.ts";
import { downloadFile } from "../../lib/download.ts";
import { formatDate, formatMoney, formatType } from "../../lib/format.ts";
import { messageOf } from "../../lib/messages.ts";
import { toast } from "../../lib/toasts.ts";
import { Button, ButtonLink } from "../../ui/button.tsx";
import { Empty, Loaded } from "../../ui/page.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { BillingDetails } from "./billing-details.tsx";

type Invoice = Schemas["ListedInvoice"];

/** The newest invoices, as many as one page of the API has. */
export const useInvoices = () =>
  useQuery({
    queryKey: ["wallet", "invoices"],
    queryFn: () => dataOf(api.GET("/api/v1/wallet/invoices", { params: { query: { limit: "100" } } })),
  });

/** The invoices, each as a PDF, and whom they are made out to. */
export const Invoices = () => (
  <>
    <InvoiceList />
    <p className="hint">
      A top-up is money paid in, and a purchase is what it was spent on: for your books, take the invoices of
      one or of the other.
    </p>
    <BillingDetails />
  </>
);

function InvoiceList() {
  const query = useInvoices();
  return (
    <Loaded query={query}>
      {({ invoices }) =>
        invoices.length === 0 ? (
          <Empty
            icon="wallet"
            title="No invoices yet"
            action={<ButtonLink to="/wallet">To the transactions</ButtonLink>}
          >
            Make one from any transaction.
          </Empty>
        ) : (
          <Table caption="Invoices" columns={invoiceColumns()} rows={invoices} keyOf={({ id }) => id} />
        )
      }
    </Loaded>
  );
}

/** @param under where the file of one is read */
export const invoiceColumns = (under?: string): readonly Column<Invoice>[] => [
  { title: "Number", cell: ({ invoice_number }) => <strong>{invoice_number}</strong> },
  {
    title: "For",
    cell: ({ transaction: { transaction_type, reason }, credit_note_for: sale }) => (
      <>
        {isRefund(transaction_type) ? "credit note" : formatType(transaction_type)}
        <div className="hint" dir="auto">
          {sale === null ? reason : `money back for ${sale.reason}`}
          {sale?.invoice_number && `, ${sale.invoice_number}`}
        </div>
      </>
    ),
  },
  { title: "Issued", cell: ({ issue_date }) => formatDate(issue_date) },
  {
    title: "Amount",
    isFigure: true,
    cell: ({ amount, transaction }) => formatMoney(isRefund(transaction.transaction_type) ? -amount : amount),
  },
  {
    title: "File",
    isActions: true,
    cell: (invoice) => (
      <InvoiceFile invoice={invoice} {...(under === undefined ? {} : { under })}>
        PDF
      </InvoiceFile>
    ),
  },
];

/** Its paper is a credit note: what was paid went back. */
export const isRefund = (type: Schemas["TransactionType"]): boolean => type === "refund";

/** Downloads an invoice. */
export const InvoiceFile = ({
  invoice,
  under = "/api/v1/wallet/invoices",
  children,
}: {
  invoice: Pick<Invoice, "id" | "invoice_number">;
  /** Where it is read. */
  under?: string;
  children: string;
}) => (
  <Button
    look="quiet"
    aria-label={`PDF of ${invoice.invoice_number}`}
    onPress={() =>
      downloadFile(`${under}/${invoice.id}/pdf`, `${invoice.invoice_number}.pdf`).catch((error) =>
        toast(messageOf(error), "failed"),
      )
    }
  >
    {children}
  </Button>
);
