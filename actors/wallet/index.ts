import { Credit, CreditReceipt, Transfer, TransferReceipt } from "../../schemas/wallet.ts";
import { recordEvent } from "../event/record.ts";
import { fromCents, fromMicros, toCents } from "../money.ts";
import { actor, type Context, command } from "../runtime/definition.ts";
import { loadWallets } from "./queries.ts";
import { credit, EMPTY_WALLET, type Movement, transfer, type Wallet } from "./rules.ts";

export interface WalletSettings {
  /** The platform's share of a transfer to AI credit, in basis points. */
  readonly aiCreditFeeBps: number;
}

/** All that can happen to a user's money. Keyed by user. */
export const walletActor = (settings: WalletSettings) =>
  actor("wallet", {
    table: "wallets",
    key: "user_id",
    load: loadWallets,
    empty: (): Wallet => EMPTY_WALLET,
    row: (wallet, userId, now) => ({
      user_id: userId,
      general_cents: wallet.generalCents,
      ai_limit_micros: wallet.aiLimitMicros,
      updated_at: now,
    }),
    on: {
      /** General balance to AI credit, one way (spec §4.9). */
      transfer: command(
        Transfer,
        TransferReceipt,
        (wallet: Wallet, input, ctx: Context<Wallet>) => {
          const userId = ctx.actorId;
          const gross = toCents(input.amount);
          const moved = transfer(wallet, userId, gross, settings.aiCreditFeeBps, input.expected_fee_bps);
          ctx.become(moved.wallet);
          const transactionId = record(
            ctx,
            "ai_credit_transfer",
            gross,
            "Transfer to AI credit",
            moved.movements,
          );
          recordEvent(ctx, {
            event_type: "user.credit_transferred",
            resource_id: userId,
            user_id: userId,
            data: { transaction_id: transactionId, gross: fromCents(gross), fee: fromCents(moved.fee) },
          });
          return {
            gross_transferred: fromCents(gross),
            net_ai_credit: fromCents(moved.net),
            fee: fromCents(moved.fee),
            general_balance: fromCents(moved.wallet.generalCents),
            ai_balance: fromMicros(moved.wallet.aiLimitMicros),
            key_created: false,
            limit_sync_pending: false,
          };
        },
        {
          // The same key and amount is the same transfer, whatever fee the client believed in by then.
          fingerprint: (input) => toCents(input.amount).toString(),
          reusedCode: "TRANSFER_IDEMPOTENCY_KEY_REUSED",
        },
      ),

      /** An operator's gift to the general balance. */
      credit: command(
        Credit,
        CreditReceipt,
        (wallet: Wallet, input, ctx: Context<Wallet>) => {
          const userId = ctx.actorId;
          const cents = toCents(input.amount);
          const credited = credit(wallet, userId, cents);
          ctx.become(credited.wallet);
          const transactionId = record(ctx, "credit", cents, input.reason, credited.movements);
          recordEvent(ctx, {
            event_type: "user.balance_credited",
            resource_id: userId,
            user_id: userId,
            data: { transaction_id: transactionId, amount: fromCents(cents), reason: input.reason },
          });
          return {
            transaction_id: transactionId,
            amount: fromCents(cents),
            general_balance: fromCents(credited.wallet.generalCents),
          };
        },
        { fingerprint: (input) => toCents(input.amount).toString() },
      ),
    },
  });

/** Writes a transaction and its movements; answers its id. Cents. */
function record(
  ctx: Context<Wallet>,
  type: string,
  amountCents: bigint,
  reason: string,
  movements: readonly Movement[],
): string {
  const transactionId = ctx.newId();
  ctx.insert("transactions", {
    id: transactionId,
    user_id: ctx.actorId,
    transaction_type: type,
    status: "completed",
    amount_cents: amountCents,
    currency: "USD",
    reason,
    created_at: ctx.now,
    updated_at: ctx.now,
  });
  for (const { from, to, micros } of movements) {
    ctx.insert("movements", {
      id: ctx.newId(),
      transaction_id: transactionId,
      user_id: ctx.actorId,
      from_account: from,
      to_account: to,
      amount_micros: micros,
      created_at: ctx.now,
    });
  }
  return transactionId;
}
