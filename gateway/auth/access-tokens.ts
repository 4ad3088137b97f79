import { createHmac } from "node:crypto";
import { TypeCompiler } from "@sinclair/typebox/compiler";
import {
  calculateJwkThumbprint,
  createLocalJWKSet,
  exportJWK,
  generateKeyPair,
  importJWK,
  type JSONWebKeySet,
  type JWK,
  jwtVerify,
  SignJWT,
} from "jose";
import {
  ACCESS_TOKEN_SECONDS,
  ACCESS_TOKEN_TYPE,
  AccessClaims,
  type Caller,
  CHALLENGE_AUDIENCE,
  CHALLENGE_TOKEN_TYPE,
  CLOCK_TOLERANCE_SECONDS,
  CONTAINER_AUDIENCE,
  CONTAINER_TOKEN_SECONDS,
  CONTAINER_TOKEN_TYPE,
  type ContainerClaims,
  TOKEN_ALGORITHM,
  TOKEN_AUDIENCE,
  TOKEN_ISSUER,
} from "../../schemas/accounts/auth.ts";
import { isCanonicalToken } from "../../schemas/accounts/canonical-token.ts";
import { DomainError } from "../../schemas/errors.ts";
import { IMPERSONATION_PERMISSIONS, REALM_PERMISSIONS } from "../../schemas/permissions.ts";
import { BoundedMap } from "../../system/bounded-map.ts";
import { SingleFlight } from "../../system/single-flight.ts";
import { EndedSessions } from "./ended-sessions.ts";

/** About 400 bytes each: at most 40 MB for the callers of a quarter of an hour. */
const CACHED_TOKENS_MAX = 100_000;
/** Access tokens have about 350 characters. A much longer text is refused before it is hashed. */
const TOKEN_LENGTH_MAX = 4096;

const claimsSchema = TypeCompiler.Compile(AccessClaims);

export const invalidToken = () => new DomainError("INVALID_TOKEN", "The access token is invalid or expired");

/** Signs access tokens with one Ed25519 key (design §3 "Credentials"). */
export class TokenIssuer {
  private constructor(
    private readonly key: Awaited<ReturnType<typeof importJWK>>,
    private readonly kid: string,
    private readonly publicJwk: JWK,
    private readonly secret: string,
  ) {}

  /** Generates a private key as a JWK. Every gateway of a cluster needs the same one. */
  static async generateKey(): Promise<JWK> {
    const { privateKey } = await generateKeyPair(TOKEN_ALGORITHM, { extractable: true });
    return exportJWK(privateKey);
  }

  /** @param privateJwk an Ed25519 private key (`kty: "OKP"`, `crv: "Ed25519"`, with `d`) */
  static async create(privateJwk: JWK): Promise<TokenIssuer> {
    const { d = "", ...open } = privateJwk;
    const kid = await calculateJwkThumbprint(open);
    const key = await importJWK(privateJwk, TOKEN_ALGORITHM);
    return new TokenIssuer(key, kid, { ...open, kid, alg: TOKEN_ALGORITHM, use: "sig" }, d);
  }

  /** A secret that every gateway derives alike from another one, and nobody else can. Base64url, of 32 bytes. */
  derive(from: string): string {
    return createHmac("sha256", `refresh token ${this.secret}`).update(from).digest("base64url");
  }

  /** An access token for `Authorization: Bearer`. `expiresIn` in seconds. */
  async issue({ sub, ...claims }: AccessClaims): Promise<{ token: string; expiresIn: number }> {
    const token = await new SignJWT(claims)
      .setProtectedHeader({ alg: TOKEN_ALGORITHM, typ: ACCESS_TOKEN_TYPE, kid: this.kid })
      .setSubject(sub)
      .setIssuer(TOKEN_ISSUER)
      .setAudience(TOKEN_AUDIENCE)
      .setIssuedAt()
      .setExpirationTime(`${ACCESS_TOKEN_SECONDS}s`)
      .sign(this.key);
    return { token, expiresIn: ACCESS_TOKEN_SECONDS };
  }

  /** A token that edges accept for this container only. `expiresIn` in seconds. */
  async issueForContainer({
    sub,
    ...claims
  }: ContainerClaims): Promise<{ token: string; expiresIn: number }> {
    const token = await new SignJWT(claims)
      .setProtectedHeader({ alg: TOKEN_ALGORITHM, typ: CONTAINER_TOKEN_TYPE, kid: this.kid })
      .setSubject(sub)
      .setIssuer(TOKEN_ISSUER)
      .setAudience(CONTAINER_AUDIENCE)
      .setIssuedAt()
      .setExpirationTime(`${CONTAINER_TOKEN_SECONDS}s`)
      .sign(this.key);
    return { token, expiresIn: CONTAINER_TOKEN_SECONDS };
  }

  /** A challenge that any gateway of the cluster can read. It is no credential: its audience and type are its own. */
  signChallenge(claims: object, seconds: number): Promise<string> {
    return new SignJWT({ ...claims })
      .setProtectedHeader({ alg: TOKEN_ALGORITHM, typ: CHALLENGE_TOKEN_TYPE, kid: this.kid })
      .setIssuer(TOKEN_ISSUER)
      .setAudience(CHALLENGE_AUDIENCE)
      .setIssuedAt()
      .setExpirationTime(`${seconds}s`)
      .sign(this.key);
  }

