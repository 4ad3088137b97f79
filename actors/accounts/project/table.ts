import type { StoredRegistryCredential } from "../../../schemas/accounts/registry-credential.ts";
import { json, text, timestamp } from "../../runtime/columns.ts";
import { rootTable } from "../../runtime/table.ts";

/** A project as its actor holds it. */
export interface ProjectState {
  readonly userId: string;
  readonly name: string;
  readonly description: string;
  readonly registryCredentials: readonly StoredRegistryCredential[];
  readonly createdAt: Date;
}

export const projectTable = rootTable<ProjectState>("projects", {
  key: "id",
  changedAt: "updated_at",
  fields: {
    userId: text("user_id"),
    name: text("name"),
    description: text("description"),
    registryCredentials: json("registry_credentials"),
    createdAt: timestamp("created_at"),
  },
});
