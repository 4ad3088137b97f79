import type { DomainProof } from "../../../schemas/hosting/domain.ts";
import { nullable, text, timestamp } from "../../runtime/columns.ts";
import { children, childTable, related, rootTable } from "../../runtime/table.ts";
import type { Claim, DomainNameState } from "./rules.ts";

export const claimTable = childTable<Claim>("domains", {
  parent: "domain_id",
  fields: {
    id: text("id"),
    domain: text("domain"),
    userId: text("user_id"),
    projectId: text("project_id"),
    containerId: text("container_id"),
    aliasId: text("alias_id"),
    serverId: text("server_id"),
    token: text("token"),
    state: text<Claim["state"]>("state"),
    proof: nullable(text<DomainProof>("proof")),
    error: nullable(text("error")),
    failingSince: nullable(timestamp("failing_since")),
    checkedAt: nullable(timestamp("checked_at")),
    nextCheckAt: nullable(timestamp("next_check_at")),
    verifiedAt: nullable(timestamp("verified_at")),
    createdAt: timestamp("created_at"),
  },
});

export const domainNameTable = rootTable<DomainNameState>("domain_names", {
  key: "id",
  changedAt: "updated_at",
  fields: {
    name: text("name"),
    claims: related(children(claimTable), (claims) => new Map(claims.map((claim) => [claim.id, claim]))),
  },
});
