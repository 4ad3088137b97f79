import { useQuery } from "@tanstack/react-query";
import { lazy, Suspense } from "react";
import { api, dataOf } from "../../lib/api.ts";
import { formatDate, formatMoney } from "../../lib/format.ts";
import { useBalances } from "../../lib/reads.ts";
import { signedAmountOf } from "./transactions.tsx";

const Chart = lazy(() => import("../../ui/chart.tsx"));
/** A line of seconds would have the same minute at each of its marks. */
const SECONDS_LEAST = 600;
/** Room above the line, so that its highest part is seen whole. */
const HEADROOM = 1.1;

/** The balance over the newest transactions, as many as one page of the API has: each step is one of them. */
export function BalanceHistory() {
  const balance = useBalances().data?.general_balance;
  const query = useQuery({
    queryKey: ["wallet", "history"],
    queryFn: () => dataOf(api.GET("/api/v1/wallet/transactions", { params: { query: { limit: "100" } } })),
  });
  const newest = query.data ?? [];
  const points = balance === undefined ? [] : pointsOf(newest, Number(balance));
  const first = points[0];
  return (
    <section className="card chart-tile" aria-label="Balance over time">
      <h2 className="hint">Balance over time</h2>
      {query.data !== undefined && first === undefined ? (
        <p className="hint">A line is drawn here when money has moved.</p>
      ) : (
        first !== undefined && (
          <Suspense fallback={<div className="chart-place" />}>
            <Chart
              label={`Balance from ${formatDate(new Date(first.seconds * 1_000).toISOString())}, ${formatMoney(first.balance)}, to now, ${formatMoney(balance ?? 0)}`}
              times={points.map(({ seconds }) => seconds)}
              series={[{ name: "Balance", values: points.map((point) => point.balance) }]}
              max={Math.max(1, ...points.map((point) => point.balance)) * HEADROOM}
              format={formatAxis}
              isStepped
            />
          </Suspense>
        )
      )}
    </section>
  );
}

const formatAxis = (value: number): string => formatMoney(value).replace(/\.00$/, "");

interface Point {
  readonly seconds: number;
  readonly balance: number;
}

/** Back from what there is now, transaction by transaction. */
function pointsOf(newest: readonly Parameters<typeof signedAmountOf>[0][], balance: number): Point[] {
  if (newest.length === 0) return [];
  const points = [{ seconds: Date.now() / 1_000, balance }];
  let after = balance;
  for (const transaction of newest) {
    const seconds = new Date(transaction.created_at).getTime() / 1_000;
    points.push({ seconds, balance: after });
    after -= signedAmountOf(transaction);
    // The height from which it stepped: without it the line would begin at the first change.
    if (transaction === newest.at(-1))
      points.push({ seconds: Math.min(seconds - 1, Date.now() / 1_000 - SECONDS_LEAST), balance: after });
  }
  return points.reverse();
}
