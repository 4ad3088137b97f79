import type { Schemas } from "../../lib/api.ts";
import { formatCents, formatDays } from "../../lib/format.ts";

/** What each length of rent costs, in a line. */
export const PriceTags = ({ prices }: { prices: Schemas["Prices"] }) => {
  // A price is not parted from its length.
  const tags = Object.entries(prices).map(([days, cents]) =>
    `${formatDays(Number(days))} ${formatCents(cents)}`.replaceAll(" ", "\u00a0"),
  );
  return <span className="hint">{tags.join(", ") || "none: not for rent"}</span>;
};