  /** The claims of a challenge; undefined for one that has expired or was not signed here. */
  readChallenge(token: string): Promise<Record<string, unknown> | undefined> {
    if (!isCanonicalToken(token)) return Promise.resolve(undefined);
    return jwtVerify(token, createLocalJWKSet(this.jwks()), {
      algorithms: [TOKEN_ALGORITHM],
      typ: CHALLENGE_TOKEN_TYPE,
      issuer: TOKEN_ISSUER,
      audience: CHALLENGE_AUDIENCE,
      requiredClaims: ["exp"],
    }).then(
      ({ payload }) => payload,
      () => undefined,
    );
  }

  /** The reply of `GET /.well-known/jwks.json`: public keys only. */
  jwks(): JSONWebKeySet {
    return { keys: [this.publicJwk] };
  }
}

/**
 * The caller of a token. A token with an unknown kind of credential is refused; it must not count as an account
 * login.
 */
function toCaller(claims: AccessClaims, endsAtMs: number): Caller {
  const { sub, sid, role, username, cred, act, realm_id } = claims;
  const account = { userId: sub, username, role, sessionId: sid };
  const caller = { ...account, endsAtMs };
  if (cred === "impersonation") {
    const impersonator = act === undefined ? {} : { impersonatorId: act.sub };
    return { ...caller, ...impersonator, credential: cred, permissions: IMPERSONATION_PERMISSIONS };
  }
  if (cred === "realm" && realm_id !== undefined) {
    return { ...caller, credential: cred, permissions: REALM_PERMISSIONS, realmId: realm_id };
  }
  if (cred !== undefined || realm_id !== undefined) throw invalidToken();
  return { ...account, credential: "account" };
}

interface Verified {
  readonly caller: Caller;
  readonly issuedAtMs: number;
  readonly expiresAtMs: number;
  /** When the database last said that the session goes on; 0: never. */
  lookedUpAtMs: number;
}

/**
 * Verifies access tokens and caches the verified ones by their SHA-256: verifying Ed25519 on every request costs six
 * times the rest of a read. A token leaves the cache when it expires or its session ends.
 */
export class TokenVerifier {
  readonly #keys: ReturnType<typeof createLocalJWKSet>;
  readonly #now: () => number;
  readonly #verified = new BoundedMap<string, Verified>(CACHED_TOKENS_MAX);
  readonly #checks = new SingleFlight<string, Caller>();
  readonly #ended: EndedSessions;

  /**
   * @param hasEnded asks the database whether a session has ended
   * @param now milliseconds since the epoch; for tests
   */
  constructor(
    jwks: JSONWebKeySet,
    hasEnded: (sessionId: string) => Promise<boolean>,
    now: () => number = Date.now,
  ) {
    this.#keys = createLocalJWKSet(jwks);
    this.#now = now;
    this.#ended = new EndedSessions(hasEnded, now);
  }

  /** The caller of a token; without waiting if the token is cached. @throws INVALID_TOKEN */
  verify(token: string): Caller | Promise<Caller> {
    if (token.length > TOKEN_LENGTH_MAX) throw invalidToken();
    const hash = Bun.SHA256.hash(token, "base64");
    const known = this.#verified.get(hash);
    if (known === undefined) return this.#checks.run(hash, () => this.#check(token, hash));
    if (this.#isOver(known)) {
      this.#verified.delete(hash);
      throw invalidToken();
    }
    if (this.#mayBeForgotten(known)) return this.#resolveCaller(known);
    return known.caller;
  }

  /** Refuses every token of a session from now on. */
  endSession(sessionId: string): void {
    this.#ended.add(sessionId);
  }

  #mayBeForgotten({ issuedAtMs, lookedUpAtMs }: Verified): boolean {
    return this.#ended.mayHaveForgotten(issuedAtMs, lookedUpAtMs);
  }

  async #resolveCaller(token: Verified): Promise<Caller> {
    const startedAtMs = this.#now();
    if (await this.#ended.hasEnded(token.caller.sessionId)) throw invalidToken();
    token.lookedUpAtMs = startedAtMs;
    // The session may have ended during the lookup.
    if (this.#isOver(token)) throw invalidToken();
    return token.caller;
  }

  async #check(token: string, hash: string): Promise<Caller> {
    const verified = await this.#read(token);
    if (this.#isOver(verified)) throw invalidToken();
    this.#verified.set(hash, verified);
    return this.#mayBeForgotten(verified) ? this.#resolveCaller(verified) : verified.caller;
  }

  async #read(token: string): Promise<Verified> {
    if (!isCanonicalToken(token)) throw invalidToken();
    try {
      const { payload } = await jwtVerify(token, this.#keys, {
        algorithms: [TOKEN_ALGORITHM],
        typ: ACCESS_TOKEN_TYPE,
        issuer: TOKEN_ISSUER,
        audience: TOKEN_AUDIENCE,
        requiredClaims: ["exp", "iat"],
        maxTokenAge: ACCESS_TOKEN_SECONDS,
        clockTolerance: CLOCK_TOLERANCE_SECONDS,
        currentDate: new Date(this.#now()),
      });
      const { iat = 0, exp = 0 } = payload;
      if (!claimsSchema.Check(payload)) throw invalidToken();
      const expiresAtMs = Math.min(exp, iat + ACCESS_TOKEN_SECONDS) * 1000;
      return { caller: toCaller(payload, expiresAtMs), issuedAtMs: iat * 1000, expiresAtMs, lookedUpAtMs: 0 };
    } catch {
      throw invalidToken();
    }
  }

  #isOver(token: Verified): boolean {
    return (
      this.#now() >= token.expiresAtMs + CLOCK_TOLERANCE_SECONDS * 1000 ||
      this.#ended.has(token.caller.sessionId)
    );
  }
}
