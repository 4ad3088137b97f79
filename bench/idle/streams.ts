/** Connections that each have sent one request and got the beginning of its answer, and then stay open. */
export interface Streams {
  close(): void;
}

/** So many are being opened at a time: more overflow the queue of a listening socket. */
const OPENING_MAX = 64;

/**
 * @param requests one for each connection
 * @throws Error when one is answered by anything but 200
 */
export async function openStreams(port: number, requests: readonly string[]): Promise<Streams> {
  const sockets: { end(): void }[] = [];
  let next = 0;
  const openSome = async () => {
    for (let at = next++; at < requests.length; at = next++)
      sockets.push(await openOne(port, requests[at] ?? ""));
  };
  await Promise.all(Array.from({ length: OPENING_MAX }, openSome));
  return {
    close() {
      for (const socket of sockets) socket.end();
    },
  };
}

async function openOne(port: number, request: string): Promise<{ end(): void }> {
  const answered = Promise.withResolvers<void>();
  const socket = await Bun.connect({
    hostname: "127.0.0.1",
    port,
    socket: {
      open: (opened) => void opened.write(request),
      data(_, bytes) {
        if (bytes.indexOf("HTTP/1.1 200 ") === 0) answered.resolve();
        else answered.reject(new Error(`the answer is ${bytes.toString("latin1").split("\r\n", 1)[0]}`));
      },
      close: () => answered.reject(new Error("the connection was ended")),
      error: (_, error) => answered.reject(error),
    },
  });
  await answered.promise;
  return socket;
}
