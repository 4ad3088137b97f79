import { describe, expect, test } from "bun:test";
import { until } from "../../harness/until.ts";
import { chunked, linesOf, startPipe } from "./pipe-server.ts";

describe("the time that an early peer waits", () => {
  const pipe = startPipe({ limits: { waitMs: 400, sweepMs: 20 } });

  test("ends a sender's wait with a line", async () => {
    const sender = (await pipe.request("POST", pipe.path(), ["Content-Length: 5"])).send("hello");
    const { body, isWhole } = await sender.response();
    expect(linesOf(body)).toEqual([
      "[INFO] Waiting for 1 receiver(s) to connect...",
      "[ERROR] Timed out waiting for receivers.",
    ]);
    expect(isWhole).toBe(true);
    await pipe.isFree();
  });

  test("ends that of a sender whose body is not read, too", async () => {
    const sender = await pipe.request("POST", pipe.path(), ["Content-Length: 100000000"]);
    sender.send(new Uint8Array(20_000_000));
    expect(linesOf((await sender.response()).body).at(-1)).toBe("[ERROR] Timed out waiting for receivers.");
    expect(await sender.over()).not.toBeUndefined();
    await pipe.isFree();
  });

  test("ends that of a sender with too few receivers, and theirs", async () => {
    const path = `${pipe.path()}?n=2`;
    const sender = await pipe.request("POST", path, ["Content-Length: 5"]);
    const receiver = await pipe.request("GET", path);
    expect(linesOf((await sender.response()).body).at(-1)).toBe("[ERROR] Timed out waiting for receivers.");
    const response = await receiver.response();
    expect([response.status, response.isWhole]).toEqual([504, true]);
    // A receiver that came much later than the sender still waits when the sender's time is over.
    expect(response.body.toString()).toMatch(
      /^\[ERROR\] Timed out waiting for (a sender and )?1 more receiver\(s\): 1 of 2 were there\.\n$/,
    );
    await pipe.isFree();
  });

  test("a receiver is told whom it has waited for in vain", async () => {
    const alone = await (await pipe.request("GET", pipe.path())).response();
    expect(alone.body.toString()).toBe("[ERROR] Timed out waiting for a sender.\n");
    const path = `${pipe.path()}?n=3`;
    const some = await Promise.all([1, 2].map(() => pipe.request("GET", path)));
    for (const receiver of some) {
      expect((await receiver.response()).body.toString()).toMatch(
        /^\[ERROR\] Timed out waiting for a sender and [12] more receiver\(s\): [12] of 3 were there\.\n$/,
      );
    }
  });

  test("does not count while it streams, however long either side takes", async () => {
    // Its peers are of this process, which may stand still for a moment by itself.
    const slow = startPipe({ limits: { waitMs: 3_000, sweepMs: 20 } });
    const path = slow.path();
    const receiver = await slow.request("GET", path);
    const sender = await slow.request("POST", path, ["Transfer-Encoding: chunked"]);
    await sender.sees("Streaming");
    const other = await slow.request("POST", slow.path(), ["Content-Length: 5"]);
    await other.sees("Timed out");
    sender.send(chunked("hello"));
    await receiver.sees("hello");
    await (await slow.request("POST", slow.path(), ["Content-Length: 5"])).sees("Timed out");
    sender.send("0\r\n\r\n");
    expect((await receiver.response()).isWhole).toBe(true);
  });
});

test("a silent sender has 5 minutes unless told otherwise", () => {
  expect(startPipe().service.limits.senderIdleMs).toBe(300_000);
});

test("the TTL is 5 minutes unless told otherwise", () => {
  expect(startPipe().service.limits.waitMs).toBe(300_000);
});

