import type { Ids } from "../runtime/ports.ts";

const RANDOM_BYTES = 5;
/** Random bytes for many ids are drawn at once: a call for each id would be most of its cost. */
const POOL_BYTES = 4_000;

const pool = new Uint8Array(POOL_BYTES);
let used = POOL_BYTES;
let second = 0;
let made = 0;

/**
 * Makes a record id of 24 hexadecimal characters: the present second, a counter of this process, and 40 random bits.
 * Ids of one process grow, so records of one commit are listed in the order in which they were made.
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
