import type postgres from "postgres";
import { fromCents, fromMicros } from "../../actors/platform/money.ts";
import type { Answer, DoTransfer } from "./transfer.ts";

/**
 * Elysia and `sql.begin … SELECT … FOR UPDATE`: how such a handler is usually written. What does not depend on an
 * answer is sent together.
 */
export async function begin(sql: postgres.Sql<{ bigint: bigint }>): Promise<DoTransfer> {
  await sql`CREATE SEQUENCE IF NOT EXISTS outbox_seq START 1000000`;
  return (t) =>
    sql.begin(async (tx): Promise<Answer> => {
      const [wallet] = await tx<{ version: bigint; general_cents: bigint; ai_limit_micros: bigint }[]>`
        SELECT version, general_cents, ai_limit_micros FROM wallets WHERE user_id = ${t.userId} FOR UPDATE`;
      if (!t.minted) {
        const [receipt] = await tx<{ fingerprint: string; reply: Answer["reply"] }[]>`
          SELECT fingerprint, reply FROM receipts WHERE actor_id = ${t.userId} AND key = ${t.key}`;
        if (receipt !== undefined) {
          return { outcome: receipt.fingerprint === t.fingerprint ? "replayed" : "reused", reply: receipt.reply };
        }
      }
      if (wallet === undefined || wallet.general_cents < t.gross) return { outcome: "insufficient", reply: null };

      const version = wallet.version + 1n;
      const generalCents = wallet.general_cents - t.gross;
      const aiMicros = wallet.ai_limit_micros + t.net * 10_000n;
      const reply = {
        gross_transferred: fromCents(t.gross),
        net_ai_credit: fromCents(t.net),
        fee: fromCents(t.fee),
        general_balance: fromCents(generalCents),
        ai_balance: fromMicros(aiMicros),
      };
      const general = `general:${t.userId}`;
      await Promise.all([
        tx`UPDATE wallets SET version = ${version}, general_cents = ${generalCents}, ai_limit_micros = ${aiMicros},
           updated_at = ${t.now} WHERE user_id = ${t.userId}`,
        tx`INSERT INTO transactions
             (id, user_id, transaction_type, status, amount_cents, currency, reason, created_at, updated_at)
           VALUES (${t.transactionId}, ${t.userId}, 'ai_credit_transfer', 'completed', ${t.gross}, 'USD',
             'Transfer to AI credit', ${t.now}, ${t.now})`,
        tx`INSERT INTO movements (id, transaction_id, user_id, from_account, to_account, amount_micros, created_at) VALUES
             (${t.netMovementId}, ${t.transactionId}, ${t.userId}, ${general}, ${`ai:${t.userId}`}, ${t.net * 10_000n}, ${t.now}),
             (${t.feeMovementId}, ${t.transactionId}, ${t.userId}, ${general}, 'platform:fees', ${t.fee * 10_000n}, ${t.now})`,
        tx`INSERT INTO receipts (actor_id, key, fingerprint, reply, actor_version, minted, created_at)
           VALUES (${t.userId}, ${t.key}, ${t.fingerprint}, ${JSON.stringify(reply)}::text::jsonb, ${version}, ${t.minted}, ${t.now})`,
        tx`INSERT INTO events
             (id, event_type, resource_type, resource_id, user_id, project_id, container_id, realm_id, data, created_at)
           VALUES (${t.eventId}, 'user.credit_transferred', 'user', ${t.userId}, ${t.userId}, NULL, NULL, NULL,
             ${t.eventData}::text::jsonb, ${t.now})`,
        tx`INSERT INTO outbox (partition, seq, topic, body, created_at)
           VALUES (${t.partition}, nextval('outbox_seq'), 'event', ${t.eventBody}::text::jsonb, ${t.now})`,
      ]);
      return { outcome: "done", reply };
    }) as Promise<Answer>;
}
