import { endsSoon, type ReachedServer, useReachedServers } from "../../lib/servers.ts";
import { ButtonLink } from "../../ui/button.tsx";
import { ErrorNote } from "../../ui/error-note.tsx";
import { Empty, PageHead, Skeleton } from "../../ui/page.tsx";
import { placeOf, specsOf } from "../../ui/specs.tsx";
import { Status, When } from "../../ui/status.tsx";
import { type Column, Table } from "../../ui/table.tsx";

type StatusProps = {
  readonly rental: Pick<ReachedServer, "status" | "rental_start" | "rental_end" | "host_joined">;
};

export function RentalStatus({ rental }: StatusProps) {
  const { status, host_joined } = rental;
  if (status === "ended") return <Status tone="idle">ended</Status>;
  if (!host_joined) return <Status tone="busy">being set up</Status>;
  const isSoon = endsSoon(rental);
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
  { title: "Ends", cell: ({ rental_end }) => <When at={rental_end} />, isFigure: true },
];

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
  return (
    <>
      <PageHead title="Servers">
        <ButtonLink look="primary" icon="plus" to="/marketplace">
          Rent a server
        </ButtonLink>
      </PageHead>
      {servers === undefined && (error === null ? <Skeleton /> : <ErrorNote error={error} />)}
      {servers?.length === 0 && (
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
    </>
  );
}

const byEnd = (a: ReachedServer, b: ReachedServer): number =>
  a.status === b.status ? a.rental_end.localeCompare(b.rental_end) : a.status === "active" ? -1 : 1;
