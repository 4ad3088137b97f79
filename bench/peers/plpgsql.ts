import { join } from "node:path";
import type postgres from "postgres";
import type { Answer, DoTransfer } from "./transfer.ts";

/** Elysia and one PL/pgSQL call: the best plain handler. */
export async function plpgsql(sql: postgres.Sql<{ bigint: bigint }>): Promise<DoTransfer> {
  await sql.unsafe(await Bun.file(join(import.meta.dir, "transfer.sql")).text());
  return async (t) => {
    const [answer] = await sql<Answer[]>`
      SELECT outcome, reply FROM transfer(
        ${t.userId}, ${t.partition}, ${t.key}, ${t.fingerprint}, ${t.minted}, ${t.gross}, ${t.fee},
        ${t.transactionId}, ${t.netMovementId}, ${t.feeMovementId},
        ${t.eventId}, ${t.eventData}::text::jsonb, ${t.eventBody}::text::jsonb, ${t.now})`;
    if (answer === undefined) throw new Error("the function answers one row");
    return answer;
  };
}
