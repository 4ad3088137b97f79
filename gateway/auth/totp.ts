import { Secret, TOTP } from "otpauth";
import { TOTP_DIGITS } from "../../schemas/accounts/second-factor.ts";
import { DomainError } from "../../schemas/errors.ts";
import type { SecretBox } from "../../system/secret-box.ts";

const ISSUER = "Berth";
/** 160 bits, as RFC 4226 recommends. */
const SECRET_BYTES = 20;
const PERIOD_SECONDS = 30;
/** A clock may be wrong by half a minute, and a code takes time to type (RFC 6238 §5.2). */
const WINDOW_STEPS = 1;
const DIGITS = new RegExp(`^[0-9]{${TOTP_DIGITS}}$`);

/** Codes of an app. SHA-1, six digits and half a minute are what every app knows. */
const totpOf = (secret: Secret, label: string) =>
  new TOTP({ issuer: ISSUER, label, algorithm: "SHA1", digits: TOTP_DIGITS, period: PERIOD_SECONDS, secret });

/** A code as people type it, with blanks in the middle. */
export const isTotpCode = (code: string): boolean => DIGITS.test(withoutBlanks(code));
const withoutBlanks = (code: string): string => code.replace(/\s/g, "");

/** The place for which a secret is encrypted. */
export const placeOfTotp = (userId: string): string => `totp:${userId}`;

export interface NewTotp {
  /** Base32, to type. */
  readonly secret: string;
  /** To scan. */
  readonly uri: string;
  readonly sealed: string;
}

/** A new secret. @throws SECRETS_NOT_CONFIGURED */
export function newTotp(secrets: SecretBox | null, userId: string, username: string): NewTotp {
  if (secrets === null)
    throw new DomainError(
      "SECRETS_NOT_CONFIGURED",
      "Codes of an app cannot be set up: the operator has set no key for secrets (BERTH_SECRETS_KEY_FILE)",
    );
  const secret = new Secret({ size: SECRET_BYTES });
  const sealed = secrets.seal(secret.base32, placeOfTotp(userId));
  return { secret: secret.base32, uri: totpOf(secret, username).toString(), sealed };
}

/** The time step of a code that is good now; undefined for a wrong one. */
export function stepOf(
  secrets: SecretBox | null,
  userId: string,
  sealed: string,
  code: string,
  nowMs = Date.now(),
): number | undefined {
  const secret = secrets?.open(sealed, placeOfTotp(userId));
  if (secret == null || !isTotpCode(code)) return undefined;
  const delta = totpOf(Secret.fromBase32(secret), "").validate({
    token: withoutBlanks(code),
    timestamp: nowMs,
    window: WINDOW_STEPS,
  });
  return delta === null ? undefined : Math.floor(nowMs / 1_000 / PERIOD_SECONDS) + delta;
}
