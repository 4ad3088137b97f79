import { refresh } from "../../lib/actions.ts";
import type { Schemas } from "../../lib/api.ts";
import { formatDays } from "../../lib/format.ts";
import { useReservations } from "../../lib/reads.ts";
import { endsSoon, type ReachedServer, useReachedServers } from "../../lib/servers.ts";
import { Button, ButtonLink } from "../../ui/button.tsx";
import { ErrorNote } from "../../ui/error-note.tsx";
import { Empty, PageHead, Skeleton } from "../../ui/page.tsx";
import { placeOf, specsOf } from "../../ui/specs.tsx";
import { Status, When } from "../../ui/status.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { Reservations } from "../marketplace/reservations.tsx";

type Rental = Schemas["Rental"];

const DAY_MS = 86_400_000;

type StatusProps = {
  readonly rental: Pick<
    ReachedServer,
    "status" | "rental_start" | "rental_end" | "host_joined" | "auto_extension"
  >;
};

export function RentalStatus({ rental }: StatusProps) {
  const { status, host_joined } = rental;
  if (status === "ended") return <Status tone="idle">ended</Status>;
  if (!host_joined) return <Status tone="busy">being set up</Status>;
  // One that extends itself does not end, as long as it can.
  const isSoon = endsSoon(rental) && (!rental.auto_extension || rental.auto_extension.last_failure !== null);
  return <Status tone={isSoon ? "warn" : "good"}>{isSoon ? "ends soon" : "ready"}</Status>;
}

/** Whether an operator still sets it up. */
export const isBeingSetUp = ({
  status,
  host_joined,
}: Pick<ReachedServer, "status" | "host_joined">): boolean => status === "active" && !host_joined;

const COLUMNS: readonly Column<ReachedServer>[] = [
  { title: "Name", cell: ({ server_name }) => server_name },
  {
    title: "State",
    cell: (rental) => (
      <>
        <RentalStatus rental={rental} />
        {isBeingSetUp(rental) && <span className="hint"> We tell you when it is ready.</span>}
      </>
    ),
  },
  { title: "Pool", cell: (server) => <PoolOf server={server} /> },
  { title: "Place", cell: ({ specs }) => placeOf(specs) },
  { title: "Has", cell: ({ specs }) => specsOf(specs).slice(0, 3).join(" · ") || "not stated" },
  { title: "Ends", cell: (server) => <End server={server} />, isFigure: true },
];

/** "7 days": what was paid for, of a server whose time has not begun. */
export const paidDays = ({ rental_start, rental_end }: Pick<Rental, "rental_start" | "rental_end">): string =>
  formatDays(Math.round((Date.parse(rental_end) - Date.parse(rental_start)) / DAY_MS));

function End({ server: { rental_end, awaits_delivery, auto_extension } }: { server: ReachedServer }) {
  if (awaits_delivery) return <span className="hint">not begun</span>;
  return (
    <span>
      <When at={rental_end} />
      {auto_extension && (
        <span className="hint">
          {" "}
          {auto_extension.last_failure ? "could not be extended" : "extends itself"}
        </span>
      )}
    </span>
  );
}

const PoolOf = ({ server: { poolName, sharedBy } }: { server: ReachedServer }) => (
  <>
    <bdi>{poolName ?? "–"}</bdi>
    {sharedBy !== null && (
      <span className="hint">
        {" "}
        shared with you by <bdi>{sharedBy}</bdi>
      </span>
    )}
  </>
);

/** The servers that the user rents or shares, those that end first on top, and below them those of before. */
export default function ServersPage() {
  const { servers, error } = useReachedServers();
  const waited = useReservations().data?.filter(({ status }) => !ENDED.includes(status));
  return (
    <>
      <PageHead title="Servers">
        <ButtonLink look="primary" icon="plus" to="/marketplace">
          Rent a server
        </ButtonLink>
      </PageHead>
      {servers === undefined && error === null && <Skeleton />}
      {servers === undefined && error !== null && (
        <div className="failed">
          <ErrorNote error={error} />
          <Button onPress={() => refresh(["rentals"], ["pools"])}>Try again</Button>
        </div>
      )}
      {servers?.length === 0 && waited?.length === 0 && (
        <Empty
          icon="server"
          title="You rent no server yet"
          action={<ButtonLink to="/marketplace">See the marketplace</ButtonLink>}
        >
          Containers run on servers that you rent for as many days as you choose.
        </Empty>
      )}
      {servers !== undefined && servers.length > 0 && (
        <Table
          caption="Servers"
          columns={COLUMNS}
          rows={servers.toSorted(byEnd)}
          keyOf={({ id }) => id}
          linkOf={({ id }) => `/servers/${id}`}
        />
      )}
      <Reservations title="Reserved for you" reservations={waited ?? []} />
    </>
  );
}

/** Reservations that have become a rental, or nothing. */
const ENDED: readonly string[] = ["delivered", "cancelled"];

const byEnd = (a: ReachedServer, b: ReachedServer): number =>
  a.status === b.status ? a.rental_end.localeCompare(b.rental_end) : a.status === "active" ? -1 : 1;
