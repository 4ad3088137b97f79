import { createHash, randomBytes } from "node:crypto";

const SECRET_BYTES = 32;

/** The token of a link that is good once: whose it is, and a secret that cannot be guessed. */
export const newLinkToken = (userId: string): string =>
  `${userId}.${randomBytes(SECRET_BYTES).toString("base64url")}`;

/** What is stored of a token. */
export const linkTokenHash = (token: string): string => createHash("sha256").update(token).digest("hex");
