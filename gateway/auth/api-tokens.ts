import { timingSafeEqual } from "node:crypto";
import type { ActiveToken } from "../../actors/accounts/token/queries.ts";
import type { Caller } from "../../schemas/accounts/auth.ts";
import { API_TOKEN } from "../../schemas/accounts/token.ts";
import { DomainError } from "../../schemas/errors.ts";
import type { AddressOf, Connection } from "../http/client-address.ts";
import { RateLimiter } from "../http/rate-limit.ts";
import { invalidToken } from "./access-tokens.ts";

/** A token is read again after this: an end that no message told of is noticed by then at the latest. */
const REMEMBERED_MS = 60_000;
/** About 600 bytes each. */
const REMEMBERED_MAX = 50_000;
/** Nobody guesses 256 bits; whoever tries must not keep the database busy. */
const WRONG_PER_ADDRESS = { name: "token", limit: 100, windowSeconds: 60 };

type Kind = "api_token" | "basic";

interface CachedToken {
  readonly hash: Buffer;
  readonly callers: Readonly<Record<Kind, Caller>>;
  readonly untilMs: number;
  readonly expiresAtMs: number;
}

/** A read under way. One that the token's end overtook is good for nothing. */
interface Reading {
  readonly token: Promise<CachedToken | undefined>;
  ended: boolean;
}

/** Checks API tokens against the database, and remembers for a while those that are good. */
export class ApiTokens {
  readonly #remembered = new Map<string, CachedToken>();
  readonly #readings = new Map<string, Reading>();
  readonly #wrong: RateLimiter;

  /** @param now milliseconds since the epoch; for tests */
  constructor(
    private readonly read: (id: string) => Promise<ActiveToken | undefined>,
    private readonly addressOf: AddressOf,
    private readonly now: () => number = Date.now,
  ) {
    this.#wrong = new RateLimiter(WRONG_PER_ADDRESS);
  }

  /** The caller that a token stands for, at once if the token is known. @throws INVALID_TOKEN, RATE_LIMITED */
  verify(token: string, kind: Kind, from: Connection): Caller | Promise<Caller> {
    const [, id] = API_TOKEN.exec(token) ?? [];
    if (id === undefined) throw this.#refusal(from);
    const known = this.#remembered.get(id);
    if (known !== undefined && this.now() < known.untilMs) return this.#checked(known, token, kind, from);
    return this.#verify(id, token, kind, from);
  }

  /** The token of this id is good no more. */
  end(id: string): void {
    this.#remembered.delete(id);
    const reading = this.#readings.get(id);
    if (reading !== undefined) reading.ended = true;
  }

  async #verify(id: string, token: string, kind: Kind, from: Connection): Promise<Caller> {
    const address = this.addressOf(from);
    const taken = this.#wrong.tryConsume(address);
    if (!taken.allowed) throw tooMany(taken.retryAfterSeconds);
    this.#wrong.refund(address);
    const known = await this.#recall(id);
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

  /** Reads a token once for all who bring it at the same time. */
  async #recall(id: string): Promise<CachedToken | undefined> {
    let reading = this.#readings.get(id);
    if (reading === undefined) {
      reading = { token: this.read(id).then((token) => this.#toRemembered(id, token)), ended: false };
      this.#readings.set(id, reading);
    }
    try {
      const token = await reading.token;
      if (token === undefined || reading.ended) return undefined;
      this.#cache(id, token);
      return token;
    } finally {
      if (this.#readings.get(id) === reading) this.#readings.delete(id);
    }
  }

  #toRemembered(id: string, token: ActiveToken | undefined): CachedToken | undefined {
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
      untilMs: this.now() + REMEMBERED_MS,
      expiresAtMs: token.expiresAt?.getTime() ?? Number.POSITIVE_INFINITY,
    };
  }

  #cache(id: string, token: CachedToken): void {
    // Those that were read longest ago come first.
    this.#remembered.delete(id);
    for (const [other, { untilMs }] of this.#remembered) {
      if (untilMs > this.now() && this.#remembered.size < REMEMBERED_MAX) break;
      this.#remembered.delete(other);
    }
    this.#remembered.set(id, token);
  }
}

const hashOf = (token: string): Buffer => Buffer.from(Bun.SHA256.hash(token).buffer);

const tooMany = (seconds: number) =>
  new DomainError("RATE_LIMITED", "Too many invalid tokens. Wait before the next one", {
    retry_after_seconds: seconds,
  });
