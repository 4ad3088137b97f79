import { afterAll, expect, test } from "bun:test";
import { createServer, type Server, type Socket } from "node:net";
import { connect } from "nats";
import postgres from "postgres";
import { SettingError } from "../../system/setting-error.ts";
import { startFailure } from "../../system/start-failure.ts";

/** The errors are those of the real clients, at a server that takes connections and never answers. */

const sockets = new Set<Socket>();
const silent: Server = createServer((socket) => sockets.add(socket));
const port = await new Promise<number>((resolve) =>
  silent.listen(0, "127.0.0.1", () => resolve((silent.address() as { port: number }).port)),
);
afterAll(() => {
  for (const socket of sockets) socket.destroy();
  silent.close();
});
const errorOf = (failing: Promise<unknown>) =>
  failing.then(
    () => undefined,
    (error: unknown) => error,
  );

test("a NATS that is too slow is one line that says what to do, also where another error has it as its cause", async () => {
  const cause = await errorOf(connect({ servers: `127.0.0.1:${port}`, timeout: 50 }));
  const advice =
    "see that it runs and that this machine is not overloaded, and start again, which goes on from there";
  expect(startFailure(cause)).toMatch(new RegExp(`^NATS did not answer in time \\(.+\\): ${advice}$`));
  const around = new Error("NATS at NATS_URL cannot be used: TIMEOUT", { cause });
  expect(startFailure(around)).toBe(
    `NATS did not answer in time (NATS at NATS_URL cannot be used: TIMEOUT): ${advice}`,
  );
});

test("so is a PostgreSQL", async () => {
  const sql = postgres(`postgres://a@127.0.0.1:${port}/b`, { connect_timeout: 0.05, max: 1 });
  expect(startFailure(await errorOf(sql`SELECT 1`))).toStartWith("PostgreSQL did not answer in time (");
});

test("what is meant for the operator is passed on, and a fault of the program is not", () => {
  expect(startFailure(new Error("the port is taken"))).toBe("the port is taken");
  expect(startFailure(new SettingError("BERTH_PORT takes a number"))).toBe("BERTH_PORT takes a number");
  expect(startFailure(new TypeError("x is undefined"))).toBeUndefined();
  expect(startFailure("text")).toBeUndefined();
});
