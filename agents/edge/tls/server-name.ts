import type { SocketHandler } from "bun";
import type { IssuedCertificates, TlsContext } from "./issued-certificates.ts";

/** A socket in its TLS handshake. */
interface HandshakeSocket {
  /** Goes on with a handshake that waits; undefined: with the listener's own certificate. */
  resumeSNI(context: TlsContext | undefined): void;
}

/**
 * Chooses the certificate of a handshake by the name that the client asks for. A name whose certificate is on its way waits for it.
 *
 * The handler is what Bun's own `node:tls` passes to its sockets for `SNICallback`; the types of `Bun.listen` do not have it. It returns a
 * context, undefined for the listener's own, or true to go on later.
 */
export function serverNameHandler(
  issued: Pick<IssuedCertificates, "contextOf" | "await"> | undefined,
): Partial<SocketHandler<never>> {
  if (issued === undefined) return {};
  const serverName = (
    _data: unknown,
    asked: string,
    socket: HandshakeSocket,
  ): TlsContext | true | undefined => {
    const name = asked.toLowerCase();
    const context = issued.contextOf(name);
    if (context !== undefined) return context;
    const waiting = issued.await(name);
    if (waiting === undefined) return undefined;
    void waiting.then(
      (found) => resume(socket, found),
      () => resume(socket, undefined),
    );
    return true;
  };
  return { serverName } as Partial<SocketHandler<never>>;
}

/** The client may have left meanwhile. */
function resume(socket: HandshakeSocket, context: TlsContext | undefined): void {
  try {
    socket.resumeSNI(context);
  } catch {
    // Its close is handled where all connections' are.
  }
}
