import { createHash, randomBytes } from "node:crypto";

/** Nobody guesses 128 bits, which are all that tells a former token from one that was made up. */
const FAMILY_BYTES = 16;
const SECRET_BYTES = 32;
const FORM = /^([0-9a-f]{24})\.([0-9a-f]{24})\.([A-Za-z0-9_-]{22})\.([A-Za-z0-9_-]{43})$/;

/**
 * A refresh token: the account and session that it leads to, a secret that all tokens of the session share, and a secret
 * of its own. Who shows the former without the newest of the latter has a former token of the session.
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

/** Undefined for what has not the form of a refresh token. */
export function parseRefreshToken(text: string): IssuedToken | undefined {
  const [, userId, sessionId, family, secret] = FORM.exec(text) ?? [];
  if (userId === undefined || sessionId === undefined || family === undefined || secret === undefined)
    return undefined;
  return { userId, sessionId, family, secret };
}

export const textOf = ({ userId, sessionId, family, secret }: IssuedToken): string =>
  `${userId}.${sessionId}.${family}.${secret}`;

/** What is kept of the two secrets. Both are random, so that SHA-256 is enough. */
export const hashesOf = ({ family, secret }: IssuedToken) => ({
  family_hash: sha256(family),
  refresh_hash: sha256(secret),
});

const newSecret = (): string => randomBytes(SECRET_BYTES).toString("base64url");
const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");
