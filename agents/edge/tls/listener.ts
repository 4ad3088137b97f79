import type { Certificate } from "./certificates.ts";

/** RFC 7301 §3.1: each name has its length before it. */
const protocolList = (...names: readonly string[]): Buffer =>
  Buffer.concat(names.map((name) => Buffer.from([name.length, ...Buffer.from(name, "ascii")])));

/** Suites of TLS 1.2 with forward secrecy and authenticated encryption alone (RFC 9325 §4.2). TLS 1.3 has no others. */
const CIPHERS = [
  "ECDHE-ECDSA-AES128-GCM-SHA256",
  "ECDHE-RSA-AES128-GCM-SHA256",
  "ECDHE-ECDSA-AES256-GCM-SHA384",
  "ECDHE-RSA-AES256-GCM-SHA384",
  "ECDHE-ECDSA-CHACHA20-POLY1305",
  "ECDHE-RSA-CHACHA20-POLY1305",
].join(":");

/** How the edge speaks TLS. A client that offers protocols without HTTP/1.1 is told so at once, instead of at its first bytes. */
export const tlsOptions = ({ key, chain }: Certificate) => ({
  key,
  cert: chain,
  ciphers: CIPHERS,
  ALPNProtocols: protocolList("http/1.1"),
});
