import { useQuery } from "@tanstack/react-query";
import { api, dataOf, type Schemas } from "../../lib/api.ts";
import { formatCents, formatDateTime, formatDays } from "../../lib/format.ts";
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
  if (data === undefined || data.reservations.length === 0) return null;
  return (
    <Section title="Your reservations">
      <Table caption="Your reservations" columns={COLUMNS} rows={data.reservations} keyOf={({ id }) => id} />
    </Section>
  );
}

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
