import { randomBytes } from "node:crypto";
import { BoundedMap } from "../../../system/bounded-map.ts";

/** More pages than anybody has open; the oldest give way. Each may hold the screen of a session that has ended. */
export const TOKENS_MAX = 1_000;

/** Tokens that open one WebSocket each. What they stand for is kept here and nowhere else. */
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

  /** What the token stands for, this once; undefined when it is unknown, was used or is too old. */
  redeem(token: string): Value | undefined {
    const held = this.#held.get(token);
    this.#held.delete(token);
    return held !== undefined && held.expiresAt > this.#now() ? held.value : undefined;
  }

  /** Forgets what is too old, or is of no use any more. */
  removeIf(isUseless: (value: Value) => boolean): void {
    for (const [token, { value, expiresAt }] of this.#held) {
      if (expiresAt <= this.#now() || isUseless(value)) this.#held.delete(token);
    }
  }
}
