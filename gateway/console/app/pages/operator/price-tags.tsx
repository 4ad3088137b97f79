import type { Schemas } from "../../lib/api.ts";
import { formatCents, formatDays } from "../../lib/format.ts";

/** What each length of rent costs; none of them is broken. */
export const PriceTags = ({ prices }: { prices: Schemas["Prices"] }) => {
  const tags = Object.entries(prices);
  return (
    <span className="hint price-tags">
      {tags.length === 0
        ? "none: not for rent"
        : tags.map(([days, cents]) => (
            <span key={days}>
              {formatDays(Number(days))} {formatCents(cents)}
            </span>
          ))}
    </span>
  );
};
