import { connect as connectTcp, isIP, type Socket } from "node:net";
import type { Duplex } from "node:stream";
import type { SshTarget } from "../parameters/parse.ts";
import { addressOf, mayReach } from "./hosts.ts";
import type { KnownHosts } from "./known-hosts.ts";

export interface SshOptions {
  readonly knownHosts: KnownHosts;
  /** Whether sessions may connect to this machine's own addresses. */
  readonly reachOwn: boolean;
  /** How a host is reached from where sessions run, where that is not this machine: what it may reach is decided there. */
  readonly reach?: (host: string, port: number) => Duplex;
  /** How long a host may take until there is a shell, besides the time in which a person answers questions. */
  readonly answerMsMax?: number;
}

/** A person waits; and a host that swallows packets is not waited for. */
export const CONNECT_MS_MAX = 15_000;

/**
 * No connection. The reason is left out on purpose: the answer must not tell what listens where in the network behind
 * this service.
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

/** The connection that SSH runs on: straight to the host, or through a proxy, which then looks the name up. */
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

/** Never straight to the host when the proxy refuses. */
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
