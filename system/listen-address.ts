/** The host for URLs to a listening address; for the wildcard addresses, that of the loopback interface. */
export function urlHost(listening: string): string {
  if (listening === "0.0.0.0") return "127.0.0.1";
  if (listening === "::") return "[::1]";
  return listening.includes(":") ? `[${listening}]` : listening;
}
