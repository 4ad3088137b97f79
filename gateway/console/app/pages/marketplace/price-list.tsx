import { formatCents, formatDays } from "../../lib/format.ts";

/** What a duration costs, in cents: the rent, and once the setup. */
export interface Price {
  readonly days: number;
  readonly rent: number;
  readonly setupFee: number;
}

export const PriceList = ({ prices }: { prices: readonly Price[] }) => (
  <dl className="prices">
    {prices.map(({ days, rent, setupFee }) => (
      <div key={days}>
        <dt>{formatDays(days)}</dt>
        <dd>
          {formatCents(rent)}
          {setupFee > 0 && <span className="hint"> + {formatCents(setupFee)} setup</span>}
        </dd>
      </div>
    ))}
  </dl>
);
