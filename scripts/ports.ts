import { connect } from "node:net";
import { portObstacle } from "../system/port-obstacle.ts";
import { SetupError } from "./setup-error.ts";

/** With more Berths than this on one machine, something else is wrong. */
const PORTS_TRIED_MAX = 50;

/** Below the ports that the kernel gives to outgoing connections: one of those may be taken by a connection of any program before its server listens. */
const FREE_PORT_MIN = 21_100;
const FREE_PORT_MAX = 32_767;

/**
 * A TCP port of the loopback interface that is free now. No other process that asks gets the same one while this
 * process lives: its server may start much later.
 */
export async function freePort(): Promise<number> {
  for (let tries = 0; tries < PORTS_TRIED_MAX; tries++) {
    const port = FREE_PORT_MIN + Math.floor(Math.random() * (FREE_PORT_MAX - FREE_PORT_MIN + 1));
    if (claimPort(port) && (await portObstacle(port, "127.0.0.1")) === undefined) return port;
  }
  throw new SetupError(`ports ${FREE_PORT_MIN} to ${FREE_PORT_MAX} are nearly all in use`);
}

/**
 * Claims a port for this process until it ends: the claim is a socket without a file, which only Linux has. Elsewhere
 * chance alone keeps those who ask apart. False when another process has the port.
 */
function claimPort(port: number): boolean {
  if (process.platform !== "linux") return true;
  try {
    Bun.listen({ unix: `\0berth-port-${port}`, socket: { data: () => undefined } }).unref();
    return true;
  } catch {
    return false;
  }
}

/**
 * Starts a server on the first port of the loopback interface from `from` on that is free: the same port at most
 * starts. Another process may take the port between the check and the start; then the next port is tried.
 *
 * @throws what `start` throws when the port was not the reason
 */
export async function startOnFreePort<T>(
  from: number,
  start: (port: number) => Promise<T>,
): Promise<{ port: number; server: T }> {
  for (let port = from; port < from + PORTS_TRIED_MAX; port++) {
    if ((await portObstacle(port, "127.0.0.1")) !== undefined) continue;
    try {
      return { port, server: await start(port) };
    } catch (error) {
      if ((await portObstacle(port, "127.0.0.1")) === undefined) throw error;
    }
  }
  throw new SetupError(`ports ${from} to ${from + PORTS_TRIED_MAX - 1} are all in use`);
}

/** The first port of the loopback interface from `from` on that is free now. */
export async function firstFreePort(from: number): Promise<number> {
  for (let port = from; port < from + PORTS_TRIED_MAX; port++) {
    if ((await portObstacle(port, "127.0.0.1")) === undefined) return port;
  }
  throw new SetupError(`ports ${from} to ${from + PORTS_TRIED_MAX - 1} are all in use`);
}

/** The first bytes that a server on the loopback interface sends; undefined when there is none. */
export function greeting(port: number, limitMs: number): Promise<string | undefined> {
  return new Promise((resolve) => {
    const socket = connect({ host: "127.0.0.1", port });
    const finish = (text: string | undefined) => {
      socket.destroy();
      resolve(text);
    };
    socket.setTimeout(limitMs, () => finish(undefined));
    socket.once("error", () => finish(undefined));
    socket.once("close", () => finish(undefined));
    socket.once("data", (bytes) => finish(bytes.toString("latin1")));
  });
}
