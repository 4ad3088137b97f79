import { integer, timestamp } from "../../runtime/columns.ts";
import { rootTable } from "../../runtime/table.ts";

/** How often a recovery link for an address was asked for. */
export interface RecoveryRequests {
  readonly asked: number;
  /** The count begins again then. */
  readonly expiresAt: Date;
}

export const recoveryRequestTable = rootTable<RecoveryRequests>("recovery_requests", {
  key: "id",
  fields: { asked: integer("asked"), expiresAt: timestamp("expires_at") },
});
