import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Duplex } from "node:stream";
import { readShellScript } from "./shell-script.ts";
import type { ExecTarget } from "./target.ts";

/** A server where programs of a machine run: a port of its loopback interface, or the path of a socket. */
export type LocalServer = { readonly port: number } | { readonly path: string };

export interface RelayOptions {
  /** Who connects; null: the service's own user. */
  readonly user: string | null;
  /** How long to wait for a server that does not listen yet. */
  readonly waitMs?: number;
}

/** Nothing was connected. `lacks-program`: the machine has neither perl nor bash, by which it could be. */
export class RelayError extends Error {
  override readonly name = "RelayError";
  constructor(readonly reason: "refused" | "lacks-program") {
    super(reason === "refused" ? "nobody listens there" : "it has neither perl nor bash to connect with");
  }
}

const SCRIPT = readShellScript(join(import.meta.dir, "relay.sh"));
const PERL = readFileSync(join(import.meta.dir, "relay.pl"), "utf8");
const TRY_MS = 100;
const CONNECTED = "+".charCodeAt(0);
const LACKS_PROGRAM = 4;

/**
 * Connects to a server that listens for programs of its own machine alone, such as one on a container's loopback interface. A
 * program inside of the machine does, so that no path and no address means another thing than there.
 *
 * @throws RelayError
 */
export async function connectInside(
  target: ExecTarget,
  server: LocalServer,
  { user, waitMs = 0 }: RelayOptions,
): Promise<Duplex> {
  const where = "port" in server ? ["tcp", String(server.port)] : ["unix", server.path];
  const argv = ["/bin/sh", "-c", SCRIPT, "relay", ...where, String(Math.ceil(waitMs / TRY_MS)), PERL];
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  const program = target.stream({ user, argv }, readable);
  const reader = program.stdout.getReader();
  const { value: first } = await reader.read();
  if (first?.[0] !== CONNECTED) {
    program.kill();
    throw new RelayError((await program.exited) === LACKS_PROGRAM ? "lacks-program" : "refused");
  }
  return duplexOf(reader, first.subarray(1), writable.getWriter(), () => program.kill());
}

interface Reader {
  read(): Promise<{ readonly value?: Uint8Array | undefined; readonly done: boolean }>;
  cancel(): Promise<void>;
}

function duplexOf(
  reader: Reader,
  first: Uint8Array,
  writer: WritableStreamDefaultWriter<Uint8Array>,
  kill: () => void,
): Duplex {
  const settle = (done: Promise<unknown>, callback: (error?: Error | null) => void) =>
    void done.then(
      () => callback(),
      (error) => callback(error as Error),
    );
  const duplex = new Duplex({
    read() {
      void reader.read().then(
        ({ value, done }) => duplex.push(done ? null : value),
        (error) => duplex.destroy(error as Error),
      );
    },
    write: (bytes: Uint8Array, _encoding, callback) => settle(writer.write(bytes), callback),
    final: (callback) => settle(writer.close(), callback),
    destroy(error, callback) {
      kill();
      void reader.cancel().catch(() => undefined);
      void writer.abort(undefined).catch(() => undefined);
      callback(error);
    },
  });
  if (first.length > 0) duplex.push(first);
  return duplex;
}
