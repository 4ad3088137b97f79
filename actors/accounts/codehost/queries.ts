import type { BonusClaim, BonusStatus } from "../../../schemas/accounts/codehost.ts";
import type { Sql } from "../../platform/db/sql.ts";
import { fromCents } from "../../platform/money.ts";
import type { CodehostBonus } from "../../platform/settings.ts";

/** The bonus as a user sees it, read without the code host (spec §4.6). */
export async function readBonusStatus(
  db: Sql,
  userId: string,
  offer: CodehostBonus | undefined,
): Promise<BonusStatus> {
  const [row] = await db<
    {
      identity_id: string | null;
      username: string | null;
      claim_cents: bigint | null;
      claim_transaction_id: string | null;
      claimed_at: Date | null;
      holder: string | null;
    }[]
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
