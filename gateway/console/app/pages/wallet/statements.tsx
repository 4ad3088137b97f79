import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { act } from "../../lib/actions.ts";
import { api, dataOf } from "../../lib/api.ts";
import { downloadFile } from "../../lib/download.ts";
import { formatChange, formatMoney, formatType } from "../../lib/format.ts";
import { Button } from "../../ui/button.tsx";
import { ChoiceField } from "../../ui/field.tsx";
import { Loaded } from "../../ui/page.tsx";

const MONTHS_SHOWN = 24;
const monthName = new Intl.DateTimeFormat(undefined, { month: "long", year: "numeric", timeZone: "UTC" });

/** The months from now back, in UTC as the statements are. */
const months = (now = new Date()): string[] =>
  Array.from({ length: MONTHS_SHOWN }, (_, back) =>
    new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - back)).toISOString().slice(0, 7),
  );

const Line = ({ name, value, isTotal = false }: { name: string; value: string; isTotal?: boolean }) => (
  <div className={isTotal ? "total" : ""}>
    <dt>{name}</dt>
    <dd>{value}</dd>
  </div>
);

/** A month in one document. */
export function Statements() {
  const choices = months().map((value) => ({ value, label: monthName.format(new Date(value)) }));
  const [month, setMonth] = useState(choices[0]?.value ?? "");
  const query = useQuery({
    queryKey: ["wallet", "statements", month],
    queryFn: () => dataOf(api.GET("/api/v1/wallet/statements/{month}", { params: { path: { month } } })),
  });
  const save = (kind: "pdf" | "csv") => (
    <Button
      onPress={() =>
        act("The statement is saved", () =>
          downloadFile(`/api/v1/wallet/statements/${month}/${kind}`, `statement-${month}.${kind}`),
        )
      }
    >
      Save as {kind.toUpperCase()}
    </Button>
  );
  return (
    <div className="panel stack">
      <div className="bar">
        <ChoiceField label="Month (UTC)" value={month} onChange={setMonth} choices={choices} />
      </div>
      <Loaded query={query} rows={4}>
        {({ opening_balance, closing_balance, is_complete, totals }) => (
          <dl className="sum">
            <Line name="Opening balance" value={formatMoney(opening_balance)} />
            {totals.map(({ transaction_type, count, amount }) => (
              <Line
                key={transaction_type}
                name={`${count} × ${formatType(transaction_type)}`}
                value={formatChange(Number(amount))}
              />
            ))}
            {totals.length === 0 && <Line name="Nothing came or went" value="–" />}
            <Line
              name={is_complete ? "Closing balance" : "Balance now"}
              value={formatMoney(closing_balance)}
              isTotal
            />
          </dl>
        )}
      </Loaded>
      <div className="page-actions">
        {save("pdf")}
        {save("csv")}
      </div>
    </div>
  );
}
