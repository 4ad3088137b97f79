import type { Sql } from "../../platform/db/sql.ts";
import type { MailRequest } from "../../platform/request-mail.ts";
import { enqueueRecovery } from "./queue/queries.ts";

/** Puts what commits ask for into the queue, as the outbox hands it over: at least once, and each mail once, by its id. */
export async function enqueueMails(db: Sql, requests: readonly MailRequest[]): Promise<void> {
  for (const request of requests) await enqueueRecovery(db, request);
}
