import { useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { memo, useState } from "react";
import { api, replyOf, type Schemas } from "../../lib/api.ts";
import { from, useList } from "../../lib/lists.ts";
import { useReservations } from "../../lib/reads.ts";
import { Button } from "../../ui/button.tsx";
import { useDrawn } from "../../ui/drawn.ts";
import { LoadedList } from "../../ui/list.tsx";
import { Empty, PageHead, Skeleton } from "../../ui/page.tsx";
import { placeOf, SpecsList } from "../../ui/specs.tsx";
import { Filters, type Order, SEARCHED, type Search } from "./filters.tsx";
import { Offers, useOffers } from "./offers.tsx";
import { RentDialog } from "./order.tsx";
import { PriceList } from "./price-list.tsx";
import { Reservations } from "./reservations.tsx";

type Server = Schemas["AvailableServer"];

/** A screenful is there at once; the others come together, when they are asked for. */
const FIRST_SHOWN = 30;
const SHOWN_MAX = 500;

/** The servers that are ready now, and those that are delivered later. */
export default function MarketplacePage() {
  const navigate = useNavigate();
  const given = useSearch({ strict: false }) as Record<string, unknown>;
  const search: Search = Object.fromEntries(
    SEARCHED.map((name) => [name, String(given[name] ?? "")]).filter(([, value]) => value !== ""),
  );
  const narrow = (next: Search) => void navigate({ to: ".", search: next as never, replace: true });
  const servers = useList(
    ["marketplace", "servers", search],
    async (cursor) => {
      const { sort, ...filters } = search;
      const query = {
        ...filters,
        // The API refuses one that it does not have.
        ...(sort === undefined ? {} : { sort: sort as Order }),
        limit: String(cursor === undefined ? FIRST_SHOWN : SHOWN_MAX),
        ...from(cursor),
      };
      const { data, pagination } = await replyOf(api.GET("/api/v1/servers/available", { params: { query } }));
      return { items: data, next: pagination.next_cursor, total: pagination.total };
    },
    { keepsFormer: true },
  );
  const reservations = useReservations();
  const offers = useOffers();
  // Drawn together: a list that arrives later would push down what stands below it.
  const isRead = !(servers.isPending || reservations.isPending || offers.isPending);
  const [chosen, setRents] = useState<Server>();
  const asked = useAskedServer(given.rent);
  const rents = chosen ?? asked;
  const closeOrder = () => {
    setRents(undefined);
    narrow(search);
  };
  const found = servers.data?.pages.flatMap(({ items }) => items) ?? [];
  const isNarrowed = Object.keys(search).some((name) => name !== "sort");
  return (
    <>
      <PageHead title="Marketplace" />
      {asked === null && (
        <p className="note warn bar" role="status">
          The server that you wanted to rent is no longer in stock.
        </p>
      )}
      <Filters search={search} onSearch={narrow} />
      {isRead ? (
        <>
          <LoadedList
            query={servers}
            empty={
              <Empty
                icon="server"
                title={isNarrowed ? "No server in stock is like this" : "No server is in stock"}
                action={isNarrowed && <Button onPress={() => narrow({})}>Show all</Button>}
              >
                A server comes back into stock when its rental ends. Those below are delivered to order.
              </Empty>
            }
          >
            {(items) => <ServerTiles servers={items} onRent={setRents} />}
          </LoadedList>
          <Reservations title="Your reservations" reservations={reservations.data ?? []} />
          <Offers query={offers} search={search} asked={given.reserve} onClose={() => narrow(search)} />
        </>
      ) : (
        <Skeleton rows={6} />
      )}
      {rents && (
        // With the price of this moment, which may have changed since the dialog was opened.
        <RentDialog server={found.find(({ id }) => id === rents.id) ?? rents} onClose={closeOrder} />
      )}
    </>
  );
}

/** The server that a top-up leads back to; null: it is in stock no longer. It may be on none of the pages that are read. */
function useAskedServer(id: unknown): Server | null | undefined {
  return useQuery({
    queryKey: ["marketplace", "asked", id],
    queryFn: async () => {
      const query = { limit: String(SHOWN_MAX) };
      const { data } = await replyOf(api.GET("/api/v1/servers/available", { params: { query } }));
      return data.find((one) => one.id === String(id)) ?? null;
    },
    enabled: id !== undefined,
  }).data;
}

interface ServerTilesProps extends Pick<ServerTileProps, "onRent"> {
  readonly servers: readonly Server[];
}

function ServerTiles({ servers, onRent }: ServerTilesProps) {
  const drawn = useDrawn(servers.length);
  return (
    <ul className="tiles">
      {servers.slice(0, drawn).map((server) => (
        <ServerTile key={server.id} server={server} onRent={onRent} />
      ))}
    </ul>
  );
}

interface ServerTileProps {
  readonly server: Server;
  readonly onRent: (server: Server) => void;
}

/** Drawn again only when its server has changed: there may be hundreds. */
const ServerTile = memo(({ server, onRent }: ServerTileProps) => {
  const { name, specs, is_subserver, delivered_by_hand, pricing } = server;
  const prices = Object.entries(pricing.price_tiers).map(([days, { price, setup_fee }]) => ({
    days: Number(days),
    rent: price,
    setupFee: setup_fee,
  }));
  return (
    <li className="card product">
      <h2>{name}</h2>
      <p className="hint">
        {placeOf(specs)}
        {is_subserver && " · a part of a server"}
      </p>
      <SpecsList specs={specs} />
      {delivered_by_hand && <p className="note warn">Set up by hand after you rent it.</p>}
      <PriceList prices={prices} />
      <button
        type="button"
        className="button primary"
        onClick={() => onRent(server)}
        aria-label={`Rent ${name}`}
      >
        Rent
      </button>
    </li>
  );
});
