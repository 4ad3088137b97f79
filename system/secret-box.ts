import { createCipheriv, createDecipheriv, createHmac, hkdfSync } from "node:crypto";
import { readFileSync } from "node:fs";

/**
 * Encrypts values that the database stores and that only a host may read, such as secret variables of containers: AES-256-GCM with a
 * key from a file. Whoever has the database without that file learns the length of a value, and whether two versions of it are equal.
 */

const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
/** Before the base64url text of nonce, tag and ciphertext: another method would get another number. */
const PREFIX = "v1.";
/** Old keys are kept until every value was set again; more would be a sign of a wrong file. */
const KEYS_MAX = 8;

interface Key {
  readonly encryption: Uint8Array;
  readonly nonce: Uint8Array;
}

export class SecretBox {
  readonly #keys: readonly [Key, ...Key[]];

  /** @param keys 32 bytes each; the first one encrypts, all decrypt */
  constructor([first, ...others]: readonly [Uint8Array, ...Uint8Array[]]) {
    this.#keys = [derive(first), ...others.map(derive)];
  }

  /**
   * Encrypts a value for one place. The nonce follows from the value and its place, so that a repeated request has the same text as
   * the first one, and is recognised.
   *
   * @param context the place, such as a container's id and a variable's name: the result can be decrypted with the same one only
   */
  seal(value: string, context: string): string {
    const [{ encryption, nonce: nonceKey }] = this.#keys;
    const nonce = createHmac("sha256", nonceKey)
      .update(`${context}\0${value}`)
      .digest()
      .subarray(0, NONCE_BYTES);
    const cipher = createCipheriv("aes-256-gcm", encryption, nonce).setAAD(Buffer.from(context));
    const text = Buffer.concat([cipher.update(value, "utf8"), cipher.final()]);
    return PREFIX + Buffer.concat([nonce, cipher.getAuthTag(), text]).toString("base64url");
  }

  /** The value; null if none of the keys fits, or it was made for another place. */
  open(sealed: string, context: string): string | null {
    return this.#open(sealed, context)?.value ?? null;
  }

  /** Which key opens it: 0 is the one that encrypts, others are older; null if none does. */
  keyOf(sealed: string, context: string): number | null {
    return this.#open(sealed, context)?.key ?? null;
  }

  #open(sealed: string, context: string): { value: string; key: number } | null {
    if (!sealed.startsWith(PREFIX)) return null;
    const bytes = Buffer.from(sealed.slice(PREFIX.length), "base64url");
    if (bytes.length < NONCE_BYTES + TAG_BYTES) return null;
    for (const [key, { encryption }] of this.#keys.entries()) {
      try {
        const decipher = createDecipheriv("aes-256-gcm", encryption, bytes.subarray(0, NONCE_BYTES))
          .setAAD(Buffer.from(context))
          .setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
        const text = decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES));
        return { value: Buffer.concat([text, decipher.final()]).toString("utf8"), key };
      } catch {
        // Another key may fit.
      }
    }
    return null;
  }
}

/** Two keys for two purposes, from one. */
function derive(key: Uint8Array): Key {
  const of = (purpose: string) => new Uint8Array(hkdfSync("sha256", key, "", `berth ${purpose}`, KEY_BYTES));
  return { encryption: of("encryption"), nonce: of("nonce") };
}

/**
 * Reads the keys of a file: 32 bytes in base64 each, one a line.
 *
 * @throws Error with one line for the operator
 */
export function readSecretBox(file: string): SecretBox {
  const lines = readFileSync(file, "utf8")
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
  const keys = lines.map((line) => Buffer.from(line, "base64"));
  const [first, ...others] = keys;
  if (first === undefined || keys.length > KEYS_MAX || keys.some((key) => key.length !== KEY_BYTES))
    throw new Error(`${file} must hold 1 to ${KEYS_MAX} keys of ${KEY_BYTES} bytes in base64, one a line`);
  return new SecretBox([first, ...others]);
}
