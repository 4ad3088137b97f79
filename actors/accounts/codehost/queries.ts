import type { BonusClaim, BonusStatus } from "../../../schemas/accounts/codehost.ts";
import type { Sql } from "../../platform/db/sql.ts";
import { fromCents } from "../../platform/money.ts";
import type { CodehostBonus } from "../../platform/settings.ts";
import type { Loaded } from "../../runtime/definition.ts";
import type { CodehostAccount } from "./rules.ts";

interface AccountRow {
  user_id: string;
  version: bigint;
  attempt_state_hash: string | null;
  attempt_binding_hash: string | null;
  attempt_verifier: string | null;
  attempt_expires_at: Date | null;
  identity_id: string | null;
  username: string | null;
  linked_at: Date | null;
  claiming_saga: string | null;
  claiming_identity_id: string | null;
  claiming_cents: bigint | null;
  claiming_joined: boolean;
  claim_identity_id: string | null;
  claim_cents: bigint | null;
  claim_transaction_id: string | null;
  claimed_at: Date | null;
}

/** Users' sides of the code host, for their actors. */
export async function loadCodehostAccounts(
  db: Sql,
  userIds: readonly string[],
): Promise<Map<string, Loaded<CodehostAccount>>> {
  const rows = await db<AccountRow[]>`
    SELECT user_id, version, attempt_state_hash, attempt_binding_hash, attempt_verifier, attempt_expires_at,
      identity_id, username, linked_at, claiming_saga, claiming_identity_id, claiming_cents, claiming_joined,
      claim_identity_id, claim_cents, claim_transaction_id, claimed_at
    FROM codehost_accounts WHERE user_id = ANY (${[...userIds]}::text[])`;
  return new Map(rows.map((row) => [row.user_id, { version: Number(row.version), state: toAccount(row) }]));
}

function toAccount(row: AccountRow): CodehostAccount {
  return {
    attempt:
      row.attempt_state_hash === null || row.attempt_expires_at === null
        ? null
        : {
            stateHash: row.attempt_state_hash,
            bindingHash: row.attempt_binding_hash ?? "",
            verifier: row.attempt_verifier ?? "",
            expiresAt: row.attempt_expires_at,
          },
    identity:
      row.identity_id === null || row.linked_at === null
        ? null
        : { id: row.identity_id, username: row.username ?? "", linkedAt: row.linked_at },
    claiming:
      row.claiming_saga === null
        ? null
        : {
            saga: row.claiming_saga,
            identityId: row.claiming_identity_id ?? "",
            cents: row.claiming_cents ?? 0n,
            joined: row.claiming_joined,
          },
    claim:
      row.claimed_at === null
        ? null
        : {
            identityId: row.claim_identity_id ?? "",
            cents: row.claim_cents ?? 0n,
            transactionId: row.claim_transaction_id ?? "",
            at: row.claimed_at,
          },
  };
}

/** Who holds these identities, for their actors. */
export async function loadCodehostIdentities(
  db: Sql,
  ids: readonly string[],
): Promise<Map<string, Loaded<string | null>>> {
  const rows = await db<{ identity_id: string; version: bigint; user_id: string }[]>`
    SELECT identity_id, version, user_id FROM codehost_identities WHERE identity_id = ANY (${[...ids]}::text[])`;
  return new Map(rows.map((row) => [row.identity_id, { version: Number(row.version), state: row.user_id }]));
}

/** The bonus as a user sees it, from our own rows alone (spec §4.6). */
export async function readBonusStatus(
  db: Sql,
  userId: string,
  offer: CodehostBonus | undefined,
): Promise<BonusStatus> {
  const [row] = await db<
    (Pick<AccountRow, "identity_id" | "username" | "claim_cents" | "claim_transaction_id" | "claimed_at"> & {
      holder: string | null;
    })[]
  >`
    SELECT a.identity_id, a.username, a.claim_cents, a.claim_transaction_id, a.claimed_at, i.user_id AS holder
    FROM codehost_accounts a LEFT JOIN codehost_identities i ON i.identity_id = a.identity_id
    WHERE a.user_id = ${userId}`;
  const claim: BonusClaim | null =
    row?.claimed_at == null
      ? null
      : {
          amount_usd: fromCents(row.claim_cents ?? 0n),
          at: row.claimed_at.toISOString(),
          transaction_id: row.claim_transaction_id ?? "",
        };
  if (offer === undefined) return { enabled: false, ...(claim === null ? {} : { claim }) };
  return {
    enabled: true,
    repo: offer.repo,
    amount_usd: fromCents(offer.amountCents),
    codehost_linked: row?.identity_id != null,
    codehost_username: row?.username ?? null,
    claimed: claim !== null,
    identity_claimed_elsewhere: row?.holder != null && row.holder !== userId,
    claim,
  };
}
