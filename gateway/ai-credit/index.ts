import type { AiProvider } from "../../actors/billing/ai-credit/provider/provider.ts";
import { balancesOf, readCredit } from "../../actors/billing/ai-credit/queries.ts";
import type { Sql } from "../../actors/platform/db/sql.ts";
import type { Bus } from "../../actors/runtime/ports.ts";
import { consume } from "../../actors/runtime/transport/consume.ts";
import { AiCreditSynced } from "../../schemas/billing/ai-credit.ts";
import type { Balances, TransferReceipt, TransferSync } from "../../schemas/billing/wallet.ts";
import { jsonOf } from "../../schemas/received.ts";
import { AI_CREDIT_SYNCED } from "../../schemas/subjects.ts";
import { SyncedCredits } from "./synced.ts";
import { AiUsage } from "./usage.ts";

/** How long the reply to a transfer waits for its credit to reach the provider. Most credit does within that time. */
const SYNC_MS_MAX = 300;

const PENDING: TransferSync = { key_created: false, limit_sync_pending: true };

/** A message has a few hundred characters. */
const readSynced = jsonOf(AiCreditSynced, 1_000);

/** AI credit as a gateway shows it (docs/decisions/0017-ai-credit-reconciler.md). */
export interface AiCredits {
  balances(userId: string): Promise<Balances>;
  /** Whether the credit of a transfer has reached the provider. A replayed transfer gets the present status. */
  syncStatus(userId: string, receipt: TransferReceipt, replayed: boolean): Promise<TransferSync>;
}

/** AI credit on a platform without a provider: usage is unknown, and there is nothing to sync. */
const withoutProvider = (db: Sql): AiCredits => ({
  balances: async (userId) => balancesOf(await readCredit(db, userId, ""), "no_provider"),
  syncStatus: async () => ({ key_created: false, limit_sync_pending: false }),
});

export function aiCredits(db: Sql, bus: Bus, provider: AiProvider | undefined): AiCredits {
  if (provider === undefined) return withoutProvider(db);
  const usage = new AiUsage(provider);
  const synced = new SyncedCredits();
  consume(bus, AI_CREDIT_SYNCED, {
    kind: "ai-credit-synced",
    read: readSynced,
    handle: (news) => synced.onSynced(news),
  });

  const record = (userId: string) => readCredit(db, userId, provider.name);

  return {
    async balances(userId) {
      const credit = await record(userId);
      if (credit.keyId === null) return balancesOf(credit, credit.limitMicros === 0n ? "no_key" : "pending");
      return balancesOf(credit, (await usage.read(credit.keyId)) ?? "unavailable");
    },
    async syncStatus(userId, receipt, replayed) {
      const limitMicros = microsOf(receipt.ai_balance);
      if (limitMicros === 0n) return { key_created: false, limit_sync_pending: false };
      if (!replayed && !synced.hasRoom) return PENDING;
      const news = replayed ? undefined : await synced.waitFor(userId, limitMicros, SYNC_MS_MAX);
      if (news !== undefined)
        return syncOf(
          limitMicros,
          BigInt(news.synced_micros),
          news.created_with_micros === null ? null : BigInt(news.created_with_micros),
        );
      // The transfer is committed: a failed read must not fail its reply.
      const credit = await record(userId).catch(() => undefined);
      if (credit === undefined) return PENDING;
      return syncOf(limitMicros, credit.keyId === null ? 0n : credit.syncedMicros, credit.createdWithMicros);
    },
  };
}

/**
 * Each transfer raises the limit to a value of its own. The transfer whose limit the key was created with is the one
 * that created the key.
 */
const syncOf = (
  limitMicros: bigint,
  syncedMicros: bigint,
  createdWithMicros: bigint | null,
): TransferSync => ({
  key_created: createdWithMicros === limitMicros,
  limit_sync_pending: syncedMicros < limitMicros,
});

/** Converts an amount of a receipt, such as "1.25", to micro-USD. */
function microsOf(text: string): bigint {
  const [dollars = "0", fraction = ""] = text.split(".");
  return BigInt(dollars + fraction.padEnd(6, "0"));
}
