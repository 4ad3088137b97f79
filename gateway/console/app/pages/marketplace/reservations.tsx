import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { api, dataOf, type Schemas } from "../../lib/api.ts";
import { formatCents, formatDateTime, formatDays } from "../../lib/format.ts";
import { perform } from "../../lib/perform.ts";
import { Button } from "../../ui/button.tsx";
import { Confirm } from "../../ui/dialog.tsx";
import { Section } from "../../ui/page.tsx";
import { Status, type Tone } from "../../ui/status.tsx";
import { type Column, Table } from "../../ui/table.tsx";

type Reservation = Schemas["Reservation"];

export const useReservations = () =>
  useQuery({
    queryKey: ["marketplace", "reservations"],
    queryFn: () => dataOf(api.GET("/api/v1/reservations", { params: { query: { limit: "500" } } })),
  });

/** What the user has reserved, and when each is there. Nothing stands here before the first. */
export function Reservations({ query: { data } }: { query: ReturnType<typeof useReservations> }) {
  const [cancelled, setCancelled] = useState<Reservation>();
  if (data === undefined || data.reservations.length === 0) return null;
  const columns = [...COLUMNS, cancelColumn(setCancelled)];
  return (
    <Section title="Your reservations">
      <Table caption="Your reservations" columns={columns} rows={data.reservations} keyOf={({ id }) => id} />
      {cancelled && <CancelDialog reservation={cancelled} onClose={() => setCancelled(undefined)} />}
    </Section>
  );
}

/** Only what is not delivered yet can be cancelled. */
const cancelColumn = (onCancel: (reservation: Reservation) => void): Column<Reservation> => ({
  title: "",
  cell: (reservation) =>
    reservation.status === "confirmed" && <Button onPress={() => onCancel(reservation)}>Cancel</Button>,
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

const STATES: Record<Reservation["status"], readonly [Tone, string]> = {
  pending: ["busy", "being paid"],
  confirmed: ["busy", "paid, on its way"],
  delivered: ["good", "delivered"],
  cancelled: ["idle", "cancelled"],
};

const COLUMNS: readonly Column<Reservation>[] = [
  { title: "Offer", cell: ({ offer_name }) => <strong>{offer_name}</strong> },
  {
    title: "State",
    cell: ({ status }) => <Status tone={STATES[status][0]}>{STATES[status][1]}</Status>,
  },
  { title: "For", cell: ({ days }) => formatDays(days) },
  {
    title: "There by",
    cell: ({ delivery_due, status }) =>
      status !== "confirmed" || delivery_due === null ? "–" : formatDateTime(delivery_due),
  },
  { title: "Total", cell: ({ total_cents }) => formatCents(total_cents), isFigure: true },
];
