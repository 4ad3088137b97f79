/**
 * Whether each part of a signed token is canonical base64url. Decoders also accept padding, white space, `+`, `/`,
 * and any unused bits in the last character; then the same signature, and so the same token, could be written in many
 * ways.
 */
export const isCanonicalToken = (token: string): boolean =>
  token.split(".").every((part) => Buffer.from(part, "base64url").toString("base64url") === part);
