import { randomBytes } from "node:crypto";
import { BoundedMap } from "../../../system/bounded-map.ts";

/**
 * More pages than anybody has open; beyond that the oldest tokens are removed. Each may hold the screen of an ended
 * session.
 */
export const TOKENS_MAX = 1_000;

/** Single-use tokens for WebSockets. Their values are kept only here, in memory. */
export class Tokens<Value> {
  readonly #held = new BoundedMap<string, { value: Value; expiresAt: number }>(TOKENS_MAX);
  readonly #now: () => number;

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  issue(value: Value, ttlMs: number): string {
    const token = randomBytes(24).toString("base64url");
    this.#held.set(token, { value, expiresAt: this.#now() + ttlMs });
    return token;
  }

  /** Consumes the token and returns its value; undefined when it is unknown, used or expired. */
  redeem(token: string): Value | undefined {
    const held = this.#held.get(token);
    this.#held.delete(token);
    return held !== undefined && held.expiresAt > this.#now() ? held.value : undefined;
  }

  /** Removes tokens that have expired or whose value is no longer useful. */
  removeIf(isUseless: (value: Value) => boolean): void {
    for (const [token, { value, expiresAt }] of this.#held) {
      if (expiresAt <= this.#now() || isUseless(value)) this.#held.delete(token);
    }
  }
}
