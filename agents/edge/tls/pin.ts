import { createHash, X509Certificate } from "node:crypto";
import type { Certificate } from "./certificates.ts";

/**
 * Arguments by which curl trusts this certificate: none where the world trusts it. The local authority is unknown on other machines, so curl
 * is told which key to expect, and accepts that key alone.
 */
export function curlTrust({ chain, authorityFile }: Certificate): string {
  if (authorityFile === null) return "";
  const key = new X509Certificate(chain).publicKey.export({ type: "spki", format: "der" });
  const pin = createHash("sha256").update(key).digest("base64");
  return `-k --pinnedpubkey 'sha256//${pin}'`;
}
