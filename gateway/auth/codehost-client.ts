import { createHash } from "node:crypto";
import { type Static, Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import * as oauth from "oauth4webapi";
import { DomainError } from "../../schemas/errors.ts";
import { Text } from "../../schemas/text.ts";

/**
 * A client of the code host's OAuth 2 (RFC 6749 with PKCE, RFC 7636). It asks for the user's identity and nothing
 * else.
 */

export const CODEHOST_CALLBACK = "/api/v1/auth/codehost/callback";

export interface CodehostSettings {
  readonly clientId: string;
  readonly clientSecret: string;
  readonly authorizeUrl: string;
  readonly tokenUrl: string;
  /** Returns `id`, and `login` or `username`, of the token's user. */
  readonly userUrl: string;
  readonly scope: string;
  readonly redirectUri: string;
  /** The code host is the gateway's own sandbox. */
  readonly isSandbox?: boolean;
}

export interface CodehostIdentity {
  /** The code host and the user's number there, which stays the same when the name changes. */
  readonly id: string;
  readonly username: string;
}

/** Code hosts respond within a second, and the user's browser waits. */
const ANSWER_MS_MAX = 10_000;

const Username = Text({ minLength: 1, maxLength: 200 });
const CodehostUser = Type.Object({
  id: Type.Union([
    Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }),
    Type.String({ pattern: "^[A-Za-z0-9_-]{1,100}$" }),
  ]),
  login: Type.Optional(Username),
  username: Type.Optional(Username),
});

/** The errors for a code that was used, has expired or never existed. GitHub has an error of its own for it. */
const BAD_CODE = new Set(["invalid_grant", "bad_verification_code"]);

export class CodehostClient {
  readonly #server: oauth.AuthorizationServer;
  readonly #client: oauth.Client;

  constructor(readonly settings: CodehostSettings) {
    this.#server = {
      issuer: new URL(settings.authorizeUrl).origin,
      authorization_endpoint: settings.authorizeUrl,
      token_endpoint: settings.tokenUrl,
    };
    this.#client = { client_id: settings.clientId };
  }

  newVerifier = (): string => oauth.generateRandomCodeVerifier();

  /** The page of the code host on which the user gives consent. */
  async authorizationUrl(state: string, verifier: string): Promise<string> {
    const url = new URL(this.settings.authorizeUrl);
    const parameters = {
      response_type: "code",
      client_id: this.settings.clientId,
      redirect_uri: this.settings.redirectUri,
      scope: this.settings.scope,
      state,
      code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
      code_challenge_method: "S256",
    };
    for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
    return url.href;
  }

  /**
   * Identifies the user who returns from the code host, by the parameters of the callback. The access token is used
   * once and is not stored.
   * @throws CODEHOST_DENIED, CODEHOST_LINK_INVALID, CODEHOST_FAILED
   */
  async identify(
    query: Readonly<Record<string, string>>,
    state: string,
    verifier: string,
  ): Promise<CodehostIdentity> {
    const brought = new URLSearchParams(query);
    // With one code host there is no mix-up to defend against (RFC 9207), and few code hosts send `iss`.
    brought.delete("iss");
    try {
      const parameters = oauth.validateAuthResponse(this.#server, this.#client, brought, state);
      return this.#identityOf(await this.#user(await this.#accessToken(parameters, verifier)));
    } catch (error) {
      throw refusalOf(error);
    }
  }

  async #accessToken(parameters: URLSearchParams, verifier: string): Promise<string> {
    const { clientSecret, redirectUri } = this.settings;
    const response = await oauth.authorizationCodeGrantRequest(
      this.#server,
      this.#client,
      oauth.ClientSecretPost(clientSecret),
      parameters,
      redirectUri,
      verifier,
      this.#http(),
    );
    await refuseBadCode(response);
    const granted = await oauth.processAuthorizationCodeResponse(this.#server, this.#client, response);
    return granted.access_token;
  }

  async #user(accessToken: string): Promise<unknown> {
    const headers = new Headers({ accept: "application/json", "user-agent": "berth" });
    const url = new URL(this.settings.userUrl);
    const response = await oauth.protectedResourceRequest(
      accessToken,
      "GET",
      url,
      headers,
      null,
      this.#http(),
    );
    if (!response.ok) throw new Error(`the request for the user got status ${response.status}`);
    return response.json();
  }

  #identityOf(user: unknown): CodehostIdentity {
    if (!Value.Check(CodehostUser, user)) throw new Error("the reply with the user has an unknown form");
    const { id, login, username = login } = user as Static<typeof CodehostUser>;
    if (username === undefined) throw new Error("the user has no name");
    // Each gateway asks its own sandbox, by an address of its own.
    const host = this.settings.isSandbox ? "sandbox" : new URL(this.settings.userUrl).host;
    return { id: createHash("sha256").update(`${host}\0${id}`).digest("hex"), username: login ?? username };
  }

  // The settings allow plain HTTP for addresses of this machine only.
  #http = () => ({
    signal: AbortSignal.timeout(ANSWER_MS_MAX),
    [oauth.allowInsecureRequests]: true,
  });
}

/** GitHub refuses with status 200 and an `error`; others with 400. */
async function refuseBadCode(response: Response): Promise<void> {
  const body: unknown = await response
    .clone()
    .json()
    .catch(() => undefined);
  if (typeof body === "object" && body !== null && "error" in body && BAD_CODE.has(String(body.error)))
    throw new DomainError(
      "CODEHOST_LINK_INVALID",
      "The code host does not accept this code: it was used or has expired. Start the link again",
    );
}

function refusalOf(error: unknown): unknown {
  if (error instanceof DomainError) return error;
  if (error instanceof oauth.AuthorizationResponseError && error.error === "access_denied")
    return new DomainError("CODEHOST_DENIED", "You gave no consent at the code host; nothing was linked");
  return new CodehostFailure({ cause: error });
}

/** The code host failed. Its reply is logged and not shown to the user, since it may hold secrets. */
export class CodehostFailure extends DomainError {
  constructor({ cause }: { cause: unknown }) {
    super("CODEHOST_FAILED", "The code host does not respond as expected; try again shortly");
    this.cause = cause;
  }
}
