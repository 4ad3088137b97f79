import { Type } from "@sinclair/typebox";
import {
  Charge,
  Credit,
  Deposit,
  Forfeit,
  Refund,
  RefundCharge,
  RefundReceipt,
  TransactionReceipt,
  type TransactionType,
  Transfer,
  TransferReceipt,
} from "../../../schemas/billing/wallet.ts";
import { Amount, Decimal, Nullable, Strict } from "../../../schemas/primitives.ts";
import { fromCents, fromMicros, moneyText, toCents } from "../../platform/money.ts";
import { operatorCommand } from "../../platform/operator-command.ts";
import { recordPrivilegedAct } from "../../platform/record-audit.ts";
import { recordEvent } from "../../platform/record-event.ts";
import { requestMail } from "../../platform/request-mail.ts";
import { actor, type Context, command } from "../../runtime/definition.ts";
import {
  type Charged,
  charge,
  credit,
  deposit,
  EMPTY_WALLET,
  fellBelow,
  forfeit,
  type Movement,
  refund,
  refundableCents,
  transfer,
  type Wallet,
  type WalletChange,
} from "./rules.ts";
import { walletTable } from "./table.ts";

export interface WalletSettings {
  /** The platform's fee on a transfer to AI credit, in basis points. */
  readonly aiCreditFeeBps: number;
}

/** Users' wallets. Keyed by user. */
export const walletActor = (settings: WalletSettings) =>
  actor("wallet", {
    table: walletTable,
    empty: (): Wallet => EMPTY_WALLET,
    on: {
      /** Moves money from the general balance to AI credit, never back (spec §4.9). */
      transfer: command(
        Transfer,
        TransferReceipt,
        (wallet: Wallet, input, ctx: Context<Wallet>) => {
          const userId = ctx.actorId;
          const gross = toCents(input.amount);
          const moved = transfer(wallet, userId, gross, settings.aiCreditFeeBps, input.expected_fee_bps);
          ctx.setState(moved.wallet);
          if (fellBelow(wallet, moved.wallet)) mailLowBalance(ctx, moved.wallet);
          const transactionId = recordTransaction(
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
          };
        },
        {
          // The same key and amount is the same transfer, whatever fee the client displayed.
          fingerprint: (input) => toCents(input.amount).toString(),
          reusedCode: "TRANSFER_IDEMPOTENCY_KEY_REUSED",
        },
      ),

      /** Adds an operator's gift to the general balance. */
      credit: operatorCommand(
        Credit,
        TransactionReceipt,
        (wallet: Wallet, input, ctx: Context<Wallet>, operator) => {
          const cents = toCents(input.amount);
          const receipt = applyChange(ctx, "credit", cents, input.reason, credit(wallet, ctx.actorId, cents));
          recordCreditedEvent(ctx, receipt, { reason: input.reason });
          const { transaction_id: resourceId, amount } = receipt;
          const data = { amount, reason: input.reason };
          recordPrivilegedAct(ctx, operator, {
            act: "wallet_credited",
            userId: ctx.actorId,
            resourceId,
            data,
          });
          return receipt;
        },
        { fingerprint: (input) => toCents(input.amount).toString() },
      ),

      /** Charges the user for a purchase from the platform. Refused with INSUFFICIENT_BALANCE. */
      charge: command(Charge, TransactionReceipt, (wallet: Wallet, input, ctx: Context<Wallet>) => {
        const cents = BigInt(input.amount_cents);
        const changed = charge(wallet, ctx.actorId, cents);
        if (fellBelow(wallet, changed.wallet)) mailLowBalance(ctx, changed.wallet);
        return applyChange(ctx, input.transaction_type, cents, input.reason, changed);
      }),

      /** Refunds what is left of a charge: its sale was undone. */
      refund: command(Refund, TransactionReceipt, (wallet: Wallet, input, ctx: Context<Wallet>) => {
        const charged = { id: input.charge_transaction_id, cents: BigInt(input.amount_cents) };
        const left = refundableCents(wallet, charged);
        const cents = BigInt(Math.min(Number(left), input.part_cents ?? Number(left)));
        return applyRefund(ctx, wallet, charged, cents, input.reason);
      }),

      /** Refunds a charge or a part of it, because an administrator decided so. */
      refund_charge: operatorCommand(
        RefundCharge,
        RefundReceipt,
        (
          wallet: Wallet,
          { charge: { transaction_id, amount_cents, reason: sold }, ...input },
          ctx: Context<Wallet>,
          operator,
        ) => {
          const charged = { id: transaction_id, cents: BigInt(amount_cents) };
          const left = refundableCents(wallet, charged);
          const cents = input.amount === undefined ? left : toCents(input.amount);
          const receipt = applyRefund(ctx, wallet, charged, cents, input.reason, sold);
          recordPrivilegedAct(ctx, operator, {
            act: "charge_refunded",
            userId: ctx.actorId,
            resourceId: transaction_id,
            data: { amount: receipt.amount, reason: input.reason, transaction_id: receipt.transaction_id },
          });
          return { ...receipt, refund_of: transaction_id, refundable: fromCents(left - cents) };
        },
        {
          fingerprint: ({ charge: { transaction_id }, amount }) =>
            `${transaction_id}:${amount === undefined ? "rest" : toCents(amount)}`,
        },
      ),

      /** Below which balance the user wants a notice. */
      set_low_balance: command(
        Strict({ below: Nullable(Amount) }),
        Type.Object({}),
        (wallet: Wallet, { below }, ctx: Context<Wallet>) => {
          ctx.setState({ ...wallet, lowBalanceCents: below === null ? null : toCents(below) });
          return {};
        },
      ),

      /** Gives up the balance of an account that was deleted, once: its account sends it. */
      forfeit: command(
        Forfeit,
        Type.Object({ amount: Decimal }),
        (wallet: Wallet, input, ctx: Context<Wallet>) => {
          const given = forfeit(wallet, ctx.actorId, BigInt(input.amount_cents));
          if (given.cents > 0n) applyChange(ctx, "forfeit", given.cents, "Account deleted", given);
          return { amount: fromCents(given.cents) };
        },
      ),

      /** Deposits a payment that a processor has confirmed, or a bonus of the platform. */
      deposit: command(Deposit, TransactionReceipt, (wallet: Wallet, input, ctx: Context<Wallet>) => {
        const cents = BigInt(input.amount_cents);
        const type = input.source === "codehost_bonus" ? "bonus" : "top_up";
        const changed = deposit(wallet, ctx.actorId, cents, input.source);
        const receipt = applyChange(ctx, type, cents, input.reason, changed);
        recordCreditedEvent(ctx, receipt, { reason: input.reason, source: input.source });
        return receipt;
      }),
    },
  });

