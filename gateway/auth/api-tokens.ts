import { timingSafeEqual } from "node:crypto";
import type { ActiveToken } from "../../actors/accounts/token/queries.ts";
import type { Caller } from "../../schemas/accounts/auth.ts";
import { API_TOKEN } from "../../schemas/accounts/token.ts";
import { DomainError } from "../../schemas/errors.ts";
import type { AddressOf, Connection } from "../http/client-address.ts";
import { RateLimiter } from "../http/rate-limit.ts";
import { invalidToken } from "./access-tokens.ts";

/**
 * How long a token is cached. A deletion of which this gateway got no message takes effect after that at the latest.
 */
const CACHED_MS = 60_000;
/** About 600 bytes each. */
const CACHED_MAX = 50_000;
/** 256 bits cannot be guessed; the limit keeps attempts from loading the database. */
const WRONG_PER_ADDRESS = { name: "token", limit: 100, windowSeconds: 60 };

type Kind = "api_token" | "basic";

interface CachedToken {
  readonly hash: Buffer;
  readonly callers: Readonly<Record<Kind, Caller>>;
  readonly untilMs: number;
  readonly expiresAtMs: number;
}

/** A read of a token in progress. Its result is discarded when the token ends meanwhile. */
interface Reading {
  readonly token: Promise<CachedToken | undefined>;
  ended: boolean;
}

/** Verifies API tokens against the database, and caches valid ones for a while. */
export class ApiTokens {
  readonly #cache = new Map<string, CachedToken>();
  readonly #reads = new Map<string, Reading>();
  readonly #wrong: RateLimiter;

  /** @param now milliseconds since the epoch; for tests */
  constructor(
    private readonly read: (id: string) => Promise<ActiveToken | undefined>,
    private readonly addressOf: AddressOf,
    private readonly now: () => number = Date.now,
  ) {
    this.#wrong = new RateLimiter(WRONG_PER_ADDRESS);
  }

  /** The caller of a token; without waiting if the token is cached. @throws INVALID_TOKEN, RATE_LIMITED */
  verify(token: string, kind: Kind, from: Connection): Caller | Promise<Caller> {
    const [, id] = API_TOKEN.exec(token) ?? [];
    if (id === undefined) throw this.#refusal(from);
    const known = this.#cache.get(id);
    if (known !== undefined && this.now() < known.untilMs) return this.#checked(known, token, kind, from);
    return this.#verify(id, token, kind, from);
  }

  /** Refuses the token of this id from now on. */
  end(id: string): void {
    this.#cache.delete(id);
    const reading = this.#reads.get(id);
    if (reading !== undefined) reading.ended = true;
  }

  async #verify(id: string, token: string, kind: Kind, from: Connection): Promise<Caller> {
    const address = this.addressOf(from);
    const taken = this.#wrong.tryConsume(address);
    if (!taken.allowed) throw tooMany(taken.retryAfterSeconds);
    this.#wrong.refund(address);
    const known = await this.#read(id);
    if (known === undefined) throw this.#refusal(from);
    return this.#checked(known, token, kind, from);
  }

  #checked(known: CachedToken, token: string, kind: Kind, from: Connection): Caller {
    if (this.now() >= known.expiresAtMs || !timingSafeEqual(hashOf(token), known.hash)) {
      throw this.#refusal(from);
    }
    return known.callers[kind];
  }

  #refusal(from: Connection): DomainError {
    const taken = this.#wrong.tryConsume(this.addressOf(from));
    return taken.allowed ? invalidToken() : tooMany(taken.retryAfterSeconds);
  }

  /** Reads a token once for all requests that present it at the same time. */
  async #read(id: string): Promise<CachedToken | undefined> {
    let reading = this.#reads.get(id);
    if (reading === undefined) {
      reading = { token: this.read(id).then((token) => this.#toCachedToken(id, token)), ended: false };
      this.#reads.set(id, reading);
    }
    try {
      const token = await reading.token;
      if (token === undefined || reading.ended) return undefined;
      this.#addToCache(id, token);
      return token;
    } finally {
      if (this.#reads.get(id) === reading) this.#reads.delete(id);
    }
  }

  #toCachedToken(id: string, token: ActiveToken | undefined): CachedToken | undefined {
    if (token === undefined) return undefined;
    const { userId, username, role, permissions, realmId } = token;
    const caller = {
      userId,
      username,
      role,
      sessionId: id,
      permissions,
      ...(realmId === null ? {} : { realmId }),
      ...(token.expiresAt === null ? {} : { endsAtMs: token.expiresAt.getTime() }),
    };
    return {
      hash: Buffer.from(token.hash, "hex"),
      callers: {
        api_token: { ...caller, credential: "api_token" },
        basic: { ...caller, credential: "basic" },
      },
      untilMs: this.now() + CACHED_MS,
      expiresAtMs: token.expiresAt?.getTime() ?? Number.POSITIVE_INFINITY,
    };
  }

  #addToCache(id: string, token: CachedToken): void {
    // The map's order is that of the reads, oldest first.
    this.#cache.delete(id);
    for (const [other, { untilMs }] of this.#cache) {
      if (untilMs > this.now() && this.#cache.size < CACHED_MAX) break;
      this.#cache.delete(other);
    }
    this.#cache.set(id, token);
  }
}

const hashOf = (token: string): Buffer => Buffer.from(Bun.SHA256.hash(token).buffer);

const tooMany = (seconds: number) =>
  new DomainError("RATE_LIMITED", "Too many invalid tokens. Wait before the next one", {
    retry_after_seconds: seconds,
  });
