import { createPrivateKey, createPublicKey, sign } from "node:crypto";
// Loaded first, since it takes tweetnacl's functions when it loads.
import "nkeys.js";
import { getEd25519Helper, setEd25519Helper } from "nkeys.js/lib/helper.js";
import nacl from "tweetnacl";

/**
 * Importing this lets the libraries of NATS sign with the runtime's Ed25519 in place of tweetnacl's, which is written in JavaScript: in a program that has
 * just started, and whose code is not compiled yet, a connection took 40 ms for its signature alone. The signatures are the same.
 */

/** What precedes the 32 bytes of a seed in PKCS #8 (RFC 8410, section 7). */
const PKCS8_HEAD = Buffer.from("302e020100300506032b657004220420", "hex");
const KEY_BYTES = 32;

const privateKey = (seed: Uint8Array) =>
  createPrivateKey({ key: Buffer.concat([PKCS8_HEAD, seed]), format: "der", type: "pkcs8" });

/** @throws Error for a seed that has not 32 bytes */
function fromSeed(seed: Uint8Array): nacl.SignKeyPair {
  if (seed.length !== KEY_BYTES) throw new Error("bad seed size");
  const spki = createPublicKey(privateKey(seed)).export({ format: "der", type: "spki" });
  const publicKey = new Uint8Array(spki.subarray(-KEY_BYTES));
  return { publicKey, secretKey: new Uint8Array([...seed, ...publicKey]) };
}

const signDetached = (message: Uint8Array, secretKey: Uint8Array): Uint8Array =>
  new Uint8Array(sign(null, message, privateKey(secretKey.subarray(0, KEY_BYTES))));

nacl.sign.keyPair.fromSeed = fromSeed;
nacl.sign.detached = Object.assign(signDetached, nacl.sign.detached);
setEd25519Helper({ ...getEd25519Helper(), fromSeed, sign: signDetached });
