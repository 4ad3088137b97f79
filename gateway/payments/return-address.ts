import { createHmac, timingSafeEqual } from "node:crypto";
import { ID_PATTERN } from "../../schemas/primitives.ts";

/** 128 bits: nobody guesses the mark of another payment. */
const MARK_LENGTH = 32;

const markOf = (secret: string, intentId: string): string =>
  createHmac("sha256", secret).update(`return ${intentId}`).digest("hex").slice(0, MARK_LENGTH);

/**
 * Where a processor sends people back, with a mark of the payment: whoever comes back has no access token, and must see
 * the state of this payment and of no other.
 *
 * @param secrets of the provider's callbacks, the newest first
 */
export function returnAddress(
  returnUrl: string,
  secrets: readonly string[],
  intentId: string,
  outcome?: string,
): string {
  const payment = `${intentId}.${markOf(secrets[0] ?? "", intentId)}`;
  return `${returnUrl}?${new URLSearchParams({ ...(outcome === undefined ? {} : { outcome }), payment })}`;
}

/** The intent that a mark names, if one of the secrets has made it. Processors send back to marks of a former secret as well. */
export function markedIntent(payment: string, secrets: readonly string[]): string | undefined {
  const [intentId = "", mark = ""] = payment.split(".");
  if (!ID_PATTERN.test(intentId) || mark.length !== MARK_LENGTH) return undefined;
  const given = Buffer.from(mark);
  const isMade = secrets.some((secret) => {
    const made = Buffer.from(markOf(secret, intentId));
    return made.length === given.length && timingSafeEqual(made, given);
  });
  return isMade ? intentId : undefined;
}
