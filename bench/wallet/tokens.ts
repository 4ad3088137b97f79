import { createPrivateKey } from "node:crypto";
import { readFileSync } from "node:fs";
import type { JWK } from "jose";
import { newId } from "../../actors/platform/ids.ts";
import { TokenIssuer } from "../../gateway/auth/access-tokens.ts";

/** Access tokens of these users, signed as the gateway would. */
export async function issueTokens(signingKeyFile: string, userIds: readonly string[]): Promise<string[]> {
  const key = createPrivateKey(readFileSync(signingKeyFile)).export({ format: "jwk" }) as JWK;
  const issuer = await TokenIssuer.create(key);
  const tokens: string[] = [];
  for (const id of userIds) {
    const { token } = await issuer.issue({ sub: id, sid: newId(), role: "user", username: `bench-${id}` });
    tokens.push(token);
  }
  return tokens;
}
