import { useInfiniteQuery } from "@tanstack/react-query";
import { act } from "../../lib/actions.ts";
import { api, replyOf, type Schemas } from "../../lib/api.ts";
import { formatDateTime, formatMoney } from "../../lib/format.ts";
import { Button } from "../../ui/button.tsx";
import { Empty, Loaded } from "../../ui/page.tsx";
import { type Column, Table } from "../../ui/table.tsx";

type Transaction = Schemas["Transaction"];
const RAISES = new Set<string>(["credit", "top_up", "bonus", "refund"]);

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
              Top up to rent your first server.
            </Empty>
          );
        return (
          <>
            <Table caption="Transactions" columns={COLUMNS} rows={rows} keyOf={({ id }) => id} />
            {query.hasNextPage && (
              <div className="more">
                <Button isPending={query.isFetchingNextPage} onPress={() => void query.fetchNextPage()}>
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
  { title: "What", cell: ({ reason }) => reason },
  { title: "Kind", cell: ({ transaction_type }) => transaction_type.replaceAll("_", " ") },
  { title: "When", cell: ({ created_at }) => formatDateTime(created_at) },
  {
    title: "Amount",
    isFigure: true,
    cell: ({ amount, transaction_type }) =>
      `${RAISES.has(transaction_type) ? "+" : "−"}${formatMoney(amount)}`,
  },
  {
    title: "Papers",
    isActions: true,
    cell: ({ id }) => (
      <Button
        look="quiet"
        onPress={() =>
          void act(
            "The invoice is among your invoices",
            () => api.POST("/api/v1/wallet/invoices/generate/{id}", { params: { path: { id } } }),
            ["wallet", "invoices"],
          )
        }
      >
        Make an invoice
      </Button>
    ),
  },
];
