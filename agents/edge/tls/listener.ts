import type { Certificate } from "./certificates.ts";

/** Encodes ALPN protocol names (RFC 7301 §3.1): each with its length in front. */
const protocolList = (...names: readonly string[]): Buffer =>
  Buffer.concat(names.map((name) => Buffer.from([name.length, ...Buffer.from(name, "ascii")])));

/** The suites of TLS 1.2 with forward secrecy and authenticated encryption (RFC 9325 §4.2). TLS 1.3 has no others. */
const CIPHERS = [
  "ECDHE-ECDSA-AES128-GCM-SHA256",
  "ECDHE-RSA-AES128-GCM-SHA256",
  "ECDHE-ECDSA-AES256-GCM-SHA384",
  "ECDHE-RSA-AES256-GCM-SHA384",
  "ECDHE-ECDSA-CHACHA20-POLY1305",
  "ECDHE-RSA-CHACHA20-POLY1305",
].join(":");

/** The TLS options of the edge. A client whose ALPN protocols lack HTTP/1.1 is refused in the handshake. */
export const tlsOptions = ({ key, chain }: Certificate) => ({
  key,
  cert: chain,
  ciphers: CIPHERS,
  ALPNProtocols: protocolList("http/1.1"),
});
