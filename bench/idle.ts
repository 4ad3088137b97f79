import { newId } from "../actors/platform/ids.ts";
import { startOwnPostgres } from "../test/harness/servers.ts";
import type { Benchmark, Report, RunOptions, Table } from "./benchmark.ts";
import { startEdge, startTarget } from "./edge/proxies.ts";
import { openStreams, type Streams } from "./idle/streams.ts";
import { startTerminals } from "./idle/terminals.ts";
import { settledBytes } from "./memory.ts";
import { median } from "./statistics.ts";
import { startBerth } from "./wallet/contenders.ts";
import { issueTokens } from "./wallet/tokens.ts";

const CONNECTIONS = 10_000;
const FOLLOWERS = 10_000;
const TERMINALS = 1_000;
const KIB = 1_024;

/** KiB of one, at most. */
const MAX = { connection: 50, terminal: 1_500, follower: 40 };

interface Part {
  readonly name: string;
  readonly count: number;
  readonly kibMax: number;
  /** Opens all of them, and tells what one of them takes, in KiB. */
  measure(): Promise<number>;
}

/** What each thing takes that is open and does nothing. */
export const idle: Benchmark = {
  summary: "memory of idle connections, terminals and followers of events",
  async run({ rounds, say }: RunOptions): Promise<Report> {
    const measured: { part: Part; kib: number[] }[] = PARTS.map((part) => ({ part, kib: [] }));
    for (let round = 1; round <= rounds; round++)
      for (const { part, kib } of measured) {
        const one = await part.measure();
        kib.push(one);
        say(`round ${round}: ${part.name}: ${one.toFixed(1)} KiB each`);
      }
    return { method: METHOD, series: [], tables: [tableOf(measured)], versions: {} };
  },
};

const METHOD = [
  "Private memory (the kernel's `Private_Clean` and `Private_Dirty`) of the process that holds them, before and after all are open, divided by their number. Both are read until two looks 2 s apart differ by a hundredth at most; nothing is forced to give memory back.",
  "A connection has had one request and its answer. Each follower is a user of its own, whose stream has begun. Each terminal is attached by a WebSocket and has a shell at its prompt; the shells themselves are left out.",
  "A process of terminals holds 256 sessions at most, so there are four.",
  "Each round has processes of its own. Everything goes over the loopback.",
];

/** @param pids of those that hold what is opened */
async function kibOfOne(
  pids: readonly number[],
  count: number,
  open: () => Promise<Streams>,
): Promise<number> {
  const before = await settledBytes(pids);
  const opened = await open();
  const after = await settledBytes(pids);
  opened.close();
  return (after - before) / count / KIB;
}

const PARTS: readonly Part[] = [
  {
    name: "an idle connection to the gateway",
    count: CONNECTIONS,
    kibMax: MAX.connection,
    measure: () =>
      withGateway([newId()], ({ port, pid }) =>
        kibOfOne([pid], CONNECTIONS, () =>
          openStreams(port, Array(CONNECTIONS).fill("GET /health/live HTTP/1.1\r\nHost: berth\r\n\r\n")),
        ),
      ),
  },
  {
    name: "an idle connection to the edge",
    count: CONNECTIONS,
    kibMax: MAX.connection,
    async measure() {
      const target = await startTarget();
      const edge = await startEdge(target.port);
      try {
        const request = "GET /small HTTP/1.1\r\nHost: app.node-1.berth.localhost\r\n\r\n";
        return await kibOfOne([edge.pid], CONNECTIONS, () =>
          openStreams(edge.port, Array(CONNECTIONS).fill(request)),
        );
      } finally {
        await edge.stop();
        await target.stop();
      }
    },
  },
  {
    name: "a follower of events at the gateway",
    count: FOLLOWERS,
    kibMax: MAX.follower,
    measure: () =>
      withGateway(Array.from({ length: FOLLOWERS }, newId), ({ port, pid, tokens }) =>
        kibOfOne([pid], FOLLOWERS, () => openStreams(port, tokens.map(followRequest))),
      ),
  },
  {
    name: "an open terminal",
    count: TERMINALS,
    kibMax: MAX.terminal,
    async measure() {
      const terminals = await startTerminals(TERMINALS);
      try {
        return await kibOfOne(terminals.pids, TERMINALS, terminals.open);
      } finally {
        await terminals.stop();
      }
    },
  },
];

const followRequest = (token: string): string =>
  `GET /api/v1/events/stream HTTP/1.1\r\nHost: berth\r\nAuthorization: Bearer ${token}\r\n\r\n`;

/** A whole control plane with these users. */
async function withGateway<T>(
  userIds: readonly string[],
  act: (gateway: { port: number; pid: number; tokens: readonly string[] }) => Promise<T>,
): Promise<T> {
  const server = await startOwnPostgres({ durable: false });
  const berth = await startBerth(server, userIds);
  try {
    const tokens = await issueTokens(berth.signingKeyFile, userIds);
    return await act({ port: berth.port, pid: berth.processes.gateway ?? 0, tokens });
  } finally {
    await berth.stop();
    await server.stop();
  }
}

function tableOf(measured: readonly { part: Part; kib: readonly number[] }[]): Table {
  const rounds = measured[0]?.kib.length ?? 0;
  return {
    title: "KiB of one",
    rows: [
      [
        "",
        "open at once",
        ...Array.from({ length: rounds }, (_, at) => `round ${at + 1}`),
        "median",
        "target met",
      ],
      ...measured.map(({ part: { name, count, kibMax }, kib }) => [
        name,
        count.toLocaleString("en"),
        ...kib.map((one) => one.toFixed(1)),
        median(kib).toFixed(1),
        `${median(kib) <= kibMax ? "yes" : "no"}, ${kibMax.toLocaleString("en")}`,
      ]),
    ],
    notes: [],
  };
}
