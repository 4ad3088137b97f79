import { integer, json, nullable, safeInteger, text, timestamp } from "../../runtime/columns.ts";
import { rootTable } from "../../runtime/table.ts";
import type { ContainerRecord } from "./rules.ts";

export const containerTable = rootTable<ContainerRecord>("containers", {
  key: "id",
  changedAt: "updated_at",
  fields: {
    userId: text("user_id"),
    projectId: text("project_id"),
    serverId: text("server_id"),
    serverName: text("server_name"),
    imageId: nullable(text("image_id")),
    imageReference: nullable(text("image_reference")),
    image: nullable(json("image")),
    name: text("name"),
    command: json("command"),
    desiredState: text("desired_state"),
    desiredRevision: safeInteger("desired_revision"),
    generation: integer("generation"),
    accessRevision: safeInteger("access_revision"),
    restartingRevision: nullable(safeInteger("restarting_revision")),
    state: text("state"),
    driver: nullable(text("driver")),
    address: nullable(text("address")),
    error: nullable(text("error")),
    createdAt: timestamp("created_at"),
  },
});
