import type { Socket } from "bun";
import { quantile } from "../statistics.ts";
import type { LoadPlan, LoadResult } from "./plan.ts";
import { Requests } from "./requests.ts";
import { ResponseReader } from "./response.ts";

/**
 * The load generator, a process of its own: reads a LoadPlan from its input, prints a LoadResult. It speaks HTTP over bare
 * sockets, since it shares the machine with what it measures and `fetch` would take the larger part of it.
 */

/** Past this an answer does not come any more. */
const ANSWER_LIMIT_MS = 20_000;

interface Client {
  readonly reader: ResponseReader;
  sentAt: number;
}

const plan: LoadPlan = await Bun.stdin.json();
const requests = new Requests(plan);
const latencies: number[] = [];
const { promise: finished, resolve: finish } = Promise.withResolvers<void>();
let acknowledged = 0;
let underWay = 0;
let nextToken = 0;
let failure: string | null = null;
let measureFrom = 0;
let endAt = 0;

/** The token of the next request; undefined when there shall be none. */
function draw(now: number): number | undefined {
  if (failure !== null) return undefined;
  if (plan.until === "each token once") return nextToken < plan.tokens.length ? nextToken++ : undefined;
  return now < endAt ? Math.floor(Math.random() * plan.tokens.length) : undefined;
}

function send(socket: Socket<Client>, now: number): void {
  const token = draw(now);
  if (token === undefined) return;
  const bytes = requests.of(token);
  socket.data.sentAt = now;
  underWay += 1;
  if (socket.write(bytes) !== bytes.length) fail("a request did not fit into its socket");
}

function fail(reason: string): void {
  failure ??= reason;
  finish();
}

function receive(socket: Socket<Client>, chunk: Buffer): void {
  const answer = socket.data.reader.take(chunk);
  if (answer === undefined) return;
  const now = performance.now();
  underWay -= 1;
  if (answer.status !== 200) {
    fail(answer.text.slice(0, 500));
    return;
  }
  acknowledged += 1;
  if (now >= measureFrom && now < endAt) latencies.push(now - socket.data.sentAt);
  send(socket, now);
  if (underWay === 0) finish();
}

const sockets = await Promise.all(
  Array.from({ length: plan.clients }, () =>
    Bun.connect<Client>({
      hostname: "127.0.0.1",
      port: plan.port,
      data: { reader: new ResponseReader(), sentAt: 0 },
      socket: {
        data: receive,
        close: () => fail("the server closed a connection"),
        error: (_socket, error) => fail(error.message),
      },
    }),
  ),
);

const startedAt = performance.now();
let limitMs = ANSWER_LIMIT_MS;
if (plan.until === "each token once") {
  endAt = Number.POSITIVE_INFINITY;
  limitMs += plan.tokens.length * 10;
} else {
  measureFrom = startedAt + plan.until.warmupMs;
  endAt = measureFrom + plan.until.measureMs;
  limitMs += plan.until.warmupMs + plan.until.measureMs;
}
const limit = setTimeout(() => {
  fail(`${underWay} requests were not answered in time, after ${acknowledged} that were`);
}, limitMs);
for (const socket of sockets) send(socket, startedAt);
await finished;
clearTimeout(limit);

const seconds =
  ((plan.until === "each token once" ? performance.now() : endAt) - Math.max(measureFrom, startedAt)) / 1000;
latencies.sort((a, b) => a - b);
const { user, system } = process.cpuUsage();
const result: LoadResult = {
  acknowledged,
  perSecond: latencies.length / seconds,
  p50Ms: quantile(latencies, 0.5),
  p95Ms: quantile(latencies, 0.95),
  p99Ms: quantile(latencies, 0.99),
  cpuSeconds: (user + system) / 1e6,
  failure,
};
console.log(JSON.stringify(result));
process.exit(0);
