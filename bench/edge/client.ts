import { ResponseReader } from "../load/response.ts";
import { quantile } from "../statistics.ts";

/**
 * What asks, in a process of its own: `client.ts small|large|echo port clients seconds`. Each client has one request, or one message, under way.
 * Prints how many there were a second (megabytes of the large answer), and how long they took.
 */

const [, , kind = "", port = "", clients = "", seconds = ""] = process.argv;
const HOST = "app.node-1.berth.localhost";
const WARMUP_MS = 500;
const MESSAGE = "x".repeat(200);
const BYTES_PER_MEGABYTE = 1e6;

const startedAt = performance.now();
const measureFrom = startedAt + WARMUP_MS;
const endAt = measureFrom + Number(seconds) * 1_000;
const latencies: number[] = [];
let amount = 0;

function done(sentAt: number, units: number): boolean {
  const now = performance.now();
  if (now >= measureFrom && now < endAt) {
    latencies.push(now - sentAt);
    amount += units;
  }
  return now >= endAt;
}

async function ask(path: string): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const request = `GET ${path} HTTP/1.1\r\nHost: ${HOST}\r\n\r\n`;
  const reader = new ResponseReader();
  let left = 0;
  let length = 0;
  let sentAt = 0;
  const send = (socket: { write(text: string): number }) => {
    sentAt = performance.now();
    socket.write(request);
  };
  const large = (bytes: Buffer): boolean => {
    if (left > 0) {
      left -= bytes.length;
      return left <= 0;
    }
    const end = bytes.indexOf("\r\n\r\n");
    length = Number(/content-length: *(\d+)/i.exec(bytes.toString("latin1", 0, end))?.[1]);
    left = length - (bytes.length - end - 4);
    return left <= 0;
  };
  await Bun.connect({
    hostname: "127.0.0.1",
    port: Number(port),
    socket: {
      open: send,
      data(socket, bytes) {
        if (kind === "large") {
          if (!large(bytes)) return;
        } else {
          const answer = reader.take(bytes);
          if (answer === undefined) return;
          if (answer.status !== 200) reject(new Error(answer.text));
        }
        if (done(sentAt, kind === "large" ? length / BYTES_PER_MEGABYTE : 1)) {
          resolve();
          socket.end();
        } else send(socket);
      },
      close: () => reject(new Error("the connection was closed")),
    },
  });
  return promise;
}

async function converse(): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const options = { headers: { host: HOST } };
  const socket = new WebSocket(`ws://127.0.0.1:${port}/echo`, options as never);
  let sentAt = 0;
  const send = () => {
    sentAt = performance.now();
    socket.send(MESSAGE);
  };
  socket.onopen = send;
  socket.onmessage = () => {
    if (!done(sentAt, 1)) send();
    else {
      resolve();
      socket.close();
    }
  };
  socket.onclose = () => reject(new Error("the WebSocket was closed"));
  return promise;
}

await Promise.all(
  Array.from({ length: Number(clients) }, () => (kind === "echo" ? converse() : ask(`/${kind}`))),
);
latencies.sort((a, b) => a - b);
console.log(
  JSON.stringify({
    perSecond: amount / Number(seconds),
    p50Ms: quantile(latencies, 0.5),
    p95Ms: quantile(latencies, 0.95),
    p99Ms: quantile(latencies, 0.99),
  }),
);
process.exit(0);
