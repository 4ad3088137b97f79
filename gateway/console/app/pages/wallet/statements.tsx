import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { act } from "../../lib/actions.ts";
import { api, dataOf } from "../../lib/api.ts";
import { downloadFile } from "../../lib/download.ts";
import { formatChange, formatMoney, formatNumber, formatType } from "../../lib/format.ts";
import { Button } from "../../ui/button.tsx";
import { ChoiceField } from "../../ui/field.tsx";
import { Facts, Loaded } from "../../ui/page.tsx";
import { Table } from "../../ui/table.tsx";

const MONTHS_MAX = 36;
const monthName = new Intl.DateTimeFormat(undefined, { month: "long", year: "numeric", timeZone: "UTC" });

/** The months from now back to the account's first one, in UTC as the statements are. */
function monthsSince(since: string): string[] {
  const now = new Date();
  const months = Array.from({ length: MONTHS_MAX }, (_, back) =>
    new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - back)).toISOString().slice(0, 7),
  );
  return months.filter((month) => month >= since.slice(0, 7));
}

/** A month in one document. */
export function Statements() {
  const me = useQuery({ queryKey: ["account", "me"], queryFn: () => dataOf(api.GET("/api/v1/auth/me")) });
  return (
    <Loaded query={me} rows={5}>
      {({ created_at }) => <Months months={monthsSince(created_at)} />}
    </Loaded>
  );
}

function Months({ months }: { months: readonly string[] }) {
  const [month, setMonth] = useState(months[0] ?? "");
  const query = useQuery({
    queryKey: ["wallet", "statements", month],
    queryFn: () => dataOf(api.GET("/api/v1/wallet/statements/{month}", { params: { path: { month } } })),
  });
  const save = (kind: "pdf" | "csv") =>
    void act("The statement is saved", () =>
      downloadFile(`/api/v1/wallet/statements/${month}/${kind}`, `statement-${month}.${kind}`),
    );
  return (
    <div className="panel stack">
      <ChoiceField
        label="Month"
        value={month}
        onChange={setMonth}
        choices={months.map((value) => ({ value, label: monthName.format(new Date(`${value}-01`)) }))}
        hint="From its first to its last moment in UTC."
      />
      <Loaded query={query} rows={4}>
        {({ opening_balance, closing_balance, is_complete, totals }) => (
          <>
            <Facts
              facts={[
                ["Opening balance", formatMoney(opening_balance)],
                [is_complete ? "Closing balance" : "Balance now", formatMoney(closing_balance)],
              ]}
            />
            {totals.length === 0 ? (
              <p className="hint">No money moved in this month.</p>
            ) : (
              <Table
                caption="By kind"
                rows={totals}
                keyOf={({ transaction_type }) => transaction_type}
                columns={[
                  { title: "Kind", cell: ({ transaction_type }) => formatType(transaction_type) },
                  { title: "Transactions", isFigure: true, cell: ({ count }) => formatNumber(count) },
                  { title: "Amount", isFigure: true, cell: ({ amount }) => formatChange(Number(amount)) },
                ]}
              />
            )}
          </>
        )}
      </Loaded>
      <div className="page-actions">
        <Button onPress={() => save("pdf")}>Save as PDF</Button>
        <Button onPress={() => save("csv")}>Save as CSV</Button>
      </div>
    </div>
  );
}
