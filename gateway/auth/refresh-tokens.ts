import { createHash, createHmac, randomBytes, timingSafeEqual } from "node:crypto";

/** 128 bits that cannot be guessed: they tell a former token of the session from an invented one. */
const FAMILY_BYTES = 16;
const SECRET_BYTES = 32;
const CHECK_BYTES = 16;
const FORM =
  /^([0-9a-f]{24})\.([0-9a-f]{24})\.([A-Za-z0-9_-]{22})\.([A-Za-z0-9_-]{43})\.([A-Za-z0-9_-]{22})$/;

/**
 * A refresh token: the account and session that it leads to, a secret that all tokens of the session share, and a
 * secret of its own. A client that presents the first secret without the newest second one has a former token of the
 * session.
 *
 * The last part is a MAC over the others, keyed by the shared secret. A token that was damaged in transit or put
 * together from parts does not count as a former token, so it ends no session.
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

/** The token that replaces this one. @param derive gives the same secret for the same token; without it the secret is random */
export const nextRefreshToken = (token: IssuedToken, derive?: (secret: string) => string): IssuedToken => ({
  ...token,
  secret: derive?.(token.secret) ?? newSecret(),
});

/** A refresh token as a client presents it. */
export interface PresentedToken extends IssuedToken {
  /** Whether the MAC is right. A token with a wrong MAC was never issued. */
  readonly isGenuine: boolean;
}

/** Undefined for a text in another form. */
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

/** The stored hashes of the two secrets. Both secrets are random, so SHA-256 is enough. */
export const hashesOf = ({ family, secret }: IssuedToken) => ({
  family_hash: sha256(family),
  refresh_hash: sha256(secret),
});

const newSecret = (): string => randomBytes(SECRET_BYTES).toString("base64url");
const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");
