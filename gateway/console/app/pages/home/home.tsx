import type { UseQueryResult } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { formatDateTime, formatMoney, plural } from "../../lib/format.ts";
import {
  useBalances,
  useContainers,
  useEvents,
  useMailSettings,
  useRentals,
  useReservations,
} from "../../lib/reads.ts";
import { endsSoon } from "../../lib/servers.ts";
import { EventList } from "../../ui/event-list.tsx";
import { Loaded, PageHead, Section, Skeleton } from "../../ui/page.tsx";
import { When } from "../../ui/status.tsx";
import { NextSteps } from "./next-steps.tsx";

const EVENTS_SHOWN = "12";

/** What to do next, what there is, and what happens. */
export default function HomePage() {
  const events = useEvents({ limit: EVENTS_SHOWN });
  const reads = [useBalances(), useRentals(), useReservations(), useContainers()];
  const mail = useMailSettings();
  const failed = reads.find(({ data, error }) => data === undefined && error !== null);
  // What is first on the page depends on all of them: it is drawn once, so that nothing moves.
  if (failed === undefined && [...reads, mail].some(({ isLoading }) => isLoading))
    return (
      <>
        <PageHead title="Home" />
        <Skeleton rows={8} />
      </>
    );
  return (
    <>
      <PageHead title="Home" />
      {failed ? (
        <Loaded query={failed as UseQueryResult}>{() => null}</Loaded>
      ) : (
        <>
          <NextSteps />
          <div className="tiles">
            <BalanceTile />
            <ServersTile />
            <ContainersTile />
          </div>
        </>
      )}
      <Section title="What happened" actions={<Link to={"/events" as "."}>All events</Link>}>
        <div className="panel">
          <Loaded query={events} rows={6}>
            {({ events }) =>
              events.length === 0 ? (
                <p className="hint">
                  Whatever you do here, and whatever happens to it, shows up in this list.
                </p>
              ) : (
                <EventList events={events} />
              )
            }
          </Loaded>
        </div>
      </Section>
    </>
  );
}

function BalanceTile() {
  const { data } = useBalances();
  return (
    <section className="card figure-tile" aria-label="Balance">
      <h2 className="hint">Balance</h2>
      <strong>{data === undefined ? "…" : formatMoney(data.general_balance)}</strong>
      <Link to={"/wallet?top_up=true" as "."}>Top up</Link>
    </section>
  );
}

function ServersTile() {
  const rentals = useRentals().data?.filter(({ status }) => status === "active");
  const reserved = useReservations().data?.filter(({ status }) => status === "confirmed") ?? [];
  const next = rentals
    ?.filter(({ awaits_delivery }) => !awaits_delivery)
    .toSorted((a, b) => a.rental_end.localeCompare(b.rental_end))[0];
  const isSoon = next !== undefined && endsSoon(next);
  const waited = [
    ...(rentals ?? [])
      .filter(({ awaits_delivery }) => awaits_delivery)
      .map(({ id, server_name }) => ({ id, name: server_name, to: `/servers/${id}`, state: "being set up" })),
    ...reserved.map(({ id, offer_name }) => ({
      id,
      name: offer_name,
      to: "/servers",
      state: "being prepared",
    })),
  ];
  return (
    <section className="card figure-tile" aria-label="Servers">
      <h2 className="hint">Servers</h2>
      <strong>{rentals?.length ?? "…"}</strong>
      {next === undefined ? (
        waited.length === 0 && <Link to={"/marketplace" as "."}>Rent a server</Link>
      ) : (
        <span title={formatDateTime(next.rental_end)} className={isSoon ? "status warn" : "hint"}>
          <Link to={`/servers/${next.id}` as "."}>{next.server_name}</Link> ends <When at={next.rental_end} />
        </span>
      )}
      {waited.map(({ id, name, to, state }) => (
        <span key={id} className="hint">
          <Link to={to as "."}>{name}</Link>: {state}
        </span>
      ))}
    </section>
  );
}

function ContainersTile() {
  const containers = useContainers().data?.containers;
  const failing = containers?.filter(({ state }) => state === "error").length ?? 0;
  const running = containers?.filter(({ state }) => state === "running").length ?? 0;
  return (
    <section className="card figure-tile" aria-label="Containers">
      <h2 className="hint">Containers</h2>
      <strong>{containers?.length ?? "…"}</strong>
      {containers?.length === 0 ? (
        <Link to={"/containers?create=true" as "."}>Create a container</Link>
      ) : (
        <span className="hint">
          {plural(running, "is running", "are running")}
          {failing > 0 && (
            <>
              ,{" "}
              <Link to={"/containers?search=error" as "."}>
                {plural(failing, "has failed", "have failed")}
              </Link>
            </>
          )}
        </span>
      )}
    </section>
  );
}
