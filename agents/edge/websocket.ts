import { hasOption, type RequestHead } from "../http1/head.ts";
import type { ResponseHead } from "./response-head.ts";

/** 16 bytes in Base64 (RFC 6455 §4.1). */
const KEY = /^[A-Za-z0-9+/]{22}==$/;
const ACCEPTED_BY = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";

/**
 * The key of the requested WebSocket; undefined if the request asks for none. Other upgrades are never forwarded:
 * over h2c, or a WebSocket that only the client believes in, requests would pass unchecked.
 */
export function webSocketKey({ method, minor, headers, framing }: RequestHead): string | undefined {
  if (headers.get("upgrade")?.toLowerCase() !== "websocket") return undefined;
  const [key, ...more] = headers.all("sec-websocket-key");
  const isPlain = method === "GET" && minor === 1 && framing.kind === "none";
  const isOne = key !== undefined && more.length === 0 && KEY.test(key);
  return isPlain && isOne && hasOption(headers.get("connection"), "upgrade") ? key : undefined;
}

/**
 * Whether a response opens the WebSocket with this key, which proves that the target understood the request (RFC 6455
 * §4.1).
 */
export function opensWebSocket({ headers }: ResponseHead, key: string): boolean {
  const accept = new Bun.CryptoHasher("sha1").update(key + ACCEPTED_BY).digest("base64");
  return (
    hasOption(headers.get("connection"), "upgrade") &&
    headers.get("upgrade")?.toLowerCase() === "websocket" &&
    headers.get("sec-websocket-accept") === accept
  );
}
