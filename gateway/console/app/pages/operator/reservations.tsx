import { useState } from "react";
import { api, dataOf, type Schemas } from "../../lib/api.ts";
import { formatCents, plural } from "../../lib/format.ts";
import { from, useList } from "../../lib/lists.ts";
import { perform } from "../../lib/perform.ts";
import { Button } from "../../ui/button.tsx";
import { Confirm } from "../../ui/dialog.tsx";
import { LoadedList } from "../../ui/list.tsx";
import { Empty } from "../../ui/page.tsx";
import { When } from "../../ui/status.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { ReservationState } from "../marketplace/reservation-state.tsx";
import { Deliver } from "./deliver.tsx";
import { OperatorHead } from "./tabs.tsx";
import { UserLink } from "./user-link.tsx";

type Reservation = Schemas["Reservation"];
export const RESERVATIONS_KEY = ["operator", "reservations"] as const;

/** What was ordered, and is to be delivered. */
export default function ReservationsPage() {
  const [chosen, setChosen] = useState<{ reservation: Reservation; act: "deliver" | "cancel" }>();
  const close = () => setChosen(undefined);
  const query = useList(RESERVATIONS_KEY, async (cursor) => {
    const { reservations, pagination } = await dataOf(
      api.GET("/api/v1/admin/reservations", { params: { query: from(cursor) } }),
    );
    return { items: reservations, next: pagination.next_cursor };
  });
  return (
    <>
      <OperatorHead />
      <LoadedList
        query={query}
        empty={
          <Empty icon="market" title="No reservations">
            Whoever reserves an offer appears here, until you deliver a server.
          </Empty>
        }
      >
        {(reservations) => (
          <Table
            caption="Reservations"
            columns={columnsOf((reservation, act) => setChosen({ reservation, act }))}
            rows={reservations}
            keyOf={({ id }) => id}
          />
        )}
      </LoadedList>
      {chosen?.act === "deliver" && <Deliver reservation={chosen.reservation} onClose={close} />}
      {chosen?.act === "cancel" && <Cancel reservation={chosen.reservation} onClose={close} />}
    </>
  );
}

const columnsOf = (
  onAct: (reservation: Reservation, act: "deliver" | "cancel") => void,
): readonly Column<Reservation>[] => [
  { title: "Offer", cell: ({ offer_name }) => <strong>{offer_name}</strong> },
  { title: "State", cell: (reservation) => <ReservationState reservation={reservation} /> },
  { title: "User", cell: ({ user_id }) => <UserLink id={user_id} /> },
  { title: "For", cell: ({ days }) => plural(days, "day"), isMinor: true },
  { title: "Paid", cell: ({ total_cents }) => formatCents(total_cents), isFigure: true },
  {
    title: "Due",
    cell: ({ delivery_due }) => (delivery_due === null ? "–" : <When at={delivery_due} />),
    isFigure: true,
  },
  {
    title: "Change",
    isActions: true,
    cell: (reservation) =>
      reservation.status === "confirmed" && (
        <>
          <Button
            look="quiet"
            aria-label={`Deliver ${reservation.offer_name}`}
            onPress={() => onAct(reservation, "deliver")}
          >
            Deliver
          </Button>
          <Button
            look="remove"
            icon="close"
            aria-label={`Cancel ${reservation.offer_name}`}
            onPress={() => onAct(reservation, "cancel")}
          >
            Cancel
          </Button>
        </>
      ),
  },
];

export interface ReservationActProps {
  readonly reservation: Reservation;
  readonly onClose: () => void;
}

const Cancel = ({ reservation: { id, offer_name, total_cents }, onClose }: ReservationActProps) => (
  <Confirm
    title={`Cancel the reservation of ${offer_name}?`}
    action="Cancel the reservation"
    isDangerous
    onClose={onClose}
    onConfirm={() =>
      perform(
        "The reservation is cancelled",
        () => api.POST("/api/v1/admin/reservations/{id}/cancel", { params: { path: { id } } }),
        RESERVATIONS_KEY,
      )
    }
    command={{
      method: "POST",
      path: `/api/v1/admin/reservations/${id}/cancel`,
      berth: ["admin", "reservations", "cancel", id],
    }}
  >
    <p>{formatCents(total_cents)} go back to the user&apos;s balance.</p>
  </Confirm>
);
