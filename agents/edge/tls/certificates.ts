import "reflect-metadata";
import { webcrypto } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as x509 from "@peculiar/x509";

/** What a TLS listener shows, in PEM. */
export interface Certificate {
  readonly key: string;
  readonly chain: string;
  /** The file of the authority that people may tell their browsers to trust; null when the certificate was given. */
  readonly authorityFile: string | null;
}

const DAY_MS = 24 * 60 * 60 * 1000;
const AUTHORITY_DAYS = 3650;
/** RFC 5280 §4.2.1.10 */
const NAME_CONSTRAINTS = "2.5.29.30";
/** What Apple's clients take at most of an authority that a user has added. */
const LEAF_DAYS = 820;
const RENEW_DAYS = 120;
/** A clock that is a little behind takes it too. */
const BACKDATED_MS = DAY_MS;
const ALGORITHM = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" } as const;

/** A certificate of the operator's. @throws Error when a file can't be read */
export function givenCertificate(certFile: string, keyFile: string): Certificate {
  return { chain: readFileSync(certFile, "utf8"), key: readFileSync(keyFile, "utf8"), authorityFile: null };
}

/**
 * A certificate for all names of a server, by an authority of this host's own. Both are made at the first start and kept; the
 * certificate is renewed long before it ends, at a start. The authority is good for names of that server and for nothing else, so that its
 * key is of no use for other sites to whoever steals it: one that is not so limited, or to another server, is replaced.
 *
 * @param domain `<server>.<container_domain>`
 * @param notice takes a line for the operator
 */
export async function localCertificate(
  folder: string,
  domain: string,
  notice: (line: string) => void = () => undefined,
): Promise<Certificate> {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const authorityFile = join(folder, "ca.pem");
  const files = { key: join(folder, "ca.key"), cert: authorityFile };
  const former = readPair(files);
  const isKept = former !== undefined && isLimitedTo(former.cert, domain);
  if (former !== undefined && !isKept)
    notice(
      `the local authority was good for other names than those of ${domain}, and is replaced: trust ${authorityFile} again`,
    );
  const authority = isKept ? former : await makeAuthority(files, domain);
  const leafFiles = { key: join(folder, "leaf.key"), cert: join(folder, "leaf.pem") };
  const known = readPair(leafFiles);
  const isGood = known !== undefined && (await isFor(known.cert, domain, authority.cert));
  const leaf = isGood ? known : await makeLeaf(leafFiles, domain, authority);
  return { key: leaf.key, chain: leaf.cert + authority.cert, authorityFile };
}

interface Pair {
  readonly key: string;
  readonly cert: string;
}

function readPair({ key, cert }: Pair): Pair | undefined {
  if (!existsSync(key) || !existsSync(cert)) return undefined;
  return { key: readFileSync(key, "utf8"), cert: readFileSync(cert, "utf8") };
}

async function isFor(pem: string, domain: string, authority: string): Promise<boolean> {
  try {
    const cert = new x509.X509Certificate(pem);
    const names = cert.getExtension(x509.SubjectAlternativeNameExtension)?.names.items ?? [];
    const lasts = cert.notAfter.getTime() - Date.now() > RENEW_DAYS * DAY_MS;
    const isSigned = await cert.verify({ publicKey: new x509.X509Certificate(authority).publicKey });
    return lasts && isSigned && names.some(({ value }) => value === `*.${domain}`);
  } catch {
    return false;
  }
}

function isLimitedTo(pem: string, domain: string): boolean {
  try {
    const limits = new x509.X509Certificate(pem).getExtension(NAME_CONSTRAINTS);
    return limits !== null && Buffer.from(limits.value).equals(limitsTo(domain));
  } catch {
    return false;
  }
}

/** DER of name constraints: names of the domain and below it are permitted, and every address is excluded. */
function limitsTo(domain: string): Buffer {
  const permitted = element(0xa0, element(0x30, element(0x82, Buffer.from(domain, "ascii"))));
  const everyAddress = [8, 32].map((bytes) => element(0x30, element(0x87, Buffer.alloc(bytes))));
  return element(0x30, Buffer.concat([permitted, element(0xa1, Buffer.concat(everyAddress))]));
}

function element(tag: number, content: Buffer): Buffer {
  const { length } = content;
  const size =
    length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}

async function makeAuthority(files: Pair, domain: string): Promise<Pair> {
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

async function makeLeaf(files: Pair, domain: string, authority: Pair): Promise<Pair> {
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
