import type { Socket } from "node:net";

/** Messages of DNS over TCP (RFC 1035 §4.2.2): each has its length before it, in two bytes. */

const LENGTH_BYTES = 2;

export function frame(message: Uint8Array): Buffer {
  const length = Buffer.alloc(LENGTH_BYTES);
  length.writeUInt16BE(message.length);
  return Buffer.concat([length, message]);
}

/** A message is 64 KiB at most, and so is what is held of one that is not complete. */
export function readFrames(socket: Socket, onMessage: (message: Buffer) => void): void {
  let held: Buffer = Buffer.alloc(0);
  socket.on("data", (bytes: Buffer) => {
    held = Buffer.concat([held, bytes]);
    for (;;) {
      const end = LENGTH_BYTES + (held.length < LENGTH_BYTES ? 0 : held.readUInt16BE());
      if (held.length < LENGTH_BYTES || held.length < end) return;
      onMessage(held.subarray(LENGTH_BYTES, end));
      held = held.subarray(end);
    }
  });
}
