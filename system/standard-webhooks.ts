import { createHmac, timingSafeEqual } from "node:crypto";

/**
 * Standard Webhooks over the raw bytes. (The `standardwebhooks` library converts them to text first, so that one
 * signature can match two bodies; the tests sign with it.)
 */

const TOLERANCE_SECONDS = 300;
const PREFIX = "whsec_";
const TIMESTAMP = /^[1-9][0-9]{0,11}$/;
/** A sender that rotates its secrets sends two signatures. */
const SIGNATURES_MAX = 8;
const KEY_BYTES_MIN = 16;

/**
 * The key of a secret such as `whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw`. @throws Error for another form, or a short
 * key
 */
export function keyOf(secret: string): Buffer {
  const base64 = secret.startsWith(PREFIX) ? secret.slice(PREFIX.length) : secret;
  const key = Buffer.from(base64, "base64");
  const isBase64 = /^[A-Za-z0-9+/]+={0,2}$/.test(base64);
  if (isBase64 && key.length >= KEY_BYTES_MIN) return key;
  throw new Error(`a secret is ${PREFIX} and ${KEY_BYTES_MIN} bytes or more in base64`);
}

const signature = (key: Buffer, id: string, timestamp: string, body: Uint8Array | string): Buffer =>
  createHmac("sha256", key).update(`${id}.${timestamp}.`).update(body).digest();

/** The headers of a message that is signed now, with each of the secrets: a receiver has one of them while they are rotated. */
export function signedHeaders(secrets: readonly string[], id: string, body: string): Record<string, string> {
  const timestamp = String(Math.floor(Date.now() / 1000));
  const signatures = secrets.map(
    (secret) => `v1,${signature(keyOf(secret), id, timestamp, body).toString("base64")}`,
  );
  return {
    "webhook-id": id,
    "webhook-timestamp": timestamp,
    "webhook-signature": signatures.join(" "),
  };
}

/** The id of a message that was signed with one of the secrets within the last minutes; else undefined. */
export function verifiedId(
  body: Uint8Array,
  headers: Headers,
  secrets: readonly string[],
): string | undefined {
  const id = headers.get("webhook-id") ?? "";
  const timestamp = headers.get("webhook-timestamp") ?? "";
  if (id === "" || !TIMESTAMP.test(timestamp)) return undefined;
  if (Math.abs(Date.now() / 1000 - Number(timestamp)) > TOLERANCE_SECONDS) return undefined;
  const given = (headers.get("webhook-signature") ?? "")
    .split(" ", SIGNATURES_MAX)
    .filter((one) => one.startsWith("v1,"))
    .map((one) => Buffer.from(one.slice("v1,".length), "base64"));
  const isSigned = secrets.some((secret) => {
    const due = signature(keyOf(secret), id, timestamp, body);
    return given.some((one) => one.length === due.length && timingSafeEqual(one, due));
  });
  return isSigned ? id : undefined;
}
