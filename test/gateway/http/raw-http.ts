/** What a server answered to bytes, as they came over the socket. */
export interface RawAnswer {
  /** Of the first answer; 0 where the connection was closed without one. */
  readonly status: number;
  readonly text: string;
}

/** Longer than anything here may take: an answer that is not there by then will not come. */
const ANSWER_WITHIN_MS = 60_000;

/**
 * Sends bytes that no client would send and returns what is answered: `answers` whole responses, or all until the
 * server closes. Throws when neither comes in time.
 */
export function sendRaw(port: number, bytes: string | Uint8Array, answers = 1): Promise<RawAnswer> {
  const { promise, resolve, reject } = Promise.withResolvers<RawAnswer>();
  let unsent = typeof bytes === "string" ? Buffer.from(bytes, "latin1") : Buffer.from(bytes);
  let received = "";
  const answer = () =>
    resolve({ status: Number(/^HTTP\/1\.1 (\d+)/.exec(received)?.[1] ?? 0), text: received });
  const timer = setTimeout(() => reject(new Error(`no answer in time, only: ${received}`)), ANSWER_WITHIN_MS);
  const send = (socket: { write(data: Uint8Array): number }) => {
    unsent = unsent.subarray(Math.max(0, socket.write(unsent)));
  };
  void Bun.connect({
    hostname: "127.0.0.1",
    port,
    socket: {
      open: send,
      drain: send,
      data(socket, chunk) {
        received += chunk.toString("latin1");
        if (wholeAnswers(received) < answers) return;
        answer();
        socket.end();
      },
      close: answer,
      error: (_, error) => reject(error),
    },
  }).catch(reject);
  return promise.finally(() => clearTimeout(timer));
}

function wholeAnswers(text: string): number {
  const head = text.indexOf("\r\n\r\n");
  if (head === -1) return 0;
  const length = Number(/content-length: (\d+)/i.exec(text.slice(0, head))?.[1] ?? 0);
  const end = head + 4 + length;
  return text.length < end ? 0 : 1 + wholeAnswers(text.slice(end));
}
