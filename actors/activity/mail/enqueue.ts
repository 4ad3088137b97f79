import type { Sql } from "../../platform/db/sql.ts";
import type { MailRequest } from "../../platform/request-mail.ts";
import { enqueueNotice, enqueueRecovery, enqueueVerification } from "./queue/queries.ts";

/** Puts what commits ask for into the queue, as the outbox hands it over: at least once, and each mail once, by its id. */
export async function enqueueMails(db: Sql, requests: readonly MailRequest[]): Promise<void> {
  for (const request of requests) await enqueue(db, request);
}

function enqueue(db: Sql, request: MailRequest): Promise<void> {
  switch (request.kind) {
    case "recovery":
      return enqueueRecovery(db, request);
    case "verification":
      return enqueueVerification(db, request.id, request.user_id);
    case "notice":
      return enqueueNotice(db, request);
  }
}
