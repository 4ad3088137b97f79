/** What stands behind both proxies: small answers, a large one, and an echo over WebSockets. Prints its port. */

const SMALL = "x".repeat(200);
const LARGE_BYTES = 64 * 1024 * 1024;
const LARGE = Buffer.alloc(LARGE_BYTES, "x");

const server = Bun.serve({
  hostname: "127.0.0.1",
  port: 0,
  fetch(request, server) {
    const { pathname } = new URL(request.url);
    if (pathname === "/large") return new Response(LARGE);
    if (pathname === "/echo" && server.upgrade(request)) return undefined;
    return new Response(SMALL);
  },
  websocket: { message: (socket, message) => void socket.send(message) },
});
console.log(server.port);
