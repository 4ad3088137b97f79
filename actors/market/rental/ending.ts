import { type Static, Type } from "@sinclair/typebox";
import { DomainError } from "../../../schemas/errors.ts";
import { EndRental, HOST_REMOVED } from "../../../schemas/market/rental.ts";
import { Cents } from "../../../schemas/market/server.ts";
import { Id, Strict } from "../../../schemas/primitives.ts";
import { abandonCharge, endCharge, refundCharge } from "../../platform/charge-saga.ts";
import { fromCents } from "../../platform/money.ts";
import { operatorCommand } from "../../platform/operator-command.ts";
import { recordPrivilegedAct } from "../../platform/record-audit.ts";
import { command } from "../../runtime/definition.ts";
import { RentalPayment, unusedCents } from "../rental-payment.ts";
import { type Ctx, clearTimers, endRental, type State } from "./changes.ts";
import { assertExtendable, type RentalState } from "./rules.ts";

/** A rental that ends before its time, and what of its payments comes back. */

/** A rent, or a reservation. */
const FIRST_PAYMENTS_MAX = 1;
/** More payments than a rental has. */
const REFUNDED_MAX = 1_000;
/** What came back of a charge before. */
const EarlierRefund = Type.Object({ transaction_id: Id, cents: Cents });

/** The first payment, which the server keeps, and what was refunded before: the gateway reads both. */
const Paid = {
  payments: Type.Array(RentalPayment, { maxItems: FIRST_PAYMENTS_MAX }),
  refunded: Type.Optional(Type.Array(EarlierRefund, { maxItems: REFUNDED_MAX })),
};
const PaidInput = Type.Object(Paid);
type Paid = Static<typeof PaidInput>;

/**
 * `undelivered`: what was paid for a server that was not delivered when the gateway read it. A delivery in between moves the end that the
 * caller has read, so that it is refused.
 */
const GiveUp = Strict({ ...EndRental.properties, by: Id, undelivered: Type.Optional(Strict(Paid)) });

/** `undelivered`: the server was not delivered when the gateway read it, which a rental that has just begun may not know yet. */
const Terminate = Strict({ ...Paid, undelivered: Type.Optional(Type.Boolean()) });

export const endingCommands = (requireRental: (rental: State) => RentalState) => ({
  /**
   * Ends the rental before its time, since the renter gives it up. What runs there is stopped, and removed after the time of grace, as
   * at any end. Nothing is refunded of a time that has begun, and all of one whose server was never delivered.
   *
   * @throws EXTENSION_ALREADY_APPLIED for another end than the caller has read, RENTAL_ENDED
   */
  end: command(
    GiveUp,
    Type.Object({}),
    (state: State, { expected_rental_end, by, undelivered }, ctx: Ctx) => {
      const rental = requireRental(state);
      assertExtendable(rental, expected_rental_end, ctx.now);
      clearTimers(ctx);
      const reason = `${rental.serverName} was given up before its delivery`;
      const ended = { ...rental, end: ctx.now, awaitsDelivery: undelivered !== undefined };
      const refunded =
        undelivered === undefined ? {} : { refunded: refundPayments(ctx, ended, undelivered, reason).usd };
      endRental(ctx, ended, { paid_until: rental.end.toISOString(), ...refunded }, by);
      return {};
    },
    // A repeated request reads an ended rental, of which nothing is to be refunded.
    { fingerprint: ({ expected_rental_end, by }) => JSON.stringify({ expected_rental_end, by }) },
  ),

  /**
   * Ends the rental since its machine is gone, by an operator. What was paid for the rest of its time is returned; anything else is as
   * at any end.
   */
  terminate: operatorCommand(
    Terminate,
    Type.Object({ refunded_cents: Cents }),
    (state: State, { undelivered = false, ...paid }, ctx: Ctx, operator) => {
      const found = requireRental(state);
      if (found.status === "ended") return { refunded_cents: 0 };
      const rental = { ...found, awaitsDelivery: found.awaitsDelivery || undelivered };
      abandonExtension(ctx, rental);
      clearTimers(ctx);
      const reason = `${rental.serverName} was taken out of service: the rest of its rental`;
      const { cents, usd } = refundPayments(ctx, rental, paid, reason);
      const data = { paid_until: rental.end.toISOString(), refunded: usd };
      const ended = { ...rental, end: ctx.now, extending: null };
      endRental(ctx, ended, { ...data, reason: HOST_REMOVED }, operator?.id);
      recordPrivilegedAct(ctx, operator, {
        act: "rental_terminated",
        userId: rental.userId,
        resourceId: ctx.actorId,
        data: { server: rental.serverName, ...data },
      });
      return { refunded_cents: cents };
    },
  ),
});

/**
 * Returns what was paid for the time that is still to come. Of a server that was never delivered that is everything, also the setup,
 * which was not done. @returns the sum
 */
function refundPayments(
  ctx: Ctx,
  rental: RentalState,
  { payments, refunded = [] }: Paid,
  reason: string,
): { readonly cents: number; readonly usd: string } {
  const returned = new Map(refunded.map(({ transaction_id, cents }) => [transaction_id, cents]));
  let sum = 0;
  for (const payment of [...payments, ...rental.extensionPayments]) {
    const { charged_cents, transaction_id } = payment;
    const left = charged_cents - (returned.get(transaction_id) ?? 0);
    const part = Math.min(rental.awaitsDelivery ? charged_cents : unusedCents(payment, ctx.now), left);
    if (part <= 0) continue;
    sum += part;
    refundCharge(ctx, rental.userId, {
      amount_cents: charged_cents,
      charge_transaction_id: transaction_id,
      part_cents: part,
      reason,
    });
  }
  return { cents: sum, usd: fromCents(BigInt(sum)) };
}

/** Ends an extension whose payment is in progress: what is charged for it after all is refunded when the wallet says so. */
function abandonExtension(ctx: Ctx, { extending }: RentalState): void {
  if (extending === null) return;
  abandonCharge(ctx, extending.saga);
  endCharge(ctx, extending.saga);
  if (!extending.isAutomatic)
    ctx.completeSaga(extending.saga, new DomainError("RENTAL_ENDED", "the rental has ended"));
}
