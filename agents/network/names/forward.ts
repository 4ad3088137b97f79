import { createSocket } from "node:dgram";
import { connect, isIPv6 } from "node:net";
import { frame, readFrames } from "./frames.ts";

/** Passes questions on to name servers of the host, with an id and a port that nobody can guess. */

const PORT = 53;
/** Programs give up after 5 s, and there may be three name servers. */
const ANSWER_MS_MAX = 1_600;
const ID_BYTES = 2;
const RESPONSE_BIT = 0x80;

/** The first answer; null: none came. */
export async function forward(
  query: Buffer,
  upstreams: readonly string[],
  protocol: "tcp" | "udp",
): Promise<Buffer | null> {
  const ask = protocol === "udp" ? askByUdp : askByTcp;
  for (const upstream of upstreams) {
    const id = Buffer.from(crypto.getRandomValues(new Uint8Array(ID_BYTES)));
    const answer = await ask(Buffer.concat([id, query.subarray(ID_BYTES)]), upstream);
    if (answer !== null) return Buffer.concat([query.subarray(0, ID_BYTES), answer.subarray(ID_BYTES)]);
  }
  return null;
}

const isAnswerTo = (query: Buffer, answer: Buffer): boolean =>
  answer.subarray(0, ID_BYTES).equals(query.subarray(0, ID_BYTES)) &&
  ((answer[ID_BYTES] ?? 0) & RESPONSE_BIT) !== 0;

function askByUdp(query: Buffer, upstream: string): Promise<Buffer | null> {
  const { promise, resolve } = Promise.withResolvers<Buffer | null>();
  const socket = createSocket(isIPv6(upstream) ? "udp6" : "udp4");
  const timer = setTimeout(() => resolve(null), ANSWER_MS_MAX);
  socket.on("error", () => resolve(null));
  socket.on("message", (answer, { port }) => {
    if (port === PORT && isAnswerTo(query, answer)) resolve(answer);
  });
  // Connected: the kernel takes packets of this name server alone.
  socket.once("connect", () => socket.send(query, () => undefined));
  socket.connect(PORT, upstream);
  return promise.finally(() => {
    clearTimeout(timer);
    socket.close();
  });
}

function askByTcp(query: Buffer, upstream: string): Promise<Buffer | null> {
  const { promise, resolve } = Promise.withResolvers<Buffer | null>();
  const socket = connect(PORT, upstream);
  const timer = setTimeout(() => resolve(null), ANSWER_MS_MAX);
  socket.on("error", () => resolve(null));
  socket.on("close", () => resolve(null));
  readFrames(socket, (answer) => {
    if (isAnswerTo(query, answer)) resolve(answer);
  });
  socket.write(frame(query));
  return promise.finally(() => {
    clearTimeout(timer);
    socket.destroy();
  });
}
