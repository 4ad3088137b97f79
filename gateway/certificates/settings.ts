import { type Environment, integer } from "../../actors/platform/environment.ts";

/** Where the gateway listens for TLS, and with which certificate. */
export interface TlsSettings {
  readonly port: number;
  /** The operator's own; undefined: those of the ACME authority. */
  readonly files: { readonly cert: string; readonly key: string } | undefined;
}

/** Undefined where a proxy in front has the certificate. @throws Error with one line that names the variable */
export function readTls(env: Environment): TlsSettings | undefined {
  const port = integer(env, "BERTH_TLS_PORT", 0, 0, 65_535);
  const { BERTH_TLS_CERT: cert, BERTH_TLS_KEY: key } = env;
  if (!cert !== !key) throw new Error("BERTH_TLS_CERT and BERTH_TLS_KEY go together");
  if (port === 0) {
    if (cert) throw new Error("BERTH_TLS_CERT needs BERTH_TLS_PORT: the port on which it is used");
    return undefined;
  }
  if (!cert && !env.BERTH_ACME_URL)
    throw new Error("BERTH_TLS_PORT needs BERTH_TLS_CERT with BERTH_TLS_KEY, or BERTH_ACME_URL");
  return { port, files: cert && key ? { cert, key } : undefined };
}
