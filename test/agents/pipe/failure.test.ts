import { describe, expect, test } from "bun:test";
import { until } from "../../harness/until.ts";
import { chunked, curl, linesOf, startPipe } from "./pipe-server.ts";
import type { RawClient } from "./raw-client.ts";

const pipe = startPipe({ limits: { sweepMs: 50 } });

const FAILED = "[ERROR] Transfer failed";

/** Ends of a sender in the middle of its body. */
const ENDS: readonly [string, string[], string][] = [
  ["a declared length that is not reached", ["Content-Length: 100"], "hello"],
  ["a chunked body without its last chunk", ["Transfer-Encoding: chunked"], chunked("hello")],
  ["a chunked body that breaks off within a chunk", ["Transfer-Encoding: chunked"], "ff\r\nhello"],
  [
    "a chunked body without the end of its trailer",
    ["Transfer-Encoding: chunked"],
    `${chunked("hello")}0\r\n`,
  ],
];

describe.each(ENDS)("%s", (_, lines, body) => {
  test.each(["half-closed", "closed", "reset"] as const)(
    "by a sender that %s is no clean end",
    async (how) => {
      const path = pipe.path();
      const receiver = await pipe.request("GET", path);
      const sender = (await pipe.request("POST", path, lines)).send(body);
      await receiver.sees("hello");
      if (how === "half-closed") sender.endOwnSide();
      else if (how === "closed") sender.close();
      else sender.reset();
      expect(await receiver.over()).toBe("broken");
      expect((await receiver.response()).isWhole).toBe(false);
      if (how === "half-closed") expect(linesOf((await sender.response()).body).at(-1)).toBe(FAILED);
      await pipe.isFree();
    },
  );

  test("is no clean end in HTTP/1.0 either, where a clean end is only that of the connection", async () => {
    const path = pipe.path();
    const receiver = await pipe.request("GET", path, [], 0);
    const sender = (await pipe.request("POST", path, lines)).send(body);
    await receiver.sees("hello");
    sender.endOwnSide();
    expect(await receiver.over()).toBe("broken");
  });

  test("breaks all of many receivers", async () => {
    const path = `${pipe.path()}?n=3`;
    const receivers = await Promise.all([1, 2, 3].map(() => pipe.request("GET", path)));
    const sender = (await pipe.request("POST", path, lines)).send(body);
    for (const receiver of receivers) await receiver.sees("hello");
    sender.reset();
    for (const receiver of receivers) expect(await receiver.over()).toBe("broken");
    await pipe.isFree();
  });
});

test("a sender that fails before its first byte is a 500 to its receivers, who may go on", async () => {
  const path = pipe.path();
  const receiver = await pipe.request("GET", path);
  const sender = await pipe.request("POST", path, ["Content-Length: 100"]);
  await sender.sees("Streaming");
  sender.reset();
  const response = await receiver.next();
  expect(response).toMatchObject({ status: 500, isWhole: true });
  expect(response.body.toString()).toStartWith("[ERROR] Transfer failed");
  receiver.send(`GET ${pipe.path()} HTTP/1.1\r\nHost: a\r\n\r\n`);
  await until(() => pipe.service.pipes.peers === 1);
  receiver.reset();
});

test.each([
  ["a chunk longer than its size", `2\r\nhello\r\n0\r\n\r\n`],
  ["a chunk without its line end, and nothing after it", `3\r\nabcXX`],
  ["a size that is no number", `zz\r\nhello\r\n0\r\n\r\n`],
  ["a size of 2^64", `10000000000000000\r\nhello\r\n`],
  ["a negative size", `-1\r\nhello\r\n`],
  ["a line that ends without CR", `5\nhello\r\n0\r\n\r\n`],
  ["an extension without end", `5;${"x".repeat(5_000)}`],
  ["a trailer without end", `0\r\n${"x: y\r\n".repeat(5_000)}`],
])("%s fails the transfer", async (_, body) => {
  const path = pipe.path();
  const receiver = await pipe.request("GET", path);
  await until(() => pipe.service.pipes.peers === 1);
  const sender = (await pipe.request("POST", path, ["Transfer-Encoding: chunked"])).send(body);
  const { body: lines, isWhole } = await sender.response();
  expect(linesOf(lines).at(-1)).toBe(FAILED);
  expect(isWhole).toBe(true);
  const received = await receiver.response();
  expect(received.status === 500 || !received.isWhole).toBe(true);
  await pipe.isFree();
});

