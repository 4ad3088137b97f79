import type { Charge, Refund } from "../../schemas/billing/wallet.ts";
import { DomainError } from "../../schemas/errors.ts";
import { Id, Strict } from "../../schemas/primitives.ts";
import type { Context } from "../runtime/definition.ts";

/**
 * Charging a wallet for something that another actor sells: a rent, an extension, a reservation, an image.
 *
 * 1. The seller commits that a payment is in progress, and `beginCharge` sends the charge under the saga's id.
 * 2. The wallet replies to the seller's operation `onReply`, which calls `endCharge` and hands over or refuses.
 * 3. A wallet that does not reply in time must not hold the seller up. The seller's operation `on_payment_timed_out` calls
 *    `abandonCharge`, which takes the charge back: a tombstone under its key keeps a late debit out. Then the seller goes on as
 *    if the charge was refused. Where the wallet had charged after all, its late reply leads to `refundCharge`.
 */

/** A wallet replies within milliseconds. One that needs longer than this may be unavailable for hours. */
export const PAYMENT_MS_MAX = 60_000;

/** Input of the operation `on_payment_timed_out`, which every seller has. */
export const PaymentTimedOut = Strict({ saga: Id });

const chargeName = (saga: string) => `pay:${saga}`;
const timeoutName = (saga: string) => `payment-timeout:${saga}`;

type Sender = Pick<Context<unknown>, "now" | "send" | "abort" | "isPending" | "setTimer" | "clearTimer">;

export interface ChargeOrder {
  readonly saga: string;
  readonly userId: string;
  readonly charge: Charge;
  /** The seller's operation that handles the wallet's reply, with `context`. */
  readonly onReply: string;
  readonly context: object;
}

/** Sends the charge to the user's wallet, and starts the time-out of the wallet's reply. */
export function beginCharge(ctx: Sender, { saga, userId, charge, onReply, context }: ChargeOrder): void {
  const message = { kind: "wallet", actor: userId, op: "charge", input: charge };
  ctx.send(chargeName(saga), message, { onReply: onReply, context });
  startPaymentTimeout(ctx, saga);
}

/** Starts the time-out, for example for a step before the charge. */
export function startPaymentTimeout(ctx: Sender, saga: string): void {
  const at = new Date(ctx.now.getTime() + PAYMENT_MS_MAX);
  ctx.setTimer(timeoutName(saga), { at, op: "on_payment_timed_out", input: { saga } });
}

/** Ends the time-out, since the wallet has replied or no charge is needed any more. */
export function endCharge(ctx: Sender, saga: string): void {
  ctx.clearTimer(timeoutName(saga));
}

/**
 * Aborts a charge that has no reply. If the wallet has made it already, its reply says so, and the charge must be
 * refunded.
 */
export function abandonCharge(ctx: Sender, saga: string): void {
  if (ctx.isPending(chargeName(saga))) ctx.abort(chargeName(saga));
}

/** The refusal for requests that wait for a payment which timed out. */
export const paymentTimedOut = (): DomainError =>
  new DomainError(
    "UNAVAILABLE",
    "the payment was not confirmed in time; what was charged, if anything, is refunded",
  );

/** Refunds what is left of a charge, or at most `part_cents` of it, once: the charge's transaction is the key. `amount_cents` is the whole charge's. */
export function refundCharge(ctx: Sender, userId: string, refund: Refund): void {
  const key = `refund:${refund.charge_transaction_id}`;
  ctx.send(key, { kind: "wallet", actor: userId, op: "refund", input: refund }, { key });
}
