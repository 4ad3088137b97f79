import { createHash, createHmac, randomBytes, timingSafeEqual } from "node:crypto";

/** Nobody guesses 128 bits, which are all that tells a former token from one that was made up. */
const FAMILY_BYTES = 16;
const SECRET_BYTES = 32;
const CHECK_BYTES = 16;
const FORM =
  /^([0-9a-f]{24})\.([0-9a-f]{24})\.([A-Za-z0-9_-]{22})\.([A-Za-z0-9_-]{43})\.([A-Za-z0-9_-]{22})$/;

/**
 * A refresh token: the account and session that it leads to, a secret that all tokens of the session share, and a secret
 * of its own. A client that presents the first secret without the newest second one has a former token of the session.
 *
 * A check over all of it, keyed by the shared secret, stands at the end: a token that was damaged on its way, or made up
 * from parts, is no former token and ends nothing.
 */
export interface IssuedToken {
  readonly userId: string;
  readonly sessionId: string;
  readonly family: string;
  readonly secret: string;
}

/** The first refresh token of a session. */
export const firstRefreshToken = (userId: string, sessionId: string): IssuedToken => ({
  userId,
  sessionId,
  family: randomBytes(FAMILY_BYTES).toString("base64url"),
  secret: newSecret(),
});

/** The token that takes the place of another one. */
export const nextRefreshToken = (token: IssuedToken): IssuedToken => ({ ...token, secret: newSecret() });

/** A refresh token as a client presents it. */
export interface PresentedToken extends IssuedToken {
  /** Whether the check is right. A token with a wrong check was never issued. */
  readonly isGenuine: boolean;
}

/** Undefined for a text of another form. */
export function parseRefreshToken(text: string): PresentedToken | undefined {
  const [, userId, sessionId, family, secret, check] = FORM.exec(text) ?? [];
  if (userId === undefined || sessionId === undefined || family === undefined || secret === undefined)
    return undefined;
  const token = { userId, sessionId, family, secret };
  return { ...token, isGenuine: timingSafeEqual(Buffer.from(check ?? ""), Buffer.from(checkOf(token))) };
}

export const textOf = (token: IssuedToken): string =>
  `${token.userId}.${token.sessionId}.${token.family}.${token.secret}.${checkOf(token)}`;

const checkOf = ({ userId, sessionId, family, secret }: IssuedToken): string =>
  createHmac("sha256", family)
    .update(`${userId}.${sessionId}.${secret}`)
    .digest()
    .subarray(0, CHECK_BYTES)
    .toString("base64url");

/** What is kept of the two secrets. Both are random, so that SHA-256 is enough. */
export const hashesOf = ({ family, secret }: IssuedToken) => ({
  family_hash: sha256(family),
  refresh_hash: sha256(secret),
});

const newSecret = (): string => randomBytes(SECRET_BYTES).toString("base64url");
const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");
