import { Duplex } from "node:stream";
import type { ExecTarget } from "../exec/target.ts";

/**
 * Bash connects by itself, so that the container needs no other program. The container's firewall applies to the
 * connection.
 */
const CONNECT = 'exec 3<>"/dev/tcp/$1/$2" || exit 1; cat <&3 & exec cat >&3';

/** Connects from within a machine: in its network, with its name resolution. */
export const reachFrom =
  (target: ExecTarget) =>
  (host: string, port: number): Duplex => {
    const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
    const argv = ["bash", "-c", CONNECT, "bash", host, String(port)];
    const child = target.stream({ user: null, argv }, readable);
    const duplex = Duplex.fromWeb({ readable: child.stdout, writable } as never);
    duplex.once("close", () => child.kill());
    return duplex;
  };
