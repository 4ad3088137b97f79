import { expect, test } from "bun:test";
import { until } from "../../harness/until.ts";
import { startPipe } from "./pipe-server.ts";

const pipe = startPipe({ limits: { lingerMs: 100, sweepMs: 20, headMs: 300, keepAliveMs: 300 } });

const SEEDS = [
  "GET /api/v1/pipe/x?n=2&download HTTP/1.1\r\nHost: a\r\nAccept: text/html\r\n\r\n",
  "POST /api/v1/pipe/x?n=2 HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n5;a=b\r\nhello\r\n0\r\nT: x\r\n\r\n",
  "PUT /api/v1/pipe/y HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhelloGET /help HTTP/1.1\r\nHost: a\r\n\r\n",
  'POST /api/v1/pipe/y HTTP/1.1\r\nHost: a\r\nContent-Type: multipart/form-data; boundary=b\r\nContent-Length: 80\r\n\r\n--b\r\nContent-Disposition: form-data; name="f"; filename="f"\r\n\r\nhello there\r\n--b--',
];
const ROUNDS = 400;

test("whatever bytes come, the server lives, and everything of them goes", async () => {
  let seed = 7;
  const random = (below: number) => {
    seed = (seed * 1_103_515_245 + 12_345) & 0x7fffffff;
    return seed % below;
  };
  for (let round = 0; round < ROUNDS; round++) {
    const bytes = Buffer.from(SEEDS[random(SEEDS.length)] ?? "", "latin1");
    for (let change = random(6); change > 0; change--) bytes[random(bytes.length)] = random(256);
    const client = await pipe.connect();
    const cut = random(bytes.length);
    client.send(bytes.subarray(0, cut));
    client.send(bytes.subarray(cut, bytes.length - random(3)));
    if (random(2) === 0) client.endOwnSide();
    if (random(3) === 0) client.reset();
    else setTimeout(() => client.close(), random(50));
  }
  await until(() => pipe.service.connections === 0);
  await pipe.isFree();
  expect((await (await pipe.request("GET", "/help")).response()).status).toBe(200);
});

test("a receiver that reads late gets all, also when its connection ends with the answer", async () => {
  for (const [minor, lines] of [
    [0, []],
    [1, ["Connection: close"]],
    [1, []],
  ] as const) {
    const path = pipe.path();
    const receiver = await pipe.request("GET", path, lines, minor);
    receiver.pause();
    const size = 300_000;
    const sender = await pipe.request("POST", path, [`Content-Length: ${size}`]);
    sender.send(new Uint8Array(size));
    // The server has handed over everything; what it still knows of the receiver it forgets after its time to linger.
    await sender.sees("Transfer complete");
    await until(() => pipe.service.connections === 0);
    receiver.resume();
    const response = await receiver.response();
    expect([response.body.length, response.isWhole]).toEqual([size, true]);
    expect(await receiver.over()).toBe("ended");
  }
});
