import type { Schemas } from "../../lib/api.ts";
import { formatCents } from "../../lib/format.ts";
import { Status, type Tone } from "../../ui/status.tsx";

type Reservation = Schemas["Reservation"];

const TONES: Record<Reservation["status"], Tone> = {
  pending: "busy",
  confirmed: "busy",
  delivered: "good",
  cancelled: "idle",
};

const wordsOf = ({ status, total_cents }: Reservation): string =>
  ({
    pending: "being paid",
    confirmed: "being prepared",
    delivered: "delivered",
    cancelled: total_cents === 0 ? "cancelled" : `cancelled, ${formatCents(total_cents)} returned`,
  })[status];

/** How far a reservation is: the customer and the operator read the same words. */
export const ReservationState = ({ reservation }: { reservation: Reservation }) => (
  <Status tone={TONES[reservation.status]}>{wordsOf(reservation)}</Status>
);
