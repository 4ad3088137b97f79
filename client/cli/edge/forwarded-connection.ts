import type { Socket } from "node:net";

/** What the host may have sent before it hears that it was taken; and what is sent to it before it says so. */
const WINDOW_BYTES = 1 << 20;
const DONE = 1000;

type Message =
  | { readonly type: "open" }
  | { readonly type: "end" }
  | { readonly type: "ack"; readonly bytes: number };

/**
 * Passes the bytes of one connection through a WebSocket to a port of a container, until both directions have ended.
 *
 * @returns why it broke; null after a clean end
 */
export function passThrough(local: Socket, remote: WebSocket): Promise<string | null> {
  const { promise, resolve } = Promise.withResolvers<string | null>();
  let [sent, acked, taken] = [0, 0, 0];
  const say = (message: Message) => remote.send(JSON.stringify(message));
  const isOpen = () => remote.readyState === WebSocket.OPEN;
  remote.binaryType = "arraybuffer";
  local.pause();
  local.on("data", (bytes: Uint8Array) => {
    if (!isOpen()) return;
    remote.send(bytes);
    sent += bytes.length;
    if (sent - acked >= WINDOW_BYTES) local.pause();
  });
  local.on("end", () => isOpen() && say({ type: "end" }));
  local.on("error", () => remote.close());
  local.on("close", () => remote.close());
  remote.onmessage = ({ data }) => {
    if (typeof data !== "string") {
      local.write(new Uint8Array(data), () => {
        taken += data.byteLength;
        if (isOpen()) say({ type: "ack", bytes: taken });
      });
      return;
    }
    const message = JSON.parse(data) as Message;
    if (message.type === "end") local.end();
    if (message.type === "ack") acked = message.bytes;
    if (message.type !== "end" && sent - acked < WINDOW_BYTES) local.resume();
  };
  remote.onclose = ({ code, reason }) => {
    const wasEnded = local.destroyed;
    // What has arrived is still written; a broken connection must not look like an end.
    if (code === DONE) local.end();
    else local.resetAndDestroy();
    resolve(wasEnded ? null : reasonOf(code, reason));
  };
  return promise;
}

const reasonOf = (code: number, reason: string): string | null =>
  code === DONE ? null : reason || `the connection broke (${code})`;
