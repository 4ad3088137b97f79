import { bigint, boolean, group, nullable, text, timestamp } from "../../runtime/columns.ts";
import { rootTable } from "../../runtime/table.ts";
import type { CodehostAccount } from "./rules.ts";

export const codehostAccountTable = rootTable<CodehostAccount>("codehost_accounts", {
  key: "user_id",
  changedAt: "updated_at",
  fields: {
    attempt: nullable(
      group({
        stateHash: text("attempt_state_hash"),
        bindingHash: text("attempt_binding_hash"),
        verifier: text("attempt_verifier"),
        expiresAt: timestamp("attempt_expires_at"),
      }),
    ),
    identity: nullable(
      group({ id: text("identity_id"), username: text("username"), linkedAt: timestamp("linked_at") }),
    ),
    claiming: nullable(
      group({
        saga: text("claiming_saga"),
        identityId: text("claiming_identity_id"),
        cents: bigint("claiming_cents"),
        joined: boolean("claiming_joined"),
      }),
    ),
    claim: nullable(
      group({
        identityId: text("claim_identity_id"),
        cents: bigint("claim_cents"),
        transactionId: text("claim_transaction_id"),
        at: timestamp("claimed_at"),
      }),
    ),
  },
});

/** The user who has claimed with an identity. */
export interface Holder {
  readonly userId: string;
}

export const codehostIdentityTable = rootTable<Holder>("codehost_identities", {
  key: "identity_id",
  changedAt: "held_at",
  fields: { userId: text("user_id") },
});
