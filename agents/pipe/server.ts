import type { Socket, SocketHandler, TCPSocketListener } from "bun";
import type { Connection } from "./http/connection.ts";
import { type PipeOptions, PipeService } from "./service.ts";

/** A socket's connection; undefined until it is open, or if it was refused. */
interface SocketData {
  connection?: Connection | undefined;
}

/** Passes on the events of Bun's sockets, which must be opened with `allowHalfOpen`. */
export function socketHandlers(service: PipeService): SocketHandler<SocketData> {
  const gone = (socket: Socket<SocketData>) => {
    const connection = socket.data?.connection;
    if (connection !== undefined) service.disconnect(connection);
  };
  return {
    binaryType: "buffer",
    open(socket) {
      socket.setKeepAlive(true, 60_000);
      socket.data = { connection: service.connect(socket) };
    },
    data: (socket, bytes) => socket.data?.connection?.received(bytes),
    end: (socket) => socket.data?.connection?.receivedEnd(),
    drain: (socket) => socket.data?.connection?.drained(),
    close: gone,
    // A handler threw: the connection is reset, so that the client does not take the response for complete.
    error(socket, error) {
      console.error(error);
      socket.terminate();
      gone(socket);
    },
  };
}

export interface PipeServer {
  readonly service: PipeService;
  readonly port: number;
  stop(): void;
}

/** Listens. @throws Error when the address cannot be used */
export function servePipe({
  hostname,
  port,
  ...options
}: PipeOptions & { readonly hostname: string; readonly port: number }): PipeServer {
  const service = new PipeService(options);
  let listener: TCPSocketListener<SocketData>;
  try {
    listener = Bun.listen<SocketData>({
      hostname,
      port,
      allowHalfOpen: true,
      socket: socketHandlers(service),
    });
  } catch (error) {
    service.close();
    throw error;
  }
  return {
    service,
    port: listener.port,
    stop() {
      listener.stop();
      service.close();
    },
  };
}
