import { createHash, createHmac, randomBytes, timingSafeEqual } from "node:crypto";

const SECRET_BYTES = 32;

/** The token of a link that is good once: whose it is, and a secret that cannot be guessed. */
export const newLinkToken = (userId: string): string =>
  `${userId}.${randomBytes(SECRET_BYTES).toString("base64url")}`;

/** The token of a link of which nothing is stored: it follows from a key, and is good as long as what it is about holds. */
export const keyedLinkToken = (key: string, userId: string, about: readonly string[]): string =>
  `${userId}.${createHmac("sha256", key)
    .update(JSON.stringify([userId, ...about]))
    .digest("base64url")}`;

/** Takes the same time wherever they differ. */
export const isSameToken = (one: string, other: string): boolean =>
  one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other));

/** What is stored of a token. */
export const linkTokenHash = (token: string): string => createHash("sha256").update(token).digest("hex");
