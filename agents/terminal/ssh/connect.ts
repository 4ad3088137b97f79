import { connect as connectTcp, isIP, type Socket } from "node:net";
import type { Duplex } from "node:stream";
import type { SshTarget } from "../parameters/parse.ts";
import { addressOf, mayReach } from "./hosts.ts";
import type { KnownHosts } from "./known-hosts.ts";

export interface SshOptions {
  readonly knownHosts: KnownHosts;
  /** Whether sessions may connect to this machine's own addresses. */
  readonly reachOwn: boolean;
  /** Connects to a host from where the sessions run, if that is not this machine; access to hosts is decided there. */
  readonly reach?: (host: string, port: number) => Duplex;
  /** How long a host may take to provide a shell, not counting the time in which the user answers questions. */
  readonly answerMsMax?: number;
}

/** A person is waiting, and a host may silently drop packets. */
export const CONNECT_MS_MAX = 15_000;

/**
 * The connection failed. The reason is omitted on purpose: the response must not reveal what listens in the network
 * behind this service.
 */
export class SshError extends Error {
  override readonly name = "SshError";

  constructor(host: string, options?: ErrorOptions) {
    super(
      `No SSH connection to ${host}: it cannot be reached from here, or it does not accept these credentials.`,
      options,
    );
  }
}

/** Opens the connection for SSH: directly to the host, or through a proxy, which then resolves the name. */
export async function openSocket(target: SshTarget, { reachOwn, reach }: SshOptions): Promise<Duplex> {
  const { host, port, proxy } = target;
  if (reach !== undefined) return proxy === null ? reach(host, port) : throughProxy(target, proxy, reach);
  const own = { own: reachOwn };
  if (proxy === null) {
    const address = await addressOf(host, own);
    if (address === null) throw new SshError(host);
    return openTcp(address, port);
  }
  const address = await addressOf(proxy.host, own);
  if (address === null || (isIP(host) !== 0 && !mayReach(host, own))) throw new SshError(host);
  return throughProxy(target, { ...proxy, host: address });
}

/** Does not fall back to a direct connection when the proxy refuses. */
async function throughProxy(
  { host, port }: SshTarget,
  proxy: NonNullable<SshTarget["proxy"]>,
  reach?: NonNullable<SshOptions["reach"]>,
): Promise<Duplex> {
  // Loaded by the first who names a proxy.
  const { SocksClient } = await import("socks");
  const { socket } = await SocksClient.createConnection({
    proxy: {
      host: proxy.host,
      port: proxy.port,
      type: 5,
      ...(proxy.user === null ? {} : { userId: proxy.user, password: proxy.password ?? "" }),
    },
    command: "connect",
    destination: { host, port },
    timeout: CONNECT_MS_MAX,
    ...(reach === undefined ? {} : { existing_socket: reach(proxy.host, proxy.port) as Socket }),
  });
  return socket;
}

function openTcp(address: string, port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connectTcp({ host: address, port });
    const timer = setTimeout(() => socket.destroy(new Error("timed out")), CONNECT_MS_MAX);
    socket.once("connect", () => {
      clearTimeout(timer);
      resolve(socket);
    });
    socket.once("error", (error) => {
      clearTimeout(timer);
      reject(error);
    });
  });
}
