import { createPrivateKey } from "node:crypto";
import { readFile } from "node:fs/promises";
import type { JWK } from "jose";

/** The key that signs access tokens: an Ed25519 private key, PKCS#8 in PEM. @throws Error when the file is not there, or holds none */
export async function readSigningKey(file: string): Promise<JWK> {
  const key = createPrivateKey(await readFile(file));
  if (key.asymmetricKeyType !== "ed25519") throw new Error(`${file} holds no Ed25519 key`);
  return key.export({ format: "jwk" }) as JWK;
}
