import { createHash, randomBytes } from "node:crypto";

/** As many as people are used to; each replaces the second factor once. */
const CODES = 10;
/** 80 bits cannot be guessed, neither here nor from their hashes. */
const CODE_BYTES = 10;
/** Without letters and digits that are mistaken for others (Crockford). */
const ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz";
const GROUP = /.{4}(?=.)/g;

export interface RecoveryCodes {
  readonly codes: string[];
  /** What is stored. The codes are random, so SHA-256 is enough. */
  readonly hashes: string[];
}

/** New codes of four groups of four: `k3f9-x0ta-72mw-b8qd`. */
export function newRecoveryCodes(): RecoveryCodes {
  const codes = Array.from({ length: CODES }, newCode);
  return { codes, hashes: codes.map(recoveryCodeHash) };
}

/** The hash of a code, in any case and with or without its hyphens. */
export const recoveryCodeHash = (code: string): string =>
  createHash("sha256")
    .update(
      code
        .toLowerCase()
        .replace(/[^0-9a-z]/g, "")
        .replace(/[il]/g, "1")
        .replace(/o/g, "0"),
    )
    .digest("hex");

function newCode(): string {
  let bits = BigInt(`0x${randomBytes(CODE_BYTES).toString("hex")}`);
  let code = "";
  for (let place = 0; place < (CODE_BYTES * 8) / 5; place++) {
    code += ALPHABET[Number(bits & 31n)];
    bits >>= 5n;
  }
  return code.replace(GROUP, "$&-");
}
