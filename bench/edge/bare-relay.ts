import type { Socket } from "bun";

/**
 * The least that a proxy of Bun can do, in a process of its own: `bare-relay.ts PORT`. Each client gets a connection to the target, and bytes pass as they
 * come, unread. Prints its port.
 */

interface Side {
  other?: Socket<Side>;
}

const target = Number(process.argv[2]);
const pass = (socket: Socket<Side>, bytes: Buffer) => void socket.data.other?.write(bytes);
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
        socket: { binaryType: "buffer", open: (one) => void one.setNoDelay(true), data: pass, close },
      });
      socket.resume();
    },
    data: pass,
    close,
  },
});
console.log(listener.port);
