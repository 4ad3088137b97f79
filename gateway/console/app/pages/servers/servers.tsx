import type { Schemas } from "../../lib/api.ts";
import { useRentals } from "../../lib/reads.ts";
import { ButtonLink } from "../../ui/button.tsx";
import { Empty, Loaded, PageHead } from "../../ui/page.tsx";
import { placeOf, specsOf } from "../../ui/specs.tsx";
import { Status, When } from "../../ui/status.tsx";
import { type Column, Table } from "../../ui/table.tsx";

type Rental = Schemas["Rental"];

/** A rental that ends sooner is worth a mark. */
const ENDS_SOON_MS = 7 * 86_400_000;

export function RentalStatus({ rental: { status, rental_end } }: { rental: Rental }) {
  if (status === "ended") return <Status tone="idle">ended</Status>;
  const isSoon = new Date(rental_end).getTime() - Date.now() < ENDS_SOON_MS;
  return <Status tone={isSoon ? "warn" : "good"}>{isSoon ? "ends soon" : "active"}</Status>;
}

const COLUMNS: readonly Column<Rental>[] = [
  { title: "Name", cell: ({ server_name }) => server_name },
  { title: "State", cell: (rental) => <RentalStatus rental={rental} /> },
  { title: "Place", cell: ({ specs }) => placeOf(specs) },
  { title: "Has", cell: ({ specs }) => specsOf(specs).slice(0, 3).join(" · ") || "not stated" },
  { title: "Ends", cell: ({ rental_end }) => <When at={rental_end} />, isFigure: true },
];

/** The servers that the user rents, those that end first on top, and below them those of before. */
export default function ServersPage() {
  const query = useRentals();
  return (
    <>
      <PageHead title="Servers">
        <ButtonLink look="primary" icon="plus" to="/marketplace">
          Rent a server
        </ButtonLink>
      </PageHead>
      <Loaded query={query}>
        {(rentals) =>
          rentals.length === 0 ? (
            <Empty icon="server" title="You rent no server yet">
              Containers run on servers that you rent for as many days as you choose.
            </Empty>
          ) : (
            <Table
              caption="Servers"
              columns={COLUMNS}
              rows={rentals.toSorted(byEnd)}
              keyOf={({ id }) => id}
              linkOf={({ id }) => `/servers/${id}`}
            />
          )
        }
      </Loaded>
    </>
  );
}

const byEnd = (a: Rental, b: Rental): number =>
  a.status === b.status ? a.rental_end.localeCompare(b.rental_end) : a.status === "active" ? -1 : 1;
