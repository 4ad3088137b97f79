import { type Static, Type } from "@sinclair/typebox";
import { Reply } from "./envelope.ts";
import { Id, Timestamp } from "./primitives.ts";

/** Rentals: who has which server until when (spec, control plane §2, §4.3). */

export const Rental = Type.Object({
  id: Id,
  server_id: Id,
  server_name: Type.String(),
  status: Type.Union([Type.Literal("active"), Type.Literal("ended")]),
  rental_end: Timestamp,
  created_at: Timestamp,
});
export type Rental = Static<typeof Rental>;

export const RentalReply = Reply(Rental);
export const RentalsReply = Reply(Type.Array(Rental));
