import { boolean, integer, json, nullable, safeInteger, text, timestamp } from "../../runtime/columns.ts";
import { children, childTable, related, rootTable } from "../../runtime/table.ts";
import type { AliasEntry, AliasServer } from "./rules.ts";

export const aliasTable = childTable<AliasEntry>("aliases", {
  parent: "server_id",
  fields: {
    id: text("id"),
    serverName: text("server_name"),
    subserverId: nullable(text("subserver_id")),
    subserverName: nullable(text("subserver_name")),
    userId: text("user_id"),
    projectId: text("project_id"),
    containerId: text("container_id"),
    alias: text("alias"),
    program: text("program"),
    index: integer("index"),
    targetPath: nullable(text("target_path")),
    allowPathOverride: boolean("allow_path_override"),
    expiresAt: nullable(timestamp("expires_at")),
    enabled: boolean("enabled"),
    domains: json("domains"),
    revision: safeInteger("revision"),
    createdAt: timestamp("created_at"),
    updatedAt: timestamp("updated_at"),
  },
});

export const aliasServerTable = rootTable<AliasServer>("alias_servers", {
  key: "server_id",
  changedAt: "updated_at",
  fields: {
    revision: safeInteger("revision"),
    aliases: related(children(aliasTable), (entries) => new Map(entries.map((entry) => [entry.id, entry]))),
  },
});
