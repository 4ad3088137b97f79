/** Runs in a container's network and gives back every packet that reaches it: `bun echo.ts <port>`. */
await Bun.udpSocket({
  hostname: "0.0.0.0",
  port: Number(process.argv[2]),
  socket: { data: (socket, bytes, port, address) => void socket.send(bytes, port, address) },
});
console.log("listening");
