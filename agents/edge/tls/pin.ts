import { createHash, X509Certificate } from "node:crypto";
import type { Certificate } from "./certificates.ts";

/**
 * The arguments with which curl trusts this certificate: none if it is publicly trusted. Other machines do not know
 * the local authority, so curl gets the expected key and accepts only that key.
 */
export function curlTrust({ chain, authorityFile }: Certificate): string {
  if (authorityFile === null) return "";
  const key = new X509Certificate(chain).publicKey.export({ type: "spki", format: "der" });
  const pin = createHash("sha256").update(key).digest("base64");
  return `-k --pinnedpubkey 'sha256//${pin}'`;
}
