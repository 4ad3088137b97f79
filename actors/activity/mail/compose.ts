import { DomainError } from "../../../schemas/errors.ts";
import { linkTokenHash, newLinkToken } from "../../../system/link-token.ts";
import type { ActorsFor } from "../../senders.ts";
import type { MailText } from "./layout.ts";
import type { ClaimedMail } from "./queue/queries.ts";
import { noticeText, type Reader, recoveryText, refusedRecoveryText, verificationText } from "./texts.ts";

/** Why a mail is not sent after all. */
export class Obsolete extends Error {
  override readonly name = "Obsolete";
}

export interface ComposerOptions {
  readonly actors: ActorsFor<"reconciler">;
  readonly publicUrl: string;
  /** Keeps what stands for the link that switches such mails off, with the mail. */
  readonly keepUnsubscribe: (mail: ClaimedMail, tokenHash: string) => Promise<void>;
}

/** Writes a mail, as it is sent: links are made now, so that no queue and no backup has one that opens an account. @throws Obsolete */
export async function compose(mail: ClaimedMail, options: ComposerOptions): Promise<MailText> {
  const { actors, publicUrl } = options;
  const reader = { username: mail.username, publicUrl };
  if (mail.kind === "notice") return noticeText(reader, mail.content, await unsubscribeToken(mail, options));
  const token = newLinkToken(mail.userId);
  const message = { token_hash: linkTokenHash(token), email: mail.address };
  const once = { key: `mail:${mail.id}:${mail.attempts}` };
  const account = actors.account(mail.userId);
  if (mail.kind === "recovery")
    return recoveryOf(
      reader,
      token,
      (await account.open_mail_recovery(message, once).catch(asObsolete)).value,
    );
  const { value } = await account.open_email_verification(message, once).catch(asObsolete);
  if (value.expires_at === null) throw new Obsolete("the address is verified, or another by now");
  return verificationText(reader, token, new Date(value.expires_at));
}

/** Whoever reads mail at a former address of the account must not silence its present one. */
async function unsubscribeToken(
  mail: ClaimedMail,
  { keepUnsubscribe }: ComposerOptions,
): Promise<string | undefined> {
  if (!mail.isToPresentAddress) return undefined;
  const token = newLinkToken(mail.userId);
  await keepUnsubscribe(mail, linkTokenHash(token));
  return token;
}

function recoveryOf(
  reader: Reader,
  token: string,
  { outcome, expires_at }: { outcome: string; expires_at: string | null },
): MailText {
  if (outcome === "stale") throw new Obsolete("the account has another address by now");
  if (expires_at === null) return refusedRecoveryText(reader);
  return recoveryText(reader, token, new Date(expires_at));
}

/** The account was closed meanwhile. */
function asObsolete(error: unknown): never {
  if (error instanceof DomainError && ["USER_NOT_FOUND", "ACCOUNT_SUSPENDED"].includes(error.code))
    throw new Obsolete("the account is closed");
  throw error;
}
