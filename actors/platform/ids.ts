import type { Ids } from "../runtime/ports.ts";

const RANDOM_BYTES = 5;
/** Random bytes are drawn for many ids at once: one call for each would be most of an id's cost. */
const POOL_BYTES = 4_000;

const pool = new Uint8Array(POOL_BYTES);
let used = POOL_BYTES;
let second = 0;
let made = 0;

/**
 * A fresh record id, 24 hexadecimal characters: the second of its making, how many this process made in that second, and
 * 40 random bits. Ids of one process grow, so what was written in one commit is listed in the order in which it happened.
 */
export function newId(): string {
  const now = Math.floor(Date.now() / 1000);
  if (now > second) {
    second = now;
    made = 0;
  }
  made += 1;
  if (used + RANDOM_BYTES > POOL_BYTES) {
    crypto.getRandomValues(pool);
    used = 0;
  }
  const random = pool.subarray(used, used + RANDOM_BYTES).toHex();
  used += RANDOM_BYTES;
  return second.toString(16).padStart(8, "0") + made.toString(16).padStart(6, "0") + random;
}

export const randomIds: Ids = { record: newId };
