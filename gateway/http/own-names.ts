/** The names that a browser on the same machine has for it. */
const LOOPBACK: ReadonlySet<string> = new Set(["localhost", "127.0.0.1", "[::1]"]);

/**
 * An address of this gateway under the name by which the browser came. A gateway that only its own machine reaches has several, and a browser is
 * signed in under one of them alone.
 *
 * @param address of this gateway, or of another program, which stays as it is
 * @param reached an origin: what the browser says, or the address of the request
 */
export function underReachedName(address: string, reached: string | null): string {
  if (reached === null || !URL.canParse(reached)) return address;
  const own = new URL(address);
  const { protocol, port, hostname } = new URL(reached);
  const isSameGateway =
    own.protocol === protocol && own.port === port && LOOPBACK.has(own.hostname) && LOOPBACK.has(hostname);
  if (!isSameGateway) return address;
  own.hostname = hostname;
  return own.href;
}