describe("a multipart body without its end, whole in one piece, is a 500 to its receiver", () => {
  const part = '--x\r\nContent-Disposition: form-data; name="f"; filename="f"\r\n\r\nhello';
  const multipart = "Content-Type: multipart/form-data; boundary=x";
  const failedWhole = async (receiver: RawClient) => {
    expect(await receiver.response()).toMatchObject({ status: 500, isWhole: true });
    await pipe.isFree();
  };

  test.each([
    [`Content-Length: ${part.length}`, part],
    ["Transfer-Encoding: chunked", `${chunked(part)}0\r\n\r\n`],
  ])("%s, receiver first", async (framing, body) => {
    const path = pipe.path();
    const receiver = await pipe.request("GET", path);
    await until(() => pipe.service.pipes.peers === 1);
    (await pipe.request("POST", path, [multipart, framing])).send(body);
    await failedWhole(receiver);
  });

  test("sender first", async () => {
    const path = pipe.path();
    const sender = await pipe.request("POST", path, [multipart, `Content-Length: ${part.length}`]);
    sender.send(part);
    await sender.sees("Waiting");
    await failedWhole(await pipe.request("GET", path));
  });
});

describe("a receiver that leaves", () => {
  test.each(["reset", "close"] as const)(
    "in the middle (%s), the only one: the sender is told, and stopped",
    async (how) => {
      const path = pipe.path();
      const receiver = await pipe.request("GET", path);
      const sender = (await pipe.request("POST", path, ["Content-Length: 1000000000"])).send("hello");
      await receiver.sees("hello");
      receiver[how]();
      const { body, isWhole } = await sender.response();
      expect(linesOf(body).slice(2)).toEqual([
        "[INFO] All receivers disconnected before transfer completed.",
      ]);
      expect(isWhole).toBe(true);
      expect(await sender.over()).toBe("ended");
      await pipe.isFree();
    },
  );

  test("while the sender sends at full speed: curl ends at once", async () => {
    const path = pipe.path();
    const sender = curl("-T", "/dev/zero", pipe.url(path));
    const receiver = await pipe.request("GET", path);
    await until(() => receiver.receivedBytes > 10_000_000);
    receiver.reset();
    expect((await sender.done()).text).toEndWith(
      "[INFO] All receivers disconnected before transfer completed.\n",
    );
    await pipe.isFree();
  });

  test("of many: the others get all, and the sender is told", async () => {
    const path = `${pipe.path()}?n=3`;
    const [leaving, ...staying] = await Promise.all([1, 2, 3].map(() => pipe.request("GET", path)));
    const sender = (await pipe.request("POST", path, ["Content-Length: 10"])).send("hello");
    for (const receiver of [leaving, ...staying]) await receiver?.sees("hello");
    leaving?.reset();
    await sender.sees("[INFO] A receiver disconnected.\n");
    sender.send("world");
    for (const receiver of staying) {
      expect(await receiver.response()).toMatchObject({ body: Buffer.from("helloworld"), isWhole: true });
    }
    expect(linesOf((await sender.response()).body)).toEqual([
      "[INFO] Waiting for 3 receiver(s) to connect...",
      "[INFO] Streaming to 3 receiver(s)...",
      "[INFO] A receiver disconnected.",
      "[INFO] Upload complete.",
      "[INFO] Transfer complete.",
    ]);
    await pipe.isFree();
  });

  test("of many, and was the one that all waited for: the others go on", async () => {
    const path = `${pipe.path()}?n=2`;
    const size = 20_000_000;
    const [stalled, reading] = await Promise.all([1, 2].map(() => pipe.request("GET", path)));
    stalled?.pause();
    const sender = (await pipe.request("POST", path, [`Content-Length: ${size}`])).send(Buffer.alloc(size));
    await until(() => pipe.service.pipes.peers === 3 && (reading?.receivedBytes ?? 0) > 1_000);
    let unsent = 0;
    const isStuck = () => {
      const before = unsent;
      unsent = sender.unsentBytes;
      return unsent > 0 && unsent === before;
    };
    await until(isStuck, { everyMs: 50 });
    stalled?.reset();
    expect((await reading?.response())?.body.length).toBe(size);
  });

  test("before the pairing: its place is free for another", async () => {
    const path = pipe.path();
    const early = await pipe.request("GET", path);
    await until(() => pipe.service.pipes.peers === 1);
    early.close();
    await pipe.isFree();
    const receiver = await pipe.request("GET", path);
    (await pipe.request("POST", path, ["Content-Length: 5"])).send("hello");
    expect((await receiver.response()).body.toString()).toBe("hello");
  });
});

