import type { Ids } from "./runtime/ports.ts";

const TIME_BYTES = 4;
const ID_BYTES = 12;
/** Random bytes are drawn for many ids at once: one call for each would be most of an id's cost. */
const POOL_BYTES = 4096;

const pool = new Uint8Array(POOL_BYTES);
let used = POOL_BYTES;

/**
 * A fresh record id: 24 hexadecimal characters, of which the first eight are the second of its making, so that
 * ids made together lie together in an index, and the others 64 random bits.
 */
export function newId(): string {
  const randomBytes = ID_BYTES - TIME_BYTES;
  if (used + randomBytes > POOL_BYTES) {
    crypto.getRandomValues(pool);
    used = 0;
  }
  const time = Math.floor(Date.now() / 1000).toString(16).padStart(8, "0");
  const random = pool.subarray(used, used + randomBytes).toHex();
  used += randomBytes;
  return time + random;
}

export const randomIds: Ids = { record: newId };
