/** Header fields that programs trust, since they expect a proxy to have set them and not the client. */

/** Every field with this prefix is a proxy's; new ones appear all the time. */
const FAMILY = "x-forwarded";

/**
 * RFC 7239, and fields of proxies and content networks for the client's address. Programs and frameworks read them by
 * default.
 */
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

/** Programs take them as the requested address, which would bypass rules on the path or the Host. */
const OF_ADDRESSES = [
  "x-original-url",
  "x-original-uri",
  "x-original-host",
  "x-rewrite-url",
  "x-host",
  "x-http-host-override",
  "x-script-name",
];

/** Programs take them as a sign that the request came over TLS. */
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
