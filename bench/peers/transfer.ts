import { newId } from "../../actors/platform/ids.ts";
import { fromCents, toCents } from "../../actors/platform/money.ts";
import { splitFee } from "../../actors/billing/wallet/rules.ts";
import type { Transfer, TransferReceipt } from "../../schemas/billing/wallet.ts";
import { partitionOf } from "../../test/harness/partition-of.ts";

/** What both peers know of a transfer before they ask the database: all that does not depend on the balance. */

/** Berth's own default. */
const FEE_BPS = 500;

export type Outcome = "done" | "replayed" | "reused" | "insufficient";

export interface Answer {
  readonly outcome: Outcome;
  readonly reply: TransferReceipt | null;
}

/** Does a transfer in one database. */
export type DoTransfer = (transfer: Prepared) => Promise<Answer>;

export type Prepared = ReturnType<typeof prepare>;

/** @param key the client's idempotency key, or null: then one is minted, as Berth's gateway does */
export function prepare(userId: string, body: Transfer, key: string | null) {
  const gross = toCents(body.amount);
  const { fee, net } = splitFee(gross, FEE_BPS);
  const now = new Date();
  const transactionId = newId();
  const eventId = newId();
  const eventData = { transaction_id: transactionId, gross: fromCents(gross), fee: fromCents(fee) };
  return {
    userId,
    partition: partitionOf("wallet", userId),
    key: `wallet.transfer:${key ?? crypto.randomUUID()}`,
    minted: key === null,
    fingerprint: new Bun.CryptoHasher("sha256").update(gross.toString()).digest("hex").slice(0, 32),
    gross,
    fee,
    net,
    now,
    transactionId,
    netMovementId: newId(),
    feeMovementId: newId(),
    eventId,
    eventData: JSON.stringify(eventData),
    eventBody: JSON.stringify({
      id: eventId,
      event_type: "user.credit_transferred",
      resource_type: "user",
      resource_id: userId,
      user_id: userId,
      project_id: null,
      container_id: null,
      realm_id: null,
      data: eventData,
      created_at: now.toISOString(),
    }),
  };
}
