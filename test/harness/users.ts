import { createPrivateKey } from "node:crypto";
import { readFile } from "node:fs/promises";
import type { JWK } from "jose";
import { newId } from "../../actors/platform/ids.ts";
import type { Definitions } from "../../actors/registry.ts";
import type { ActorsOf } from "../../actors/runtime/client.ts";
import { TokenIssuer } from "../../gateway/auth/access-tokens.ts";
import { firstRefreshToken, hashesOf, textOf } from "../../gateway/auth/refresh-tokens.ts";

export interface TestUser {
  readonly id: string;
  readonly username: string;
  readonly password: string;
  readonly token: string;
  readonly refreshToken: string;
}

export interface UserOptions {
  readonly role?: "admin";
  readonly balance?: string;
}

const PASSWORD = "correct horse battery";
const SESSIONS_MAX = 1_000;

/** The least that Argon2 takes: a hash for production costs an eighth of a second, and the verification of one as much again. */
let cheapHash: Promise<string> | undefined;
const passwordHash = () => {
  cheapHash ??= Bun.password.hash(PASSWORD, { algorithm: "argon2id", memoryCost: 8, timeCost: 1 });
  return cheapHash;
};

/**
 * Makes users as the gateway does, by messages to their actors and with tokens by its key, but without HTTP: no hash worth an eighth of a
 * second, and no limit of sign-ups for one address.
 */
export async function userMaker(
  actors: ActorsOf<Definitions>,
  signingKeyFile: string,
): Promise<(options?: UserOptions) => Promise<TestUser>> {
  const key = createPrivateKey(await readFile(signingKeyFile));
  const issuer = await TokenIssuer.create(key.export({ format: "jwk" }) as JWK);
  return async ({ role = "user", balance }: { role?: "user" | "admin"; balance?: string } = {}) => {
    const id = newId();
    const username = `user-${crypto.randomUUID().slice(0, 13)}`;
    await actors.account(id).signup({
      username,
      email: `${username}@example.com`,
      password_hash: await passwordHash(),
      role,
    });
    const refreshToken = firstRefreshToken(id, newId());
    await actors.account(id).login({
      entry: { by: "password", password_hash: await passwordHash(), proof: null },
      session_id: refreshToken.sessionId,
      ...hashesOf(refreshToken),
      sessions_max: SESSIONS_MAX,
    });
    if (balance !== undefined)
      await actors.wallet(id).credit({ amount: balance, reason: "test", idempotency_key: "test" });
    const { token } = await issuer.issue({ sub: id, sid: refreshToken.sessionId, role, username });
    return { id, username, password: PASSWORD, token, refreshToken: textOf(refreshToken) };
  };
}
