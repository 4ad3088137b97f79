import { api, dataOf, type Schemas } from "../../lib/api.ts";
import { formatCents, plural } from "../../lib/format.ts";
import { from, useList } from "../../lib/lists.ts";
import { LoadedList } from "../../ui/list.tsx";
import { Section } from "../../ui/page.tsx";
import { When } from "../../ui/status.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { ReservationState } from "../marketplace/reservation-state.tsx";
import { invoiceColumns } from "../wallet/invoices.tsx";

const NONE = <p className="hint">None.</p>;

/** What a user has ordered of what is delivered later. */
export function Reservations({ userId }: { userId: string }) {
  const query = useList(["operator", "users", userId, "reservations"], async (cursor) => {
    const params = { path: { id: userId }, query: { limit: "20", ...from(cursor) } };
    const { reservations, pagination } = await dataOf(
      api.GET("/api/v1/admin/users/{id}/reservations", { params }),
    );
    return { items: reservations, next: pagination.next_cursor };
  });
  return (
    <Section title="Reservations">
      <LoadedList query={query} rows={1} empty={NONE}>
        {(reservations) => (
          <Table caption="Reservations" columns={RESERVATIONS} rows={reservations} keyOf={({ id }) => id} />
        )}
      </LoadedList>
    </Section>
  );
}

const RESERVATIONS: readonly Column<Schemas["Reservation"]>[] = [
  { title: "Offer", cell: ({ offer_name }) => <strong>{offer_name}</strong> },
  {
    title: "State",
    cell: (reservation) => <ReservationState reservation={reservation} />,
  },
  { title: "For", cell: ({ days }) => plural(days, "day") },
  { title: "Paid", cell: ({ total_cents }) => formatCents(total_cents), isFigure: true },
  { title: "Ordered", cell: ({ created_at }) => <When at={created_at} />, isFigure: true },
];

/** The invoices that a user has made of transactions. */
export function Invoices({ userId }: { userId: string }) {
  const query = useList(["operator", "users", userId, "invoices"], async (cursor) => {
    const params = { path: { id: userId }, query: { limit: "20", ...from(cursor) } };
    const { invoices, pagination } = await dataOf(api.GET("/api/v1/admin/users/{id}/invoices", { params }));
    return { items: invoices, next: pagination.next_cursor };
  });
  return (
    <Section title="Invoices">
      <LoadedList query={query} rows={1} empty={NONE}>
        {(invoices) => (
          <Table
            caption="Invoices"
            columns={invoiceColumns(`/api/v1/admin/users/${userId}/invoices`)}
            rows={invoices}
            keyOf={({ id }) => id}
          />
        )}
      </LoadedList>
    </Section>
  );
}
