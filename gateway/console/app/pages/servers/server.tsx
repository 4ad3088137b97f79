import { useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { useState } from "react";
import { api, dataOf, polledApi, type Schemas } from "../../lib/api.ts";
import { useAsked } from "../../lib/asked.ts";
import { formatDateTime } from "../../lib/format.ts";
import { quotedId } from "../../lib/quoted-id.ts";
import { useContainers, useRentals, useReservations } from "../../lib/reads.ts";
import { Button, ButtonLink } from "../../ui/button.tsx";
import { Copyable } from "../../ui/copy.tsx";
import { Icon } from "../../ui/icons.tsx";
import { Empty, Facts, Loaded, PageHead, Section } from "../../ui/page.tsx";
import { placeOf, SpecsList } from "../../ui/specs.tsx";
import { When } from "../../ui/status.tsx";
import { Table } from "../../ui/table.tsx";
import { Usage } from "../../ui/usage.tsx";
import { ContainerStatus, ImageName, imageName } from "../containers/states.tsx";
import { AutoExtendDialog, AutoExtension } from "./auto-extend.tsx";
import { EndDialog } from "./end.tsx";
import { ExtendDialog } from "./extend.tsx";
import { Load } from "./load.tsx";
import { isBeingSetUp, paidDays, RentalStatus } from "./servers.tsx";

type Rental = Schemas["Rental"];

/** One server: until when, what it does at present, and what runs on it. */
export default function ServerPage() {
  const { id = "" } = useParams({ strict: false }) as { id?: string };
  const rentals = useRentals();
  // Notices of former versions name the reservation that became a rental.
  const reservations = useReservations();
  const delivered = reservations.data?.find((one) => one.id === id)?.rental_id;
  // Events and notices name the server: its newest rental is meant.
  const [newest] =
    rentals.data
      ?.filter(({ server_id }) => server_id === id)
      .toSorted((a, b) => b.rental_start.localeCompare(a.rental_start)) ?? [];
  const rentalId = newest?.id ?? delivered ?? id;
  const query = useQuery({
    queryKey: ["rentals", rentalId],
    queryFn: () => dataOf(api.GET("/api/v1/rentals/{id}", { params: { path: { id: rentalId } } })),
    enabled: !(rentals.isPending || reservations.isPending),
  });
  return (
    <Loaded query={query} rows={6}>
      {(rental) => <OneServer rental={rental} />}
    </Loaded>
  );
}

function OneServer({ rental }: { rental: Rental }) {
  const [opened, setOpened] = useState<"extend" | "end" | "auto">();
  const close = () => setOpened(undefined);
  useAsked(setOpened);
  const pools = useQuery({
    queryKey: ["pools", "list"],
    queryFn: () => dataOf(api.GET("/api/v1/pools")),
  });
  const pool = pools.data?.find(({ id }) => id === rental.pool_id)?.name;
  const isActive = rental.status === "active";
  const isReady = isActive && rental.host_joined;
  return (
    <>
      <PageHead
        title={rental.server_name}
        under={{ title: "Servers", to: "/servers" }}
        status={<RentalStatus rental={rental} />}
      >
        {isActive && (
          <>
            <Button look="risky" onPress={() => setOpened("end")}>
              End the rental
            </Button>
            <Button look="primary" onPress={() => setOpened("extend")}>
              Extend
            </Button>
          </>
        )}
      </PageHead>
      {isBeingSetUp(rental) && (
        <p className="note" role="status">
          <Icon name="server" />
          <span>
            <strong>Being set up: we tell you when it is ready.</strong> An operator connects the machine to
            Berth. Containers and storage shares can be created on it from then on
            {rental.awaits_delivery && ", and the time that you paid for begins"}.
          </span>
        </p>
      )}
      <div className="columns">
        <section className="panel stack" aria-labelledby="rental">
          <h2 id="rental">The rental</h2>
          <Facts
            facts={[
              ...(rental.awaits_delivery
                ? [["Paid time", `${paidDays(rental)}, from when it is ready`] as const]
                : ([
                    ["Rented", formatDateTime(rental.rental_start)],
                    [
                      isActive ? "Ends" : "Ended",
                      <span key="end">
                        {formatDateTime(rental.rental_end)} (<When at={rental.rental_end} />)
                      </span>,
                    ],
                  ] as const)),
              ...(isActive
                ? [
                    [
                      "Extends itself",
                      <AutoExtension key="auto" rental={rental} onChange={() => setOpened("auto")} />,
                    ] as const,
                  ]
                : []),
              ["Pool", <bdi key="pool">{pool ?? "none"}</bdi>],
              ["Place", placeOf(rental.specs)],
              ["Has", <SpecsList key="specs" specs={rental.specs} />],
              ["Id", <Copyable key="id" text={rental.id} label="the id" />],
            ]}
          />
        </section>
        {isReady && <Load rentalId={rental.id} />}
      </div>
      <Section title="Containers on it">
        <Containers serverId={rental.server_id} isActive={isReady} />
      </Section>
      {isReady && (
        <Section title="Over time">
          <Usage
            // Not below "rentals": the event that ends the rental would ask once more, and be refused.
            queryKey={["usage", rental.id]}
            read={(query) =>
              dataOf(
                polledApi.GET("/api/v1/rentals/{id}/metrics", { params: { path: { id: rental.id }, query } }),
              )
            }
            limits={{ cores: rental.specs.cpu_cores ?? null }}
          />
        </Section>
      )}
      {opened === "auto" && <AutoExtendDialog rental={rental} onClose={close} />}
      {isActive && opened === "end" && <EndDialog rental={rental} onClose={close} />}
      {isActive && opened === "extend" && <ExtendDialog rental={rental} onClose={close} />}
    </>
  );
}

const CreateHere = ({ serverId, look = "plain" }: { serverId: string; look?: "plain" | "primary" }) => (
  <ButtonLink look={look} icon="plus" to={`/containers?create=true&server=${quotedId(serverId)}`}>
    Create a container
  </ButtonLink>
);

function Containers({ serverId, isActive }: { serverId: string; isActive: boolean }) {
  const query = useContainers();
  return (
    <Loaded query={query}>
      {({ containers }) => {
        const here = containers.filter(({ server_id }) => server_id === serverId);
        if (here.length === 0)
          return (
            <Empty
              icon="container"
              title="Nothing runs on it yet"
              action={isActive && <CreateHere serverId={serverId} look="primary" />}
            />
          );
        return (
          <>
            <Table
              caption="Containers on this server"
              rows={here}
              keyOf={({ id }) => id}
              linkOf={({ id }) => `/containers/${id}`}
              columns={[
                { title: "Name", cell: ({ name }) => name },
                { title: "State", cell: (container) => <ContainerStatus container={container} /> },
                { title: "Image", cell: (container) => <ImageName name={imageName(container)} /> },
              ]}
            />
            {isActive && (
              <div className="more">
                <CreateHere serverId={serverId} />
              </div>
            )}
          </>
        );
      }}
    </Loaded>
  );
}
