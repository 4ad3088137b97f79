/** Fields of which a program believes that a proxy before it wrote them, and not the client. */

/** All of it is the proxy's, whatever comes after: new members are made up again and again. */
const FAMILY = "x-forwarded";

/** RFC 7239, and what proxies and content networks write of their own; programs and frameworks read them without being told to. */
const OF_CLIENTS = [
  "forwarded",
  "forwarded-for",
  "x-original-forwarded-for",
  "x-forwarder-for",
  "x-real-ip",
  "x-client-ip",
  "x-cluster-client-ip",
  "x-remote-addr",
  "x-remote-ip",
  "x-originating-ip",
  "x-proxyuser-ip",
  "x-envoy-external-address",
  "x-azure-clientip",
  "x-azure-socketip",
  "x-appengine-user-ip",
  "x-nf-client-connection-ip",
  "x-vercel-forwarded-for",
  "client-ip",
  "true-client-ip",
  "cf-connecting-ip",
  "cf-connecting-ipv6",
  "cf-pseudo-ipv4",
  "do-connecting-ip",
  "fastly-client-ip",
  "fly-client-ip",
  "proxy-client-ip",
  "wl-proxy-client-ip",
];

/** Programs take them for the address that was asked: rules that were held against the path or the Host would be held against another one. */
const OF_ADDRESSES = [
  "x-original-url",
  "x-original-uri",
  "x-original-host",
  "x-rewrite-url",
  "x-host",
  "x-http-host-override",
  "x-script-name",
];

/** Programs take them for a request that came over TLS. */
const OF_SCHEMES = [
  "x-scheme",
  "x-url-scheme",
  "x-original-proto",
  "x-arr-ssl",
  "front-end-https",
  "cf-visitor",
  "cloudfront-forwarded-proto",
];

const NAMED = new Set([...OF_CLIENTS, ...OF_ADDRESSES, ...OF_SCHEMES]);

/** @param name in lower case, with `-` where it may have `_` */
export const isForwardingHeader = (name: string): boolean =>
  name === FAMILY || name.startsWith(`${FAMILY}-`) || NAMED.has(name);
