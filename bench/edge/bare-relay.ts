import type { Socket } from "bun";

/**
 * The least that a proxy of Bun can do, in a process of its own: `bare-relay.ts PORT`. Each client gets a connection to the target, and bytes pass as they
 * come, unread. Prints its port.
 */

interface Side {
  other?: Socket<Side>;
  /** What the kernel did not take yet; the other side is not read meanwhile. */
  rest?: Buffer | undefined;
}

const target = Number(process.argv[2]);

function pass(socket: Socket<Side>, bytes: Buffer): void {
  const { other } = socket.data;
  if (other === undefined) return;
  const { rest } = other.data;
  const written = rest === undefined ? Math.max(other.write(bytes), 0) : 0;
  if (written === bytes.length) return;
  // The bytes are the runtime's, which reads into the same place again.
  other.data.rest = Buffer.concat([rest ?? Buffer.alloc(0), bytes.subarray(written)]);
  socket.pause();
}

function drain(socket: Socket<Side>): void {
  const { rest, other } = socket.data;
  if (rest === undefined) return;
  const written = Math.max(socket.write(rest), 0);
  socket.data.rest = written === rest.length ? undefined : rest.subarray(written);
  if (socket.data.rest === undefined) other?.resume();
}

const close = (socket: Socket<Side>) => void socket.data.other?.end();

const listener = Bun.listen<Side>({
  hostname: "127.0.0.1",
  port: 0,
  socket: {
    binaryType: "buffer",
    async open(socket) {
      socket.data = {};
      socket.setNoDelay(true);
      socket.pause();
      socket.data.other = await Bun.connect<Side>({
        hostname: "127.0.0.1",
        port: target,
        data: { other: socket },
        socket: { binaryType: "buffer", open: (one) => void one.setNoDelay(true), data: pass, drain, close },
      });
      socket.resume();
    },
    data: pass,
    drain,
    close,
  },
});
console.log(listener.port);