describe("a sender that leaves before the pairing", () => {
  const BODIES: readonly [string, string[], string | Uint8Array][] = [
    ["with all sent", ["Content-Length: 5"], "hello"],
    ["with nothing sent", ["Content-Length: 5"], ""],
    ["in the middle of a small body", ["Content-Length: 500"], "hello"],
    ["with much of a large body on the way", ["Content-Length: 100000000"], new Uint8Array(50_000_000)],
  ];
  test.each(BODIES)("%s frees its path", async (_, lines, body) => {
    for (const how of ["reset", "close"] as const) {
      const sender = (await pipe.request("POST", pipe.path(), lines)).send(body);
      await sender.sees("Waiting");
      sender[how]();
      await pipe.isFree();
    }
  });

  test.each([["/dev/zero"], ["/etc/hostname"]])(
    "as a killed curl does (%s), frees its path",
    async (file) => {
      const path = pipe.path();
      const sender = curl("-T", file, pipe.url(path));
      await until(() => pipe.service.pipes.peers === 1);
      sender.kill();
      await pipe.isFree();
      const receiver = await pipe.request("GET", path);
      (await pipe.request("POST", path, ["Content-Length: 5"])).send("hello");
      expect((await receiver.response()).body.toString()).toBe("hello");
    },
  );
});

describe("a half-closed sender, which has sent all and still listens", () => {
  test.each([1, 0])("in HTTP/1.%i, with the receiver there, gets its lines", async (minor) => {
    const path = pipe.path();
    const receiver = await pipe.request("GET", path);
    await until(() => pipe.service.pipes.peers === 1);
    const sender = (await pipe.request("POST", path, ["Content-Length: 5"], minor)).send("hello");
    sender.endOwnSide();
    expect((await receiver.response()).body.toString()).toBe("hello");
    expect(linesOf((await sender.response()).body).at(-1)).toBe("[INFO] Transfer complete.");
    expect(await sender.over()).toBe("ended");
  });

  test("waits for its receiver, and a client that is asked whether it is there sees nothing of that", async () => {
    const path = pipe.path();
    const sender = (await pipe.request("POST", path, ["Content-Length: 5"])).send("hello");
    sender.endOwnSide();
    await sender.sees(";wait=....");
    const receiver = await pipe.request("GET", path);
    expect((await receiver.response()).body.toString()).toBe("hello");
    expect(linesOf((await sender.response()).body)).toEqual([
      "[INFO] Waiting for 1 receiver(s) to connect...",
      "[INFO] Streaming to 1 receiver(s)...",
      "[INFO] Upload complete.",
      "[INFO] Transfer complete.",
    ]);
  });

  test("frees its path when it leaves later", async () => {
    const sender = (await pipe.request("POST", pipe.path(), ["Content-Length: 5"])).send("hello");
    sender.endOwnSide();
    await sender.sees(";wait=..");
    sender.close();
    await pipe.isFree();
  });
});

test("curl, asked often whether it is there while it waits, reads its lines as ever", async () => {
  const path = pipe.path();
  const sender = curl("-T", process.execPath, pipe.url(path));
  await until(() => pipe.service.pipes.peers === 1);
  // Asked at the same times as curl, and seen.
  const other = await pipe.request("POST", pipe.path(), ["Content-Length: 100000000"]);
  other.send(new Uint8Array(10_000_000));
  await other.sees(`;wait=${".".repeat(20)}`);
  other.reset();
  expect((await curl(pipe.url(path), "-f", "-o", "/dev/null").done()).code).toBe(0);
  expect((await sender.done()).text.trimEnd().split("\n")).toEqual([
    "[INFO] Waiting for 1 receiver(s) to connect...",
    "[INFO] Streaming to 1 receiver(s)...",
    "[INFO] Upload complete.",
    "[INFO] Transfer complete.",
  ]);
});
