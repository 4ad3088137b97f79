import { TypeCompiler } from "@sinclair/typebox/compiler";
import { errors, type JWTPayload, jwtVerify } from "jose";
import {
  CLOCK_TOLERANCE_SECONDS,
  CONTAINER_AUDIENCE,
  CONTAINER_TOKEN_SECONDS,
  CONTAINER_TOKEN_TYPE,
  ContainerClaims,
  EDGE_SESSION_SECONDS,
  TOKEN_ALGORITHM,
  TOKEN_ISSUER,
} from "../../../schemas/accounts/auth.ts";
import { isCanonicalToken } from "../../../schemas/accounts/canonical-token.ts";
import { BoundedMap } from "../../../system/bounded-map.ts";
import type { ControlPlaneKeys } from "./keys.ts";
import type { Principal } from "./sessions.ts";

/** The content of a container token: a user's access to a container. */
export interface ContainerGrant {
  readonly principal: Principal;
  readonly containerId: string;
  /** The origin of the console; null in a token of a gateway that has none. */
  readonly consoleOrigin: string | null;
  /** The expiry of the token itself; connections opened with it last as long as its principal. */
  readonly expiresAtMs: number;
}

/** Container tokens have fewer than 500 characters. */
const TOKEN_CHARS_MAX = 4096;
/** Verifying an Ed25519 signature takes a hundred times as long as a lookup in the cache. */
const CACHED_MAX = 10_000;

const containerClaims = TypeCompiler.Compile(ContainerClaims);

/** Verifies container tokens of the control plane without asking it. All other tokens are refused. */
export class ContainerTokens {
  readonly #known = new BoundedMap<string, ContainerGrant>(CACHED_MAX);

  constructor(
    private readonly keys: ControlPlaneKeys,
    private readonly now: () => number = Date.now,
  ) {}

  /** Returns at once if the token was checked before. Undefined when the token is not a container token, or has expired. */
  read(token: string): ContainerGrant | undefined | Promise<ContainerGrant | undefined> {
    if (token.length > TOKEN_CHARS_MAX) return undefined;
    const hash = Bun.SHA256.hash(token, "base64");
    const known = this.#known.get(hash);
    if (known === undefined) return this.#check(token, hash);
    if (this.now() < known.expiresAtMs) return known;
    this.#known.delete(hash);
    return undefined;
  }

  async #check(token: string, hash: string): Promise<ContainerGrant | undefined> {
    const grant = await this.#verify(token);
    if (grant === undefined || this.now() >= grant.expiresAtMs) return undefined;
    this.#known.set(hash, grant);
    return grant;
  }

  async #verify(token: string): Promise<ContainerGrant | undefined> {
    if (!isCanonicalToken(token)) return undefined;
    const claims = await this.#payload(token, {
      algorithms: [TOKEN_ALGORITHM],
      issuer: TOKEN_ISSUER,
      typ: CONTAINER_TOKEN_TYPE,
      audience: CONTAINER_AUDIENCE,
      requiredClaims: ["exp", "iat"],
      maxTokenAge: CONTAINER_TOKEN_SECONDS,
      clockTolerance: CLOCK_TOLERANCE_SECONDS,
      currentDate: new Date(this.now()),
    });
    if (!containerClaims.Check(claims)) return undefined;
    const {
      sub,
      sid,
      act,
      container_id,
      session_exp,
      console: consoleOrigin = null,
      iat = 0,
      exp = 0,
    } = claims as ContainerClaims & JWTPayload;
    const limit = iat + EDGE_SESSION_SECONDS;
    return {
      principal: {
        userId: sub,
        sessionId: sid,
        sessionUserId: act?.sub ?? sub,
        issuedAtMs: iat * 1_000,
        expiresAtMs: Math.min(session_exp, limit) * 1_000,
        framedBy: null,
      },
      containerId: container_id,
      consoleOrigin,
      expiresAtMs: Math.min(exp + CLOCK_TOLERANCE_SECONDS, session_exp) * 1_000,
    };
  }

  async #payload(token: string, options: Parameters<typeof jwtVerify>[2]): Promise<JWTPayload | undefined> {
    for (const isLastTry of [false, true]) {
      const keys = this.keys.current;
      try {
        if (keys !== undefined) return (await jwtVerify(token, keys, options)).payload;
      } catch (error) {
        if (!(error instanceof errors.JWKSNoMatchingKey)) return undefined;
      }
      if (!isLastTry) await this.keys.refresh();
    }
    return undefined;
  }
}
