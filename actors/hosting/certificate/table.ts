import type { CertificatePurpose, Challenge } from "../../../schemas/hosting/certificate.ts";
import { integer, json, nullable, text, timestamp } from "../../runtime/columns.ts";
import { rootTable } from "../../runtime/table.ts";
import type { AcmeAccountState, CertificateState } from "./rules.ts";

export const certificateTable = rootTable<CertificateState>("certificates", {
  key: "id",
  changedAt: "updated_at",
  fields: {
    name: text("name"),
    purpose: text<CertificatePurpose>("purpose"),
    userId: nullable(text("user_id")),
    chain: nullable(text("chain")),
    sealedKey: nullable(text("sealed_key")),
    notBefore: nullable(timestamp("not_before")),
    notAfter: nullable(timestamp("not_after")),
    dueAt: timestamp("due_at"),
    failures: integer("failures"),
    error: nullable(text("error")),
    challenge: nullable(json<Challenge>("challenge")),
    createdAt: timestamp("created_at"),
  },
});

export const acmeAccountTable = rootTable<AcmeAccountState>("acme_accounts", {
  key: "id",
  fields: {
    directoryUrl: text("directory_url"),
    sealedKey: text("sealed_key"),
    createdAt: timestamp("created_at"),
  },
});
