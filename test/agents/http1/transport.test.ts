import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
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
  const state: { server: { socket: Socket<undefined>; buffer: WriteBuffer; isClosed: boolean } | undefined } =
    { server: undefined };
  beforeAll(() => {
    listener = Bun.listen({
      hostname: "127.0.0.1",
      port: 0,
      allowHalfOpen: true,
      socket: {
        data(socket) {
          if (state.server !== undefined) return;
          state.server = { socket, buffer: new WriteBuffer(socket, () => {}), isClosed: false };
          socket.pause();
        },
        drain: () => state.server?.buffer.drained(),
        end: (socket) => {
          socket.end();
        },
        close() {
          if (state.server !== undefined) state.server.isClosed = true;
        },
      },
    });
  });
  afterAll(() => listener.stop(true));
  beforeEach(() => {
    state.server = undefined;
  });

  test.each(["reset", "close"] as const)("by a %s has its connection ended", async (how) => {
    const client = await RawClient.connect(listener.port);
    client.send(new Uint8Array(5_000_000));
    const isStuck = () => state.server !== undefined && client.unsentBytes > 0;
    await until(isStuck);
    client[how]();
    // Within the same turn: the writes meet the reset before an event tells of it.
    for (let i = 0; i < 2; i++) state.server?.socket.write("x");
    state.server?.buffer.write(Buffer.from("y"));
    await until(() => state.server?.isClosed === true);
    expect(state.server?.buffer.isBroken).toBe(true);
  });
});
