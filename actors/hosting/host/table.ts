import { boolean, json, nullable, text, timestamp } from "../../runtime/columns.ts";
import { rootTable } from "../../runtime/table.ts";
import type { HostState } from "./rules.ts";

export const hostTable = rootTable<HostState>("host_machines", {
  key: "id",
  changedAt: "updated_at",
  fields: {
    name: text("name"),
    draining: boolean("draining"),
    enrolment: nullable(json("enrolment")),
    account: nullable(text("account")),
    publicKey: nullable(text("public_key")),
    enrolledAt: nullable(timestamp("enrolled_at")),
    endedAccounts: json("ended_accounts"),
    facts: nullable(json("facts")),
    lastSeenAt: nullable(timestamp("last_seen_at")),
    silentSince: nullable(timestamp("silent_since")),
    preparedImages: json("prepared_images"),
    removedAt: nullable(timestamp("removed_at")),
    createdAt: timestamp("created_at"),
  },
});
