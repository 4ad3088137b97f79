/**
 * Whether each part of a signed token is base64url as an encoder writes it. A decoder also takes padding, white space, `+` and `/`, and any
 * bits that the last character has left over: then one signature would have many spellings, and so would one token.
 */
export const isCanonicalToken = (token: string): boolean =>
  token.split(".").every((part) => Buffer.from(part, "base64url").toString("base64url") === part);
