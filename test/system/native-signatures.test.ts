import { expect, test } from "bun:test";
import { createUser, fromPublic, fromSeed } from "@nats-io/jwt";
import { nkeys } from "nats";
import nacl from "tweetnacl";
import "../../system/native-signatures.ts";

/** RFC 8032, section 7.1, test 2: what any Ed25519 makes of this key and message. */
const SEED = Buffer.from("4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb", "hex");
const PUBLIC = "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c";
const SIGNATURE =
  "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00";
const MESSAGE = new Uint8Array([0x72]);

test("keys and signatures are those of the standard", () => {
  const pair = nacl.sign.keyPair.fromSeed(new Uint8Array(SEED));
  expect(Buffer.from(pair.publicKey).toString("hex")).toBe(PUBLIC);
  expect(Buffer.from(pair.secretKey).toString("hex")).toBe(SEED.toString("hex") + PUBLIC);
  expect(Buffer.from(nacl.sign.detached(MESSAGE, pair.secretKey)).toString("hex")).toBe(SIGNATURE);
  expect(() => nacl.sign.keyPair.fromSeed(new Uint8Array(31))).toThrow("bad seed size");
});

test("both libraries of NATS sign the same way, and what they sign is verified as before", () => {
  const user = createUser();
  const ours = fromSeed(user.getSeed());
  const clients = nkeys.fromSeed(user.getSeed());
  expect(clients.getPublicKey()).toBe(ours.getPublicKey());
  const signature = ours.sign(MESSAGE);
  expect(clients.sign(MESSAGE)).toEqual(signature);
  expect(fromPublic(user.getPublicKey()).verify(MESSAGE, signature)).toBe(true);
  expect(fromPublic(createUser().getPublicKey()).verify(MESSAGE, signature)).toBe(false);
});
