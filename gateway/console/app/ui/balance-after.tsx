import { formatMoney } from "../lib/format.ts";
import { useBalances } from "../lib/reads.ts";
import { ButtonLink } from "./button.tsx";

/** What a payment leaves of the balance: a row for its sum, and a note where it is not enough. */
export function useBalanceAfter(cents: number) {
  const balance = useBalances().data?.general_balance;
  const left = balance === undefined ? undefined : (Math.round(Number(balance) * 100) - cents) / 100;
  const isShort = left !== undefined && left < 0;
  return {
    isShort,
    row: (
      <div>
        <dt>Your balance after it</dt>
        <dd>{left === undefined ? "…" : isShort ? "not enough" : formatMoney(left)}</dd>
      </div>
    ),
    /** @param back the page of the purchase, to which the top-up leads back */
    noteFor: (back: string) =>
      isShort && (
        <p className="note warn">
          <span>
            Your balance of {formatMoney(balance ?? 0)} is not enough: {formatMoney(-left)} are missing.
          </span>
          <ButtonLink to={`/wallet?top_up=true&amount=${Math.ceil(-left)}&back=${encodeURIComponent(back)}`}>
            Top up
          </ButtonLink>
        </p>
      ),
  };
}
