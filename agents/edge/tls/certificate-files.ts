import { createPrivateKey, X509Certificate } from "node:crypto";
import type { Logger } from "pino";
import type { Reconciler } from "../../../system/reconciler.ts";
import { type Certificate, givenCertificate } from "./certificates.ts";

/** A tool that renews certificates replaces the files weeks before their end. */
const INTERVAL_MS = 10_000;

export interface CertificateFilesOptions {
  readonly files: { readonly cert: string; readonly key: string };
  /** The certificate that is in use. */
  readonly current: Certificate;
  /** Uses a new one. */
  readonly replace: (certificate: Certificate) => void;
  readonly log: Logger;
}

/**
 * Reads the operator's certificate again when its files have changed. Files that do not fit together, as between the
 * replacement of the one and the other, change nothing.
 */
export function certificateFiles({ files, current, replace, log }: CertificateFilesOptions): Reconciler {
  let used = current;
  let refused = "";
  return {
    name: "certificate-files",
    intervalMs: INTERVAL_MS,
    startsLater: true,
    reconcile() {
      const read = givenCertificate(files.cert, files.key);
      if (read.chain === used.chain && read.key === used.key) return;
      const obstacle = obstacleTo(read);
      if (obstacle !== undefined) {
        if (refused !== obstacle) log.warn({ obstacle, ...files }, "the new certificate cannot be used");
        refused = obstacle;
        return;
      }
      replace(read);
      used = read;
      refused = "";
      log.info({ end: endOf(read), ...files }, "the edge has a new certificate");
    },
  };
}

/** When a certificate ends. */
export const endOf = ({ chain }: Certificate): Date => new Date(new X509Certificate(chain).validTo);

function obstacleTo({ chain, key }: Certificate): string | undefined {
  try {
    const certificate = new X509Certificate(chain);
    if (!certificate.checkPrivateKey(createPrivateKey(key))) return "the key is of another certificate";
    return endOf({ chain, key, authorityFile: null }) < new Date() ? "it has ended" : undefined;
  } catch (error) {
    return (error as Error).message;
  }
}
