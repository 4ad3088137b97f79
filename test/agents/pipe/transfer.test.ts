import { describe, expect, test } from "bun:test";
import { chunked, linesOf, startPipe } from "./pipe-server.ts";

const pipe = startPipe();

const WHOLE = [
  "[INFO] Waiting for 1 receiver(s) to connect...",
  "[INFO] Streaming to 1 receiver(s)...",
  "[INFO] Upload complete.",
  "[INFO] Transfer complete.",
];

describe("a sender's lines", () => {
  test("the first is there before any receiver, and before any byte of the body", async () => {
    const sender = await pipe.request("POST", pipe.path(), ["Content-Length: 5"]);
    await sender.sees("[INFO] Waiting for 1 receiver(s) to connect...\n");
    expect(sender.text).toStartWith("HTTP/1.1 200 OK\r\n");
    expect(sender.text).toContain("\r\nContent-Type: text/plain; charset=utf-8\r\n");
    sender.reset();
  });

  test.each([1, 2, 256])("n=%i is in them", async (n) => {
    const sender = await pipe.request("POST", `${pipe.path()}?n=${n}`, ["Content-Length: 1"]);
    await sender.sees(`[INFO] Waiting for ${n} receiver(s) to connect...\n`);
    sender.reset();
  });

  test("come as it happens, each before the next step", async () => {
    const path = pipe.path();
    const sender = await pipe.request("POST", path, ["Transfer-Encoding: chunked"]);
    await sender.sees("Waiting");
    const receiver = await pipe.request("GET", path);
    await sender.sees("[INFO] Streaming to 1 receiver(s)...\n");
    sender.send(chunked("hello"));
    await receiver.sees("hello");
    expect(sender.text).not.toContain("Upload complete");
    sender.send("0\r\n\r\n");
    const { body, isWhole } = await sender.response();
    expect(linesOf(body)).toEqual(WHOLE);
    expect(isWhole).toBe(true);
    expect(await receiver.response()).toMatchObject({
      status: 200,
      body: Buffer.from("hello"),
      isWhole: true,
    });
  });

  test("Transfer complete waits for the slowest receiver", async () => {
    const path = pipe.path();
    const receiver = await pipe.request("GET", path);
    receiver.pause();
    const size = 30_000_000;
    const sender = await pipe.request("POST", path, [`Content-Length: ${size}`]);
    sender.send(Buffer.alloc(size, 1));
    await sender.sees("Streaming");
    expect(sender.text).not.toContain("complete");
    receiver.resume();
    expect(linesOf((await sender.response()).body)).toEqual(WHOLE);
    expect((await receiver.response()).body.length).toBe(size);
  });
});

describe("a transfer", () => {
  test.each(["POST", "PUT"])("%s, the sender first", async (method) => {
    const path = pipe.path();
    const sender = await pipe.request(method, path, ["Content-Length: 5"]);
    sender.send("hello");
    await sender.sees("Waiting");
    const received = await (await pipe.request("GET", path)).response();
    expect(received).toMatchObject({ status: 200, body: Buffer.from("hello"), isWhole: true });
    expect(received.headers.get("content-length")).toBe("5");
    expect(linesOf((await sender.response()).body)).toEqual(WHOLE);
  });

  test("the receiver first", async () => {
    const path = pipe.path();
    const receiver = await pipe.request("GET", path);
    const sender = (await pipe.request("POST", path, ["Content-Length: 5"])).send("hello");
    expect((await receiver.response()).body.toString()).toBe("hello");
    expect(linesOf((await sender.response()).body)).toEqual(WHOLE);
  });

  test.each([["Content-Length: 0"], ["Transfer-Encoding: chunked"], ["X-Nothing: 1"]])(
    "an empty body (%s) is an empty response",
    async (line) => {
      const path = pipe.path();
      const sender = await pipe.request("POST", path, [line]);
      if (line.includes("chunked")) sender.send("0\r\n\r\n");
      const receiver = await (await pipe.request("GET", path)).response();
      expect(receiver).toMatchObject({ status: 200, isWhole: true });
      expect(receiver.body.length).toBe(0);
      expect(linesOf((await sender.response()).body)).toEqual(WHOLE);
    },
  );

  test("a path may be escaped in different ways by the two", async () => {
    const sender = (await pipe.request("POST", "/api/v1/pipe/%61%20b/c", ["Content-Length: 2"])).send("ok");
    await sender.sees("Waiting");
    const receiver = await pipe.request("GET", "/api/v1/pipe/a%20b/%63");
    expect((await receiver.response()).body.toString()).toBe("ok");
  });

  test("a path is free again when a transfer is over", async () => {
    const path = pipe.path();
    for (const text of ["one", "two", "three"]) {
      const sender = (await pipe.request("POST", path, [`Content-Length: ${text.length}`])).send(text);
      await sender.sees("Waiting");
      expect((await (await pipe.request("GET", path)).response()).body.toString()).toBe(text);
      expect(linesOf((await sender.response()).body)).toEqual(WHOLE);
    }
  });

  test("both connections are used again for the next one", async () => {
    const sender = await pipe.connect();
    const receiver = await pipe.connect();
    for (const text of ["one", "two", "three"]) {
      const path = pipe.path();
      receiver.send(`GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`);
      sender.send(`POST ${path} HTTP/1.1\r\nHost: a\r\nContent-Length: ${text.length}\r\n\r\n${text}`);
      expect((await receiver.next()).body.toString()).toBe(text);
      expect(linesOf((await sender.next()).body)).toEqual(WHOLE);
    }
    expect([sender.ended, receiver.ended]).toEqual([false, false]);
  });

  test("two requests in one piece are answered in turn", async () => {
    const [first, second] = [pipe.path(), pipe.path()];
    const receiver = await pipe.connect();
    receiver.send(`GET ${first} HTTP/1.1\r\nHost: a\r\n\r\nGET ${second} HTTP/1.1\r\nHost: a\r\n\r\n`);
    for (const path of [first, second]) {
      const sender = (await pipe.request("POST", path, ["Content-Length: 4"])).send(path.slice(-4));
      expect((await receiver.next()).body.toString()).toBe(path.slice(-4));
      sender.reset();
    }
  });
});
