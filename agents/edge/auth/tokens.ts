import { TypeCompiler } from "@sinclair/typebox/compiler";
import { decodeProtectedHeader, errors, type JWTPayload, jwtVerify } from "jose";
import {
  ACCESS_TOKEN_SECONDS,
  ACCESS_TOKEN_TYPE,
  AccessClaims,
  CLOCK_TOLERANCE_SECONDS,
  CONTAINER_AUDIENCE,
  CONTAINER_TOKEN_SECONDS,
  CONTAINER_TOKEN_TYPE,
  ContainerClaims,
  TOKEN_ALGORITHM,
  TOKEN_AUDIENCE,
  TOKEN_ISSUER,
} from "../../../schemas/accounts/auth.ts";
import type { ControlPlaneKeys } from "./keys.ts";

/** Whom a token stands for, and where. */
export interface Bearer {
  readonly userId: string;
  /** The one container that it is for; null when it is for all of the user's. */
  readonly containerId: string | null;
  /** The one project that it is for. */
  readonly projectId: string | null;
  /** A user's own sign-in: a session that follows from it may outlast it. */
  readonly lasting: boolean;
  readonly expiresAtMs: number;
}

/** Ours are below 500 characters. */
const TOKEN_CHARS_MAX = 4096;
/** Checking an Ed25519 signature takes a hundred times what a look here does. */
const CACHED_MAX = 10_000;

const accessClaims = TypeCompiler.Compile(AccessClaims);
const containerClaims = TypeCompiler.Compile(ContainerClaims);

/** Checks tokens of the control plane without asking it. */
export class EdgeTokens {
  readonly #known = new Map<string, Bearer>();

  constructor(
    private readonly keys: ControlPlaneKeys,
    private readonly now: () => number = Date.now,
  ) {}

  /** At once if the token is known. Undefined when it is none of ours, or over. */
  read(token: string): Bearer | undefined | Promise<Bearer | undefined> {
    if (token.length > TOKEN_CHARS_MAX) return undefined;
    const hash = Bun.SHA256.hash(token, "base64");
    const known = this.#known.get(hash);
    if (known === undefined) return this.#check(token, hash);
    if (this.now() < known.expiresAtMs) return known;
    this.#known.delete(hash);
    return undefined;
  }

  async #check(token: string, hash: string): Promise<Bearer | undefined> {
    const bearer = await this.#verify(token);
    if (bearer === undefined || this.now() >= bearer.expiresAtMs) return undefined;
    this.#known.set(hash, bearer);
    const [oldest] = this.#known.keys();
    if (this.#known.size > CACHED_MAX && oldest !== undefined) this.#known.delete(oldest);
    return bearer;
  }

  async #verify(token: string): Promise<Bearer | undefined> {
    const isForContainer = typeOf(token) === CONTAINER_TOKEN_TYPE;
    const payload = await this.#payload(token, {
      algorithms: [TOKEN_ALGORITHM],
      issuer: TOKEN_ISSUER,
      typ: isForContainer ? CONTAINER_TOKEN_TYPE : ACCESS_TOKEN_TYPE,
      audience: isForContainer ? CONTAINER_AUDIENCE : TOKEN_AUDIENCE,
      requiredClaims: ["exp", "iat"],
      maxTokenAge: isForContainer ? CONTAINER_TOKEN_SECONDS : ACCESS_TOKEN_SECONDS,
      clockTolerance: CLOCK_TOLERANCE_SECONDS,
      currentDate: new Date(this.now()),
    });
    const expiresAtMs = ((payload?.exp ?? 0) + CLOCK_TOLERANCE_SECONDS) * 1_000;
    if (isForContainer) {
      if (!containerClaims.Check(payload)) return undefined;
      const { sub: userId, container_id: containerId, lasting } = payload;
      return { userId, containerId, projectId: null, lasting, expiresAtMs };
    }
    if (!accessClaims.Check(payload)) return undefined;
    const { sub: userId, cred, realm_id } = payload;
    // Bound to a realm without naming it: to nothing.
    if (cred === "realm" && realm_id === undefined) return undefined;
    return {
      userId,
      containerId: null,
      projectId: realm_id ?? null,
      lasting: cred === undefined,
      expiresAtMs,
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
      if (!isLastTry) await this.keys.lookUp();
    }
    return undefined;
  }
}

function typeOf(token: string): string | undefined {
  try {
    return decodeProtectedHeader(token).typ;
  } catch {
    return undefined;
  }
}
