import { useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { useState } from "react";
import { api, dataOf } from "../../lib/api.ts";
import { formatMoney } from "../../lib/format.ts";
import { useBalances } from "../../lib/reads.ts";
import { Button } from "../../ui/button.tsx";
import { PageHead, Tabs } from "../../ui/page.tsx";
import { Invoices } from "./invoices.tsx";
import { PaymentMethods } from "./payment-methods.tsx";
import { TopUp } from "./top-up.tsx";
import { Transactions } from "./transactions.tsx";
import { TransferDialog } from "./transfer.tsx";

const TABS = {
  "": { title: "Transactions", show: Transactions },
  invoices: { title: "Invoices", show: Invoices },
  methods: { title: "Payment methods", show: PaymentMethods },
} as const;

/** What there is, what came and went, and the papers of it. */
export default function WalletPage() {
  const { tab = "" } = useParams({ strict: false }) as { tab?: string };
  const { show: Show } = TABS[tab in TABS ? (tab as keyof typeof TABS) : ""];
  const [dialog, setDialog] = useState<"top-up" | "transfer">();
  const balances = useBalances().data;
  const availability = useAvailability().data;
  return (
    <>
      <PageHead title="Wallet">
        <Button onPress={() => setDialog("transfer")}>Transfer to AI credit</Button>
        <Button look="primary" onPress={() => setDialog("top-up")}>
          Top up
        </Button>
      </PageHead>
      <div className="tiles bar">
        <section className="card figure-tile" aria-label="Balance">
          <h2 className="hint">Balance</h2>
          <strong>{balances === undefined ? "…" : formatMoney(balances.general_balance)}</strong>
          <span className="hint">For servers and images</span>
        </section>
        <section className="card figure-tile" aria-label="AI credit">
          <h2 className="hint">AI credit</h2>
          <strong>{balances === undefined ? "…" : formatMoney(balances.ai_limit)}</strong>
          <span className="hint">
            {balances === undefined ? "…" : usageOf(balances.ai_usage_status, balances.ai_remaining)}
          </span>
        </section>
      </div>
      <Tabs
        label="Wallet"
        tabs={Object.entries(TABS).map(([name, { title }]) => ({
          title,
          to: name === "" ? "/wallet" : `/wallet/${name}`,
        }))}
      />
      <Show />
      {dialog === "top-up" && availability && (
        <TopUp availability={availability} onClose={() => setDialog(undefined)} />
      )}
      {dialog === "transfer" && availability && (
        <TransferDialog feeBps={availability.ai_credit_fee_bps} onClose={() => setDialog(undefined)} />
      )}
    </>
  );
}

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
