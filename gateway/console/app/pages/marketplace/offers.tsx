import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { api, dataOf, type Schemas } from "../../lib/api.ts";
import { plural } from "../../lib/format.ts";
import { Button } from "../../ui/button.tsx";
import { Loaded, Section } from "../../ui/page.tsx";
import { placeOf, SpecsList } from "../../ui/specs.tsx";
import type { Search } from "./filters.tsx";
import { ReserveDialog } from "./order.tsx";
import { type Price, PriceList } from "./price-list.tsx";

type Offer = Schemas["Offer"];

export const pricesOf = ({ pricing_rules, setup_fee_rules, setup_fee_cents }: Offer): Price[] =>
  Object.entries(pricing_rules).map(([days, rent]) => ({
    days: Number(days),
    rent,
    // A fee of its own, or the one for all durations.
    setupFee: setup_fee_rules[days] ?? setup_fee_cents,
  }));

export const useOffers = () =>
  useQuery({
    queryKey: ["marketplace", "offers"],
    queryFn: () => dataOf(api.GET("/api/v1/offers", { params: { query: { limit: "500" } } })),
  });

interface OffersProps {
  readonly query: ReturnType<typeof useOffers>;
  readonly search: Search;
  /** The id of the one that a top-up leads back to. */
  readonly asked: unknown;
  /** The order is closed, or done. */
  readonly onClose: () => void;
}

/** Servers that are ordered for whoever reserves one. The filters of the page narrow them as well. */
export function Offers({ query, search, asked, onClose }: OffersProps) {
  const [chosen, setOrders] = useState<string>();
  const orders = query.data?.find(({ id }) => id === (chosen ?? String(asked)));
  return (
    <Section title="Delivered to order">
      <Loaded query={query}>
        {(offers) => {
          const found = offers.filter((offer) => isFound(offer, search));
          if (found.length === 0)
            return (
              <p className="hint">{offers.length === 0 ? "Nothing at present." : "No offer is like this."}</p>
            );
          return (
            <ul className="tiles">
              {found.map((offer) => (
                <OfferTile key={offer.id} offer={offer} onOrder={() => setOrders(offer.id)} />
              ))}
            </ul>
          );
        }}
      </Loaded>
      {orders && (
        <ReserveDialog
          offer={orders}
          onClose={() => {
            setOrders(undefined);
            onClose();
          }}
        />
      )}
    </Section>
  );
}

const OfferTile = ({ offer, onOrder }: { offer: Offer; onOrder: () => void }) => (
  <li className="card product">
    <h3>{offer.name}</h3>
    <p className="hint">
      {placeOf(offer.specs)} · within {plural(offer.lead_time_hours, "hour")}
    </p>
    <SpecsList specs={offer.specs} />
    <PriceList prices={pricesOf(offer)} />
    <Button onPress={onOrder} aria-label={`Reserve ${offer.name}`}>
      Reserve
    </Button>
  </li>
);

/** Whether an offer meets the filters, as the API reads them for servers: it has none for offers. */
export function isFound({ specs, pricing_rules }: Offer, search: Search): boolean {
  const { disks = [], cpu_cores = 0, ram_gb = 0 } = specs;
  const storage = disks.reduce((sum, { size_gb }) => sum + size_gb, 0);
  const { available_durations: days } = search;
  const offered = Object.entries(pricing_rules).filter(([one]) => days === undefined || one === days);
  const lowestCentsADay = Math.min(...offered.map(([one, cents]) => cents / Number(one)));
  const atLeast = (wanted: string | undefined, figure: number) =>
    wanted === undefined || figure >= Number(wanted);
  return (
    (search.country === undefined || specs.country === search.country) &&
    (search.category === undefined || specs.category === search.category) &&
    (search.disk_types === undefined || disks.some(({ type }) => type === search.disk_types)) &&
    atLeast(search.min_cpu_cores, cpu_cores) &&
    atLeast(search.min_ram_gb, ram_gb) &&
    atLeast(search.min_total_storage_gb, storage) &&
    offered.length > 0 &&
    (search.max_price_per_day === undefined || lowestCentsADay <= Number(search.max_price_per_day) * 100)
  );
}
