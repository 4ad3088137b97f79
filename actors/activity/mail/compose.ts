import { DomainError } from "../../../schemas/errors.ts";
import { linkTokenHash, newLinkToken } from "../../../system/link-token.ts";
import type { ActorsFor } from "../../senders.ts";
import type { MailText } from "./layout.ts";
import type { ClaimedMail } from "./queue/queries.ts";
import { noticeText, type Reader, recoveryText, refusedRecoveryText, verificationText } from "./texts.ts";
import { unsubscribeToken } from "./unsubscribe.ts";

/** Why a mail is not sent after all. */
export class Obsolete extends Error {
  override readonly name = "Obsolete";
}

export interface ComposerOptions {
  readonly actors: ActorsFor<"reconciler">;
  readonly publicUrl: string;
  /** What the links that switch mails off follow from. */
  readonly readLinkKey: () => Promise<string>;
}

/** Writes a mail, as it is sent: links are made now, so that no queue and no backup has one that opens an account. @throws Obsolete */
export async function compose(mail: ClaimedMail, options: ComposerOptions): Promise<MailText> {
  const { actors, publicUrl } = options;
  const reader = { username: mail.username, publicUrl };
  if (mail.kind === "notice")
    return noticeText(reader, mail.content, await unsubscribeTokenOf(mail, options));
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

/** @returns undefined for a mail to a former address, which switches off nothing */
async function unsubscribeTokenOf(
  { userId, address, isToPresentAddress, content }: ClaimedMail,
  { readLinkKey }: ComposerOptions,
): Promise<string | undefined> {
  if (!isToPresentAddress) return undefined;
  return unsubscribeToken(await readLinkKey(), { userId, email: address }, content.topic);
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