describe("clients that take their time hold no place for ever", () => {
  const pipe = startPipe({
    limits: { headMs: 200, keepAliveMs: 300, senderIdleMs: 300, sweepMs: 20, lingerMs: 100 },
  });
  /** Its sender is of this process, which may stand still for a moment by itself. */
  const patient = startPipe({ limits: { keepAliveMs: 3_000, senderIdleMs: 2_000, sweepMs: 20 } });
  const drippedOn = startPipe({ limits: { lineMs: 200, sweepMs: 20, lingerMs: 100 } });
  const connectionsAreGone = () => until(() => pipe.service.connections === 0);

  test("a header that does not end is 408", async () => {
    const client = (await pipe.connect()).send("GET /help HTTP/1.1\r\n");
    expect((await client.response()).status).toBe(408);
    await connectionsAreGone();
  });

  test("a header that trickles in is 408, too", async () => {
    const client = await pipe.connect();
    const trickle = setInterval(() => client.send("a"), 20);
    expect((await client.response()).status).toBe(408);
    clearInterval(trickle);
    await connectionsAreGone();
  });

  test("a connection without a request ends in silence", async () => {
    const client = await pipe.connect();
    expect(await client.over()).toBe("ended");
    expect(client.text).toBe("");
    await connectionsAreGone();
  });

  test("a sender that falls silent in a transfer has failed it", async () => {
    const path = pipe.path();
    const receiver = await pipe.request("GET", path);
    const sender = (await pipe.request("POST", path, ["Content-Length: 100"])).send("hello");
    expect(await receiver.over()).toBe("broken");
    expect(linesOf((await sender.response()).body).at(-1)).toBe("[ERROR] Transfer failed");
    await connectionsAreGone();
  });

  test.each([
    ["a chunk's size", "5\r\nhello\r\n1;"],
    ["a trailer", "5\r\nhello\r\n0\r\n"],
  ])("a sender that drips %s without end has failed its transfer", async (_, begin) => {
    const path = drippedOn.path();
    const receiver = await drippedOn.request("GET", path);
    const sender = await drippedOn.request("POST", path, ["Transfer-Encoding: chunked"]);
    sender.send(begin);
    await receiver.sees("hello");
    const drip = setInterval(() => sender.send(begin.endsWith(";") ? "x" : "x: y\r\n"), 20);
    expect(await receiver.over()).toBe("broken");
    expect(linesOf((await sender.response()).body).at(-1)).toBe("[ERROR] Transfer failed");
    clearInterval(drip);
    await drippedOn.isFree();
  });

  test("a sender whose line drips is cut off before the pairing, too", async () => {
    const sender = await drippedOn.request("POST", drippedOn.path(), ["Transfer-Encoding: chunked"]);
    sender.send("1;");
    expect(linesOf((await sender.response()).body).at(-1)).toBe("[ERROR] Transfer failed");
    await drippedOn.isFree();
  });

  test("data may drip, chunk by chunk, and the lines around it with it", async () => {
    const patientLine = startPipe({ limits: { lineMs: 2_000, sweepMs: 20, lingerMs: 100 } });
    const path = patientLine.path();
    const receiver = await patientLine.request("GET", path);
    const sender = await patientLine.request("POST", path, ["Transfer-Encoding: chunked"]);
    sender.send("1");
    const drip = setInterval(() => sender.send("\r\nx\r\n1"), 20);
    await until(() => receiver.text.split("\r\nx\r\n").length > 120);
    clearInterval(drip);
    sender.send("\r\nx\r\n0\r\n\r\n");
    expect((await receiver.response()).isWhole).toBe(true);
  });

  test("a receiver that takes its time is not the sender's silence", async () => {
    const path = patient.path();
    const receiver = await patient.request("GET", path);
    receiver.pause();
    const size = 30_000_000;
    const sender = (await patient.request("POST", path, [`Content-Length: ${size}`])).send(
      new Uint8Array(size),
    );
    await sender.sees("Streaming");
    const silent = await patient.connect();
    await silent.over();
    expect(sender.text).not.toContain("ERROR");
    receiver.resume();
    expect((await receiver.response()).body.length).toBe(size);
    expect(linesOf((await sender.response()).body).at(-1)).toBe("[INFO] Transfer complete.");
  });

  test("a refused client that never ends its body, or never reads, is cut off", async () => {
    const client = await pipe.request("POST", `${pipe.path()}?n=0`, ["Content-Length: 100000000"]);
    client.send(new Uint8Array(30_000_000));
    client.pause();
    await connectionsAreGone();
  });
});

describe("places", () => {
  const pipe = startPipe({ limits: { peersPerLoopbackMax: 3 } });

  test("are bounded for an address, and come back", async () => {
    const receivers = await Promise.all([1, 2, 3].map(() => pipe.request("GET", pipe.path())));
    await until(() => pipe.service.pipes.peers === 3);
    for (const [method, query] of [
      ["GET", ""],
      ["POST", ""],
      ["GET", "?progress"],
    ] as const) {
      const { status, headers } = await (
        await pipe.request(method, `${pipe.path()}${query}`, ["Content-Length: 0"])
      ).response();
      expect([status, headers.get("retry-after")]).toEqual([429, "5"]);
    }
    receivers[0]?.reset();
    await until(() => pipe.service.pipes.peers === 2);
    const next = await pipe.request("POST", pipe.path(), ["Content-Length: 0"]);
    await next.sees("Waiting");
    for (const client of [next, ...receivers]) client.reset();
    await pipe.isFree();
  });

  test("connections are bounded, too", async () => {
    const small = startPipe({ limits: { connectionsMax: 8 } });
    const clients = await Promise.all(Array.from({ length: 8 }, () => small.connect()));
    await until(() => small.service.connections === 8);
    expect(await (await small.connect()).over()).toBe("broken");
    for (const client of clients) client.reset();
    await until(() => small.service.connections === 0);
  });
});

test("what waiting senders send ahead is bounded for all together", async () => {
  const pipe = startPipe({ limits: { heldBytesMax: 100_000 } });
  const lines = ["Content-Length: 1000000"];
  const first = (await pipe.request("POST", pipe.path(), lines)).send(new Uint8Array(90_000));
  await first.sees("Waiting");
  const second = (await pipe.request("POST", pipe.path(), lines)).send(new Uint8Array(90_000));
  expect(linesOf((await second.response()).body).at(-1)).toBe("[ERROR] Transfer failed");
  first.reset();
  await pipe.isFree();
});
