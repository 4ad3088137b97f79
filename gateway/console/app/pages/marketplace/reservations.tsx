import { useState } from "react";
import { api, type Schemas } from "../../lib/api.ts";
import { formatCents, formatDays } from "../../lib/format.ts";
import { perform } from "../../lib/perform.ts";
import { Button } from "../../ui/button.tsx";
import { Confirm } from "../../ui/dialog.tsx";
import { Section } from "../../ui/page.tsx";
import { DateTime } from "../../ui/status.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { ReservationState } from "./reservation-state.tsx";

type Reservation = Schemas["Reservation"];

interface ReservationsProps {
  readonly title: string;
  readonly reservations: readonly Reservation[];
}

/** What the user has reserved, and when each is there. Nothing stands here before the first. */
export function Reservations({ title, reservations }: ReservationsProps) {
  const [cancelled, setCancelled] = useState<Reservation>();
  if (reservations.length === 0) return null;
  return (
    <Section title={title}>
      <Table
        caption={title}
        columns={[...COLUMNS, cancelColumn(setCancelled)]}
        rows={reservations}
        keyOf={({ id }) => id}
        linkOf={({ status, rental_id }) => (status === "delivered" ? `/servers/${rental_id}` : undefined)}
      />
      {cancelled && <CancelDialog reservation={cancelled} onClose={() => setCancelled(undefined)} />}
    </Section>
  );
}

/** Only what is not delivered yet can be cancelled. */
const cancelColumn = (onCancel: (reservation: Reservation) => void): Column<Reservation> => ({
  title: "Change",
  isActions: true,
  cell: (reservation) =>
    reservation.status === "confirmed" && (
      <Button
        look="remove"
        icon="close"
        aria-label={`Cancel ${reservation.offer_name}`}
        onPress={() => onCancel(reservation)}
      >
        Cancel
      </Button>
    ),
});

const CancelDialog = ({
  reservation: { id, offer_name, total_cents },
  onClose,
}: {
  reservation: Reservation;
  onClose: () => void;
}) => (
  <Confirm
    title={`Cancel the reservation of ${offer_name}?`}
    action="Cancel the reservation"
    isDangerous
    onClose={onClose}
    onConfirm={() =>
      perform(
        "The reservation is cancelled",
        () => api.POST("/api/v1/reservations/{id}/cancel", { params: { path: { id } } }),
        ["marketplace", "reservations"],
        ["wallet"],
      )
    }
    command={{
      method: "POST",
      path: `/api/v1/reservations/${id}/cancel`,
      berth: ["reservations", "cancel", id],
    }}
  >
    <p>The server will not be delivered. {formatCents(total_cents)} return to your balance.</p>
  </Confirm>
);

const COLUMNS: readonly Column<Reservation>[] = [
  { title: "Offer", cell: ({ offer_name }) => <strong>{offer_name}</strong> },
  {
    title: "State",
    cell: (reservation) => <ReservationState reservation={reservation} />,
  },
  { title: "For", cell: ({ days }) => formatDays(days) },
  {
    title: "There by",
    cell: ({ delivery_due, status }) =>
      status !== "confirmed" || delivery_due === null ? "–" : <DateTime at={delivery_due} />,
  },
  { title: "Total", cell: ({ total_cents }) => formatCents(total_cents), isFigure: true },
];
