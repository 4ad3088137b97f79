import { Duplex } from "node:stream";
import type { ExecTarget } from "../exec/target.ts";

/** Bash can connect by itself, so that the container needs no program for it; what it connects to is behind the container's firewall. */
const CONNECT = 'exec 3<>"/dev/tcp/$1/$2" || exit 1; cat <&3 & exec cat >&3';

/** Connections from where programs of a machine run: in its network, by its names. */
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
