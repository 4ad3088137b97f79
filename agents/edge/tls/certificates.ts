import { X509Certificate } from "node:crypto";
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type KeyAndChain, readKeyAndChain } from "../../../system/certificate-files.ts";
import type { Pair } from "./make-certificates.ts";
import { extensionWith, limitsTo } from "./name-constraints.ts";

/** The certificate of the edge. */
export interface Certificate extends KeyAndChain {
  /** The file of the authority that people may tell their browsers to trust; null when the certificate was given. */
  readonly authorityFile: string | null;
}

const DAY_MS = 24 * 60 * 60 * 1000;
const RENEW_DAYS = 120;

/** Loaded when something is to be made: what was made before is checked without it. */
const maker = () => import("./make-certificates.ts");

/** Reads the operator's certificate. @throws Error when a file cannot be read */
export const givenCertificate = (cert: string, key: string): Certificate =>
  trusted(readKeyAndChain({ cert, key }));

/** A certificate that clients trust without being told. */
export const trusted = (certificate: KeyAndChain): Certificate => ({ ...certificate, authorityFile: null });

/**
 * A certificate for all names of a server, from a local authority. Both are made at the first start and stored; a
 * start renews the certificate long before its end. The authority is limited to names of that server, so that a
 * stolen key cannot be used for other sites. An authority without that limit, or for another server, is replaced.
 *
 * @param domain `<server>.<container_domain>`
 * @param notice receives a line for the operator
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
  const authority = isKept ? former : await (await maker()).makeAuthority(files, domain);
  const leafFiles = { key: join(folder, "leaf.key"), cert: join(folder, "leaf.pem") };
  const known = readPair(leafFiles);
  const isGood = known !== undefined && isFor(known.cert, domain, authority.cert);
  const leaf = isGood ? known : await (await maker()).makeLeaf(leafFiles, domain, authority);
  return { key: leaf.key, chain: leaf.cert + authority.cert, authorityFile };
}

function readPair({ key, cert }: Pair): Pair | undefined {
  if (!existsSync(key) || !existsSync(cert)) return undefined;
  return { key: readFileSync(key, "utf8"), cert: readFileSync(cert, "utf8") };
}

function isFor(pem: string, domain: string, authority: string): boolean {
  try {
    const cert = new X509Certificate(pem);
    const lasts = cert.validToDate.getTime() - Date.now() > RENEW_DAYS * DAY_MS;
    const names = cert.subjectAltName?.split(", ") ?? [];
    return (
      lasts && cert.verify(new X509Certificate(authority).publicKey) && names.includes(`DNS:*.${domain}`)
    );
  } catch {
    return false;
  }
}

function isLimitedTo(pem: string, domain: string): boolean {
  try {
    return new X509Certificate(pem).raw.includes(extensionWith(limitsTo(domain)));
  } catch {
    return false;
  }
}
