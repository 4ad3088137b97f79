/** A host for URLs to an address that one listens on: of all addresses, the loopback interface's. */
export function urlHost(listening: string): string {
  if (listening === "0.0.0.0") return "127.0.0.1";
  if (listening === "::") return "[::1]";
  return listening.includes(":") ? `[${listening}]` : listening;
}
