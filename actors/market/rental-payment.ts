import { type Static, Type } from "@sinclair/typebox";
import { Cents } from "../../schemas/market/server.ts";
import { Id, Strict, Timestamp } from "../../schemas/primitives.ts";

/** What was paid for a part of a rental's time. */
export const RentalPayment = Strict({
  transaction_id: Id,
  charged_cents: Type.Unsafe<number>({ ...Cents, description: "the whole charge, with a setup fee" }),
  rent_cents: Type.Unsafe<number>({ ...Cents, description: "what of it is for the time" }),
  from: Timestamp,
  until: Timestamp,
});
export type RentalPayment = Static<typeof RentalPayment>;

/** What of a payment is for the time that is still to come, to the nearest cent. The setup was done, and stays paid. */
export function unusedCents({ rent_cents, from, until }: RentalPayment, now: Date): number {
  const [begin, end] = [Date.parse(from), Date.parse(until)];
  if (end <= begin) return 0;
  const left = Math.max(0, end - Math.max(begin, now.getTime()));
  return Math.round((rent_cents * left) / (end - begin));
}
