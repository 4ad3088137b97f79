import type { Socket } from "bun";
import { quantile } from "../statistics.ts";

/** Pairs of sender and receiver that begin again and again; prints how many there were. Run by `pipe-many`. */

interface Plan {
  readonly port: number;
  readonly prefix: string;
  readonly pairs: number;
  readonly bytes: number;
  readonly seconds: number;
}

/** It runs so long before anything counts. */
const WARMUP_MS = 1_000;
/** Nothing that works takes so long. */
const STUCK_MS = 20_000;
const LAST_CHUNK = Buffer.from("0\r\n\r\n");

const plan: Plan = JSON.parse(process.argv[2] ?? "{}");
const body = "x".repeat(plan.bytes);
const latencies: number[] = [];
let allCount = 0;
let countsFrom = Number.POSITIVE_INFINITY;

/** Reads one answer after the other from a socket. */
class Side {
  whole = true;
  #answer: Buffer = Buffer.alloc(0);

  constructor(
    readonly socket: Socket<{ side?: Side }>,
    private readonly done: () => void,
  ) {
    socket.data = { side: this };
  }

  ask(text: string): void {
    this.whole = false;
    this.#answer = Buffer.alloc(0);
    if (this.socket.write(text) !== text.length) throw new Error("the socket did not take a request");
  }

  received(bytes: Buffer): void {
    this.#answer = this.#answer.length === 0 ? bytes : Buffer.concat([this.#answer, bytes]);
    if (!isWhole(this.#answer)) return;
    this.whole = true;
    this.done();
  }
}

function isWhole(answer: Buffer): boolean {
  const end = answer.indexOf("\r\n\r\n");
  if (end === -1) return false;
  const head = answer.toString("latin1", 0, end);
  if (!head.startsWith("HTTP/1.1 200")) throw new Error(head);
  const length = /content-length: *(\d+)/i.exec(head)?.[1];
  if (length !== undefined) return answer.length === end + 4 + Number(length);
  return answer.subarray(-LAST_CHUNK.length).equals(LAST_CHUNK);
}

const connect = (): Promise<Socket<{ side?: Side }>> =>
  Bun.connect<{ side?: Side }>({
    hostname: "127.0.0.1",
    port: plan.port,
    data: {},
    socket: {
      data: ({ data }, bytes) => data.side?.received(bytes),
      close: () => fail("a connection was closed"),
      error: (_, error) => fail(String(error)),
    },
  });

function fail(reason: string): never {
  console.error(reason);
  process.exit(1);
}

async function startPair(number: number): Promise<void> {
  let turn = 0;
  let startedAt = 0;
  const next = () => {
    const path = `${plan.prefix}${number}-${turn++}`;
    startedAt = performance.now();
    receiver.ask(`GET ${path} HTTP/1.1\r\nHost: bench\r\n\r\n`);
    sender.ask(`POST ${path} HTTP/1.1\r\nHost: bench\r\nContent-Length: ${plan.bytes}\r\n\r\n${body}`);
  };
  const done = () => {
    if (!sender.whole || !receiver.whole) return;
    const now = performance.now();
    allCount += 1;
    if (now >= countsFrom) latencies.push(now - startedAt);
    next();
  };
  const sender = new Side(await connect(), done);
  const receiver = new Side(await connect(), done);
  starts.push(next);
}

const starts: (() => void)[] = [];
for (let number = 0; number < plan.pairs; number++) await startPair(number);
countsFrom = performance.now() + WARMUP_MS;
for (const start of starts) start();
setTimeout(
  () => {
    const elapsedMs = performance.now() - countsFrom;
    const sorted = latencies.sort((a, b) => a - b);
    const [p50Ms, p95Ms, p99Ms] = [0.5, 0.95, 0.99].map((part) => quantile(sorted, part));
    console.log(JSON.stringify({ count: latencies.length, allCount, elapsedMs, p50Ms, p95Ms, p99Ms }));
    process.exit(0);
  },
  WARMUP_MS + plan.seconds * 1_000,
);
setTimeout(() => fail("it is stuck"), WARMUP_MS + plan.seconds * 1_000 + STUCK_MS);