/** Returns money of a charge, and tells the user. Cents. @param sold what was charged for, where the reason does not say it */
function applyRefund(
  ctx: Context<Wallet>,
  wallet: Wallet,
  charged: Charged,
  cents: bigint,
  reason: string,
  sold?: string,
): TransactionReceipt {
  const changed = refund(wallet, ctx.actorId, cents, charged);
  const receipt = applyChange(ctx, "refund", cents, reason, changed, charged.id);
  const ofSale = sold === undefined ? {} : { refund_of_reason: sold };
  recordCreditedEvent(ctx, receipt, { reason, refund_of: charged.id, ...ofSale });
  return receipt;
}

/** Sets the changed balance and records its transaction. Cents. */
function applyChange(
  ctx: Context<Wallet>,
  type: TransactionType,
  cents: bigint,
  reason: string,
  { wallet, movements }: WalletChange,
  refundOf: string | null = null,
): TransactionReceipt {
  ctx.setState(wallet);
  const transactionId = recordTransaction(ctx, type, cents, reason, movements, refundOf);
  return {
    transaction_id: transactionId,
    amount: fromCents(cents),
    general_balance: fromCents(wallet.generalCents),
  };
}

/** Tells the user that the balance fell below what the user wants to hear of. It is told again only after it was above. */
function mailLowBalance(ctx: Context<Wallet>, { generalCents, lowBalanceCents }: Wallet): void {
  const title = "Your balance is low";
  const body = `It is ${moneyText(fromCents(generalCents))}, below the ${moneyText(fromCents(lowBalanceCents ?? 0n))} that you set. Add money to extend rentals and to buy.`;
  requestMail(ctx, { kind: "notice", user_id: ctx.actorId, topic: "money", title, body, page: "/wallet" });
}

function recordCreditedEvent(
  ctx: Context<Wallet>,
  receipt: TransactionReceipt,
  data: Record<string, unknown>,
): void {
  recordEvent(ctx, {
    event_type: "user.balance_credited",
    resource_id: ctx.actorId,
    user_id: ctx.actorId,
    data: { transaction_id: receipt.transaction_id, amount: receipt.amount, ...data },
  });
}

/** Writes a transaction and its movements. Returns the transaction's id. Cents. */
function recordTransaction(
  ctx: Context<Wallet>,
  type: TransactionType,
  amountCents: bigint,
  reason: string,
  movements: readonly Movement[],
  refundOf: string | null = null,
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
    refund_of: refundOf,
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
