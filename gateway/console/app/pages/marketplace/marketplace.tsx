import { useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { api, dataOf, type Schemas } from "../../lib/api.ts";
import { formatCents, formatDays, plural } from "../../lib/format.ts";
import { Button } from "../../ui/button.tsx";
import { Empty, Loaded, PageHead, Section } from "../../ui/page.tsx";
import { placeOf, SpecsList } from "../../ui/specs.tsx";
import { Filters, SEARCHED, type Search } from "./filters.tsx";
import { RentDialog, ReserveDialog } from "./order.tsx";

type Server = Schemas["AvailableServer"];
type Offer = Schemas["Offer"];

/** The servers that are ready now, and those that are delivered later. */
export default function MarketplacePage() {
  const navigate = useNavigate();
  const given = useSearch({ strict: false }) as Record<string, unknown>;
  const search = Object.fromEntries(
    SEARCHED.filter((name) => given[name] !== undefined && given[name] !== "").map((name) => [
      name,
      String(given[name]),
    ]),
  ) as Search;
  const servers = useQuery({
    queryKey: ["marketplace", "servers", JSON.stringify(search)],
    queryFn: () => dataOf(api.GET("/api/v1/servers/available", { params: { query: search } })),
    placeholderData: (former) => former,
  });
  const [rents, setRents] = useState<Server>();
  return (
    <>
      <PageHead title="Marketplace" />
      <Filters
        search={search}
        onSearch={(next) => void navigate({ to: ".", search: next as never, replace: true })}
      />
      <Loaded query={servers} rows={6}>
        {(found) =>
          found.length === 0 ? (
            <Empty
              icon="server"
              title={Object.keys(search).length === 0 ? "No server is in stock" : "No server is like this"}
              action={
                Object.keys(search).length > 0 && (
                  <Button onPress={() => void navigate({ to: ".", search: {} as never })}>Show all</Button>
                )
              }
            >
              Offers further down are delivered later. Servers come back into stock when their rental ends.
            </Empty>
          ) : (
            <ul className="tiles">
              {found.map((server) => (
                <ServerTile key={server.id} server={server} onRent={() => setRents(server)} />
              ))}
            </ul>
          )
        }
      </Loaded>
      <Offers />
      {rents && <RentDialog server={rents} onClose={() => setRents(undefined)} />}
    </>
  );
}

function ServerTile({ server, onRent }: { server: Server; onRent: () => void }) {
  const { name, specs, is_subserver, delivered_by_hand, pricing } = server;
  const tiers = Object.entries(pricing.price_tiers);
  return (
    <li className="card product">
      <h2>{name}</h2>
      <p className="hint">
        {placeOf(specs)}
        {is_subserver && " · a part of a server"}
      </p>
      <SpecsList specs={specs} />
      {delivered_by_hand && <p className="note warn">Set up by hand after you rent it.</p>}
      <PriceList
        tiers={tiers.map(([days, { price, setup_fee }]) => ({ days: Number(days), price, setup_fee }))}
      />
      <Button look="primary" onPress={onRent} aria-label={`Rent ${name}`}>
        Rent
      </Button>
    </li>
  );
}

const PriceList = ({ tiers }: { tiers: { days: number; price: number; setup_fee: number }[] }) => (
  <dl className="prices">
    {tiers.map(({ days, price, setup_fee }) => (
      <div key={days}>
        <dt>{formatDays(days)}</dt>
        <dd>
          {formatCents(price)}
          {setup_fee > 0 && <span className="hint"> + {formatCents(setup_fee)} setup</span>}
        </dd>
      </div>
    ))}
  </dl>
);

/** What the setup of an offer costs for a duration: a fee of its own, or the one for all. */
export const setupFeeOf = ({ setup_fee_rules, setup_fee_cents }: Offer, days: number): number =>
  setup_fee_rules[days] ?? setup_fee_cents;

function Offers() {
  const [orders, setOrders] = useState<Offer>();
  const offers = useQuery({
    queryKey: ["marketplace", "offers"],
    queryFn: () => dataOf(api.GET("/api/v1/offers")),
  });
  const reservations = useQuery({
    queryKey: ["marketplace", "reservations"],
    queryFn: () => dataOf(api.GET("/api/v1/reservations")),
  });
  return (
    <>
      {reservations.data !== undefined && reservations.data.reservations.length > 0 && (
        <Section title="Your reservations">
          <Reservations reservations={reservations.data.reservations} />
        </Section>
      )}
      <Section title="Delivered later">
        <Loaded query={offers}>
          {(found) =>
            found.length === 0 ? (
              <p className="hint">There are no offers at present.</p>
            ) : (
              <ul className="tiles">
                {found.map((offer) => (
                  <li key={offer.id} className="card product">
                    <h3>{offer.name}</h3>
                    <p className="hint">
                      {placeOf(offer.specs)} · within {plural(offer.lead_time_hours, "hour")}
                    </p>
                    <SpecsList specs={offer.specs} />
                    <PriceList
                      tiers={Object.entries(offer.pricing_rules).map(([days, price]) => ({
                        days: Number(days),
                        price,
                        setup_fee: setupFeeOf(offer, Number(days)),
                      }))}
                    />
                    <Button onPress={() => setOrders(offer)} aria-label={`Reserve ${offer.name}`}>
                      Reserve
                    </Button>
                  </li>
                ))}
              </ul>
            )
          }
        </Loaded>
      </Section>
      {orders && <ReserveDialog offer={orders} onClose={() => setOrders(undefined)} />}
    </>
  );
}

const Reservations = ({ reservations }: { reservations: readonly Schemas["Reservation"][] }) => (
  <ul className="panel stack">
    {reservations.map(({ id, offer_name, days, total_cents, status, delivery_due }) => (
      <li key={id}>
        <strong>{offer_name}</strong> for {formatDays(days)}, {formatCents(total_cents)}: {status}
        {status === "confirmed" &&
          delivery_due !== null &&
          `, due ${new Date(delivery_due).toLocaleString()}`}
      </li>
    ))}
  </ul>
);
