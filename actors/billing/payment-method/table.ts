import { json, nullable, text, timestamp } from "../../runtime/columns.ts";
import { children, childTable, related, rootTable } from "../../runtime/table.ts";
import type { Method, Methods } from "./rules.ts";

export const paymentMethodTable = childTable<Method>("payment_methods", {
  parent: "user_id",
  fields: {
    id: text("id"),
    type: text("type"),
    name: text("name"),
    status: text("status"),
    details: json("details"),
    createdAt: timestamp("created_at"),
    updatedAt: timestamp("updated_at"),
  },
});

export const paymentMethodListTable = rootTable<Methods>("payment_method_lists", {
  key: "user_id",
  changedAt: "updated_at",
  fields: {
    defaultId: nullable(text("default_id")),
    methods: related(children(paymentMethodTable, { orderBy: ["created_at", "id"] })),
  },
});
