import { DomainError } from "../../../schemas/errors.ts";
import { linkTokenHash, newLinkToken } from "../../../system/link-token.ts";
import type { ActorsFor } from "../../senders.ts";
import type { MailText } from "./layout.ts";
import type { ClaimedMail } from "./queue/queries.ts";
import { recoveryText, refusedRecoveryText } from "./texts.ts";

/** Why a mail is not sent after all. */
export class Obsolete extends Error {
  override readonly name = "Obsolete";
}

export interface ComposerOptions {
  readonly actors: ActorsFor<"reconciler">;
  readonly publicUrl: string;
}

/** Writes a mail, as it is sent: links are made now, so that no queue and no backup has one that opens an account. @throws Obsolete */
export async function compose(mail: ClaimedMail, { actors, publicUrl }: ComposerOptions): Promise<MailText> {
  const reader = { username: mail.username, publicUrl };
  const token = newLinkToken(mail.userId);
  const opened = await actors
    .account(mail.userId)
    .open_mail_recovery(
      { token_hash: linkTokenHash(token), email: mail.address },
      { key: `mail:${mail.id}:${mail.attempts}` },
    )
    .catch(asObsolete);
  const { outcome, expires_at } = opened.value;
  if (outcome === "stale") throw new Obsolete("the account has another address by now");
  if (outcome === "refused" || expires_at === null) return refusedRecoveryText(reader);
  return recoveryText(reader, token, new Date(expires_at));
}

/** The account was closed meanwhile. */
function asObsolete(error: unknown): never {
  if (error instanceof DomainError && ["USER_NOT_FOUND", "ACCOUNT_SUSPENDED"].includes(error.code))
    throw new Obsolete("the account is closed");
  throw error;
}
