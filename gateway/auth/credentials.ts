import type { Caller } from "../../schemas/accounts/auth.ts";
import { TOKEN_PREFIX } from "../../schemas/accounts/token.ts";
import type { Connection } from "../http/client-address.ts";
import { invalidToken, type TokenVerifier } from "./access-tokens.ts";
import type { ApiTokens } from "./api-tokens.ts";
import type { RequiredSecondFactor } from "./required-second-factor.ts";

/** A user name and an API token of Berth are shorter. */
const BASIC_LENGTH_MAX = 1024;
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;

/** Verifies every kind of credential (design §3 "Credentials"). Their form tells them apart. */
export class Credentials {
  constructor(
    private readonly accessTokens: TokenVerifier,
    private readonly apiTokens: ApiTokens,
    readonly requiredFactor: RequiredSecondFactor,
  ) {}

  /** @throws SECOND_FACTOR_SETUP_REQUIRED for an administrator who must have a second factor and has none */
  assertSetUp(caller: Caller): Promise<void> | undefined {
    return this.requiredFactor.assertSetUp(caller);
  }

  /** Verifies the token of `Authorization: Bearer`. @throws INVALID_TOKEN, RATE_LIMITED */
  verify(token: string, from: Connection): Caller | Promise<Caller> {
    if (token.startsWith(TOKEN_PREFIX)) return this.apiTokens.verify(token, "api_token", from);
    return this.accessTokens.verify(token);
  }

  /**
   * Verifies `Authorization: Basic`: a user name, with an API token of that user as the password. @throws
   * INVALID_TOKEN, RATE_LIMITED
   */
  async verifyBasic(credentials: string, from: Connection): Promise<Caller> {
    if (credentials.length > BASIC_LENGTH_MAX || !BASE64.test(credentials)) throw invalidToken();
    const text = Buffer.from(credentials, "base64").toString();
    const colon = text.indexOf(":");
    if (colon === -1) throw invalidToken();
    const caller = await this.apiTokens.verify(text.slice(colon + 1), "basic", from);
    if (caller.username.toLowerCase() !== text.slice(0, colon).toLowerCase()) throw invalidToken();
    return caller;
  }

  /** Refuses every token of a session, or the API token of this id, from now on. */
  endSession(id: string): void {
    this.accessTokens.endSession(id);
    this.apiTokens.end(id);
  }
}
