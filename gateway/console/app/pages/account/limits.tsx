import { useQuery } from "@tanstack/react-query";
import { api, dataOf, type Schemas } from "../../lib/api.ts";
import { formatNumber } from "../../lib/format.ts";
import { Loaded } from "../../ui/page.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { AccountHead } from "./tabs.tsx";

type Quota = Schemas["QuotaUse"];

/** How many of everything there may be, and how many there are. */
export default function LimitsPage() {
  const query = useQuery({
    queryKey: ["account", "quotas"],
    queryFn: () => dataOf(api.GET("/api/v1/quotas")),
    // Whatever is created or deleted anywhere changes it.
    staleTime: 0,
  });
  return (
    <>
      <AccountHead />
      <p className="hint bar">An operator of this Berth sets the limits, and can raise them.</p>
      <Loaded query={query} rows={12}>
        {({ quotas }) => (
          <Table caption="Limits" columns={COLUMNS} rows={quotas} keyOf={({ quota }) => quota} />
        )}
      </Loaded>
    </>
  );
}

const COLUMNS: readonly Column<Quota>[] = [
  { title: "At most", cell: ({ description }) => <strong>{description}</strong> },
  { title: "For each", cell: ({ scope }) => scope },
  { title: "In use", cell: ({ used }) => (used === null ? "–" : formatNumber(used)), isFigure: true },
  { title: "Limit", cell: ({ limit }) => formatNumber(limit), isFigure: true },
];
