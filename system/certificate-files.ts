import { createPrivateKey, X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";
import type { Logger } from "pino";
import type { Reconciler } from "./reconciler.ts";

/** A certificate of a TLS listener with its key, in PEM. */
export interface KeyAndChain {
  readonly key: string;
  readonly chain: string;
}

/** A tool that renews certificates replaces the files weeks before their end. */
const INTERVAL_MS = 10_000;

export interface CertificateFilesOptions {
  readonly files: { readonly cert: string; readonly key: string };
  /** The certificate that is in use. */
  readonly current: KeyAndChain;
  /** Uses a new one. */
  readonly replace: (certificate: KeyAndChain) => void;
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
      const read = readKeyAndChain(files);
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
      log.info({ end: endOf(read), ...files }, "new connections get the new certificate");
    },
  };
}

/** When a certificate ends. */
export const endOf = ({ chain }: Pick<KeyAndChain, "chain">): Date =>
  new Date(new X509Certificate(chain).validTo);

/** @throws Error when a file cannot be read */
export const readKeyAndChain = ({ cert, key }: CertificateFilesOptions["files"]): KeyAndChain => ({
  chain: readFileSync(cert, "utf8"),
  key: readFileSync(key, "utf8"),
});

function obstacleTo({ chain, key }: KeyAndChain): string | undefined {
  try {
    const certificate = new X509Certificate(chain);
    if (!certificate.checkPrivateKey(createPrivateKey(key))) return "the key is of another certificate";
    return endOf({ chain }) < new Date() ? "it has ended" : undefined;
  } catch (error) {
    return (error as Error).message;
  }
}
