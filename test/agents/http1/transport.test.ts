import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Socket, TCPSocketListener } from "bun";
import { WriteBuffer } from "../../../agents/http1/transport.ts";
import { until } from "../../harness/until.ts";
import { RawClient } from "../pipe/raw-client.ts";

/**
 * A service that waits for the other side of a transfer does not read. A client that leaves then is found by a write; the error of
 * that write was the only sign, so the client's place stayed taken for minutes.
 */
describe("a client that is gone when a service writes to it, and does not read from it", () => {
  let listener: TCPSocketListener<undefined>;
  let server: { socket: Socket<undefined>; buffer: WriteBuffer; isClosed: boolean } | undefined;
  beforeAll(() => {
    listener = Bun.listen({
      hostname: "127.0.0.1",
      port: 0,
      allowHalfOpen: true,
      socket: {
        data(socket) {
          if (server !== undefined) return;
          server = { socket, buffer: new WriteBuffer(socket, () => {}), isClosed: false };
          socket.pause();
        },
        drain: () => server?.buffer.drained(),
        end: (socket) => {
          socket.end();
        },
        close() {
          if (server !== undefined) server.isClosed = true;
        },
      },
    });
  });
  afterAll(() => listener.stop(true));

  test.each(["reset", "close"] as const)("by a %s has its connection ended", async (how) => {
    server = undefined;
    const client = await RawClient.connect(listener.port);
    client.send(new Uint8Array(5_000_000));
    const isStuck = () => server !== undefined && client.unsentBytes > 0;
    await until(isStuck);
    client[how]();
    // Within the same turn: the writes meet the reset before an event tells of it.
    for (let i = 0; i < 2; i++) server?.socket.write("x");
    server?.buffer.write(Buffer.from("y"));
    await until(() => server?.isClosed === true, { timeoutMs: 5_000 });
    expect(server?.buffer.isBroken).toBe(true);
  });
});
