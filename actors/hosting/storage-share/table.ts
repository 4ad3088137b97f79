import { boolean, json, nullable, safeInteger, text, timestamp } from "../../runtime/columns.ts";
import { rootTable } from "../../runtime/table.ts";
import type { ShareRecord } from "./rules.ts";

export const storageShareTable = rootTable<ShareRecord>("storage_shares", {
  key: "id",
  changedAt: "updated_at",
  fields: {
    userId: text("user_id"),
    projectId: text("project_id"),
    serverId: text("server_id"),
    serverName: text("server_name"),
    name: text("name"),
    sizeBytes: safeInteger("size_bytes"),
    snapshots: json("snapshots"),
    restore: nullable(json("restore")),
    desiredState: text("desired_state"),
    desiredRevision: safeInteger("desired_revision"),
    state: text("state"),
    appliedSizeBytes: nullable(safeInteger("applied_size_bytes")),
    usedBytes: nullable(safeInteger("used_bytes")),
    enforced: nullable(boolean("enforced")),
    error: nullable(text("error")),
    mountedBy: json("mounted_by"),
    snapshotSchedule: nullable(json("snapshot_schedule")),
    nextSnapshotAt: nullable(timestamp("next_snapshot_at")),
    createdAt: timestamp("created_at"),
  },
});
