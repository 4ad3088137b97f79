import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { api, dataOf, type Schemas } from "../../lib/api.ts";
import { useAsked } from "../../lib/asked.ts";
import { formatMoney } from "../../lib/format.ts";
import { useBalances } from "../../lib/reads.ts";
import { Button } from "../../ui/button.tsx";
import { Loaded, PageHead, Skeleton, Tabs } from "../../ui/page.tsx";
import { BonusTile, useBonus } from "./bonus.tsx";
import { BalanceHistory } from "./history.tsx";
import { Invoices } from "./invoices.tsx";
import { PaymentMethods } from "./payment-methods.tsx";
import { Statements } from "./statements.tsx";
import { TopUp } from "./top-up.tsx";
import { Transactions } from "./transactions.tsx";
import { TransferDialog } from "./transfer.tsx";
import { UnpaidTopUps, useUnpaid } from "./unpaid.tsx";

const TABS = {
  "": { title: "Transactions", show: Transactions },
  statements: { title: "Statements", show: Statements },
  invoices: { title: "Invoices", show: Invoices },
  methods: { title: "Payment methods", show: PaymentMethods },
} as const;

/** What there is, what came and went, and the papers of it. */
export default function WalletPage() {
  const { tab = "" } = useParams({ strict: false }) as { tab?: string };
  const { title, show: Show } = TABS[tab in TABS ? (tab as keyof typeof TABS) : ""];
  const navigate = useNavigate();
  // Other pages lead to the top-up itself.
  const { top_up, amount, by, back } = useSearch({ strict: false }) as {
    top_up?: boolean;
    amount?: number;
    by?: string;
    back?: string;
  };
  const showTopUp = (top_up?: boolean) =>
    void navigate({ to: ".", search: { top_up } as never, replace: true });
  const [transfers, setTransfers] = useState(false);
  useAsked(() => setTransfers(true));
  const balances = useBalances();
  // They stand above the tabs: all of that is drawn at once, so that nothing moves.
  const isAllKnown = ![useBonus(), useUnpaid()].some(({ isPending }) => isPending);
  const availability = useAvailability().data;
  return (
    <>
      <PageHead title="Wallet" part={tab === "" ? undefined : title}>
        <Button onPress={() => setTransfers(true)}>Transfer to AI credit</Button>
        <Button look="primary" onPress={() => showTopUp(true)}>
          Top up
        </Button>
      </PageHead>
      {isAllKnown ? (
        <Loaded query={balances} rows={8}>
          {(data) => (
            <>
              <Money balances={data} />
              <UnpaidTopUps />
              <Tabs label="Wallet" tabs={TAB_LINKS} />
              <Show />
            </>
          )}
        </Loaded>
      ) : (
        <Skeleton rows={8} />
      )}
      {top_up && availability && (
        <TopUp availability={availability} amount={amount} by={by} back={back} onClose={() => showTopUp()} />
      )}
      {transfers && availability && (
        <TransferDialog feeBps={availability.ai_credit_fee_bps} onClose={() => setTransfers(false)} />
      )}
    </>
  );
}

const TAB_LINKS = Object.entries(TABS).map(([name, { title }]) => ({
  title,
  to: name === "" ? "/wallet" : `/wallet/${name}`,
}));

const Money = ({ balances }: { balances: Schemas["Balances"] }) => (
  <>
    <div className="tiles bar">
      <section className="card figure-tile" aria-label="Balance">
        <h2 className="hint">Balance</h2>
        <strong>{formatMoney(balances.general_balance)}</strong>
        <span className="hint">
          For <Link to={"/marketplace" as "."}>servers</Link> and <Link to={"/images" as "."}>images</Link>
        </span>
      </section>
      <section className="card figure-tile" aria-label="AI credit">
        <h2 className="hint">AI credit</h2>
        <strong>{formatMoney(balances.ai_limit)}</strong>
        <span className="hint">{usageOf(balances.ai_usage_status, balances.ai_remaining)}</span>
      </section>
      <BonusTile />
    </div>
    <BalanceHistory />
  </>
);

/** The API says what is left only when the provider has just said so. */
function usageOf(status: string, remaining: string): string {
  if (status === "live") return `${formatMoney(remaining)} left`;
  if (status === "no_provider") return "This Berth has no provider of it";
  if (status === "no_key") return "None transferred yet";
  return status === "pending" ? "Its key is being made" : "What is left is not known right now";
}

const useAvailability = () =>
  useQuery({
    queryKey: ["wallet", "availability"],
    queryFn: () => dataOf(api.GET("/api/v1/wallet/payment-availability")),
  });
