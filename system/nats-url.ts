/** What a URL of NATS says, as options of its client. */
export interface NatsServers {
  /** `host:port` of each server. */
  readonly servers: string[];
  readonly user?: string;
  readonly pass?: string;
  /** The file of a credential. */
  readonly creds?: string;
  /** Whether the connection begins with TLS. */
  readonly tls: boolean;
}

/**
 * Splits `nats://user:pass@a:4222,b:4222`, or `nats://a:4222,b:4222?creds=<file>`. With `tls:` the connections are encrypted.
 *
 * @throws TypeError when a part is no URL of NATS
 */
export function serversOf(url: string): NatsServers {
  const servers: string[] = [];
  let user: string | undefined;
  let pass: string | undefined;
  let creds: string | undefined;
  let tls = false;
  for (const part of url.split(",")) {
    const parsed = new URL(part.includes("://") ? part : `nats://${part}`);
    if (!["nats:", "tls:"].includes(parsed.protocol)) throw new TypeError(`${parsed.protocol} is not NATS`);
    if (parsed.hostname === "") throw new TypeError("a server of NATS has no name");
    servers.push(parsed.port === "" ? `${parsed.host}:4222` : parsed.host);
    if (parsed.protocol === "tls:") tls = true;
    if (parsed.username !== "") user = decodeURIComponent(parsed.username);
    if (parsed.password !== "") pass = decodeURIComponent(parsed.password);
    creds = parsed.searchParams.get("creds") ?? creds;
  }
  return {
    servers,
    tls,
    ...(user === undefined ? {} : { user }),
    ...(pass === undefined ? {} : { pass }),
    ...(creds === undefined ? {} : { creds }),
  };
}

/** The same servers, with the file of a credential. */
export const withCredential = (url: string, file: string): string =>
  `${url.split("?")[0]}?creds=${encodeURIComponent(file)}`;

/** Whether `serversOf` can read it. */
export function isNatsUrl(url: string): boolean {
  try {
    return serversOf(url).servers.length > 0;
  } catch {
    return false;
  }
}
