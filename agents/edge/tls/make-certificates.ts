import "reflect-metadata";
import { webcrypto } from "node:crypto";
import { writeFileSync } from "node:fs";
import * as x509 from "@peculiar/x509";
import { limitsTo, NAME_CONSTRAINTS } from "./name-constraints.ts";

/**
 * Makes certificates. A module of its own, for the library takes a tenth of a second to load and an agent makes certificates only at its
 * first start.
 */

const DAY_MS = 24 * 60 * 60 * 1000;
const AUTHORITY_DAYS = 3650;
/** What Apple's clients take at most of an authority that a user has added. */
const LEAF_DAYS = 820;
/** A clock that is a little behind takes it too. */
const BACKDATED_MS = DAY_MS;
const ALGORITHM = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" } as const;

/** A key and its certificate, in PEM; or the files of them. */
export interface Pair {
  readonly key: string;
  readonly cert: string;
}

/** An authority for names of the domain and below it, written to files. */
export async function makeAuthority(files: Pair, domain: string): Promise<Pair> {
  const keys = await newKeys();
  const cert = await x509.X509CertificateGenerator.createSelfSigned({
    serialNumber: serial(),
    name: "CN=Berth local authority",
    ...validFor(AUTHORITY_DAYS),
    keys,
    signingAlgorithm: ALGORITHM,
    extensions: [
      new x509.BasicConstraintsExtension(true, 0, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.cRLSign, true),
      // Neither mail nor programs.
      new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.serverAuth]),
      new x509.Extension(NAME_CONSTRAINTS, true, limitsTo(domain)),
      await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  });
  return write(files, keys, cert);
}

/** A certificate of the authority for all names of the domain, written to files. */
export async function makeLeaf(files: Pair, domain: string, authority: Pair): Promise<Pair> {
  const keys = await newKeys();
  const issuer = new x509.X509Certificate(authority.cert);
  const signingKey = await importKey(authority.key);
  const cert = await x509.X509CertificateGenerator.create({
    serialNumber: serial(),
    subject: "CN=Berth edge",
    issuer: issuer.subject,
    ...validFor(LEAF_DAYS),
    publicKey: keys.publicKey,
    signingKey,
    signingAlgorithm: ALGORITHM,
    extensions: [
      new x509.BasicConstraintsExtension(false, undefined, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
      new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.serverAuth]),
      new x509.SubjectAlternativeNameExtension([
        { type: "dns", value: `*.${domain}` },
        { type: "dns", value: domain },
      ]),
      await x509.AuthorityKeyIdentifierExtension.create(issuer.publicKey),
    ],
  });
  return write(files, keys, cert);
}

const newKeys = () =>
  webcrypto.subtle.generateKey(ALGORITHM, true, ["sign", "verify"]) as Promise<CryptoKeyPair>;

const importKey = (pem: string) =>
  webcrypto.subtle.importKey("pkcs8", x509.PemConverter.decodeFirst(pem), ALGORITHM, false, [
    "sign",
  ]) as Promise<CryptoKey>;

const serial = () =>
  Buffer.from(crypto.getRandomValues(new Uint8Array(16)))
    .toString("hex")
    .replace(/^[89a-f]/, "7");

const validFor = (days: number) => ({
  notBefore: new Date(Date.now() - BACKDATED_MS),
  notAfter: new Date(Date.now() + days * DAY_MS),
});

async function write(files: Pair, keys: CryptoKeyPair, cert: x509.X509Certificate): Promise<Pair> {
  const pkcs8 = await webcrypto.subtle.exportKey("pkcs8", keys.privateKey);
  const pair = {
    key: `${x509.PemConverter.encode(pkcs8, "PRIVATE KEY")}\n`,
    cert: `${cert.toString("pem")}\n`,
  };
  writeFileSync(files.key, pair.key, { mode: 0o600 });
  writeFileSync(files.cert, pair.cert, { mode: 0o644 });
  return pair;
}
