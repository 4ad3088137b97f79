import { Duplex } from "node:stream";
import type { ExecTarget } from "../exec/target.ts";

/**
 * Bash connects by itself. An image without it has the container's static helpers, among them `nc`. The container's firewall
 * applies to the connection.
 */
const CONNECT = `
if command -v bash >/dev/null; then
  exec bash -c 'exec 3<>"/dev/tcp/$1/$2" || exit 1; cat <&3 & exec cat >&3' bash "$1" "$2"
fi
exec nc "$1" "$2"`;

/** Connects from within a machine: in its network, with its name resolution. */
export const reachFrom =
  (target: ExecTarget) =>
  (host: string, port: number): Duplex => {
    const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
    const argv = ["/bin/sh", "-c", CONNECT, "sh", host, String(port)];
    const child = target.stream({ user: null, argv }, readable);
    const duplex = Duplex.fromWeb({ readable: child.stdout, writable } as never);
    duplex.once("close", () => child.kill());
    return duplex;
  };
