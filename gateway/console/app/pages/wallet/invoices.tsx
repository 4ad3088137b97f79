import { useQuery } from "@tanstack/react-query";
import { api, dataOf, type Schemas } from "../../lib/api.ts";
import { formatDate, formatMoney } from "../../lib/format.ts";
import { messageOf } from "../../lib/messages.ts";
import { accessToken } from "../../lib/session.ts";
import { toast } from "../../lib/toasts.ts";
import { Button } from "../../ui/button.tsx";
import { Empty, Loaded } from "../../ui/page.tsx";
import { type Column, Table } from "../../ui/table.tsx";

type Invoice = Schemas["ListedInvoice"];

/** The invoices, each as a PDF. */
export function Invoices() {
  const query = useQuery({
    queryKey: ["wallet", "invoices"],
    queryFn: () => dataOf(api.GET("/api/v1/wallet/invoices", { params: { query: { limit: "100" } } })),
  });
  return (
    <Loaded query={query}>
      {({ invoices }) =>
        invoices.length === 0 ? (
          <Empty icon="wallet" title="No invoices yet">
            Make one from any transaction.
          </Empty>
        ) : (
          <Table caption="Invoices" columns={COLUMNS} rows={invoices} keyOf={({ id }) => id} />
        )
      }
    </Loaded>
  );
}

const COLUMNS: readonly Column<Invoice>[] = [
  { title: "Number", cell: ({ invoice_number }) => invoice_number },
  { title: "For", cell: ({ transaction }) => transaction.transaction_type.replaceAll("_", " ") },
  { title: "Issued", cell: ({ issue_date }) => formatDate(issue_date) },
  { title: "Amount", cell: ({ amount }) => formatMoney(amount), isFigure: true },
  {
    title: "File",
    isActions: true,
    cell: (invoice) => (
      <Button
        look="quiet"
        aria-label={`PDF of ${invoice.invoice_number}`}
        onPress={() => void download(invoice).catch((error) => toast(messageOf(error), "failed"))}
      >
        PDF
      </Button>
    ),
  },
];

/** A link could not carry the token, so the page fetches the file and hands it to the browser. */
async function download({ id, invoice_number }: Invoice): Promise<void> {
  const response = await fetch(`/api/v1/wallet/invoices/${id}/pdf`, {
    headers: { authorization: `Bearer ${await accessToken()}` },
  });
  if (!response.ok) throw new Error(((await response.json()) as { message: string }).message);
  const link = document.createElement("a");
  link.href = URL.createObjectURL(await response.blob());
  link.download = `${invoice_number}.pdf`;
  link.click();
  URL.revokeObjectURL(link.href);
}
