import { join } from "node:path";
import { missingPrerequisite } from "../agents/containers/prerequisites.ts";
import { firewallTableName } from "../agents/network/nft/compile.ts";
import { Nft } from "../agents/network/nft/nft.ts";
import { NftSession } from "../agents/network/nft/nft-session.ts";
import { SetupError } from "../scripts/setup-error.ts";
import { startOwnPostgres, temporaryFolder } from "../test/harness/servers.ts";
import { until } from "../test/harness/until.ts";
import type { Benchmark, Report, RunOptions, Table } from "./benchmark.ts";
import { type BenchHost, eachOf, startBenchHost } from "./containers/host.ts";
import { newDatabase, postgresVersion } from "./database.ts";
import { type Probe, startProbe } from "./firewall/probe.ts";
import { median, quantile } from "./statistics.ts";

/** A host that has not applied a rule by then never will. */
const APPLIED_MS_MAX = 60_000;
const PORT = 7_000;
const FULL = 200;
const TARGET_MS = { dropped: 10, answered: 15 };
/** How often nft is run by itself. */
const NFT_RUNS = 100;
const ALLOW = { action: "allow", protocol: "udp", description: "bench", destination_port: String(PORT) };
const DROP = { ...ALLOW, action: "drop" };

/** Of one round: from the request to what it asked for, and to its answer. */
interface Round {
  readonly changes: number;
  readonly dropped: { readonly p50: number; readonly p95: number };
  readonly answered: { readonly p50: number; readonly p95: number };
}

/** How long it takes until a rule that was asked for over HTTP decides about packets. */
export const firewallApply: Benchmark = {
  summary: "From the request for a rule to the first packet that is dropped",
  async run(options: RunOptions): Promise<Report> {
    const problem = missingPrerequisite();
    if (problem !== null) throw new SetupError(`containers cannot be isolated here: ${problem}`);
    const server = await startOwnPostgres({ durable: true });
    const host = await startBenchHost(await newDatabase(server, "firewall_apply"));
    try {
      const tables: Table[] = [];
      await host.fill(1);
      tables.push(await applyTable("One container", host, options));

      const fillFromMs = performance.now();
      await host.fill(FULL);
      const filledMs = performance.now() - fillFromMs;
      options.say(`${FULL} containers run after ${seconds(filledMs)}`);
      const guardFromMs = performance.now();
      await eachOf(host.containers, (id) => host.call("POST", `/${id}/firewall/ingress`, ALLOW));
      const guardedMs = performance.now() - guardFromMs;
      tables.push(await applyTable(`${FULL} containers on the host, each with a firewall`, host, options));
      tables.push(await nftTable(host.data));
      const restarts: number[] = [];
      for (let round = 0; round < options.rounds; round++) restarts.push(await host.restartAgent());
      tables.push({
        title: `A host of ${FULL}`,
        rows: [
          ["", ""],
          [`${FULL - 1} more containers made and running`, seconds(filledMs)],
          [`a first rule for each of ${FULL}, answered`, seconds(guardedMs)],
          [
            `an agent that was killed is back, all ${FULL} adopted and their rules checked`,
            seconds(median(restarts)),
          ],
        ],
        notes: [],
      });
      return {
        method: [
          "`POST /api/v1/containers/{id}/firewall/ingress` with a rule that drops what another rule allows, one request after the other; each rule is removed before the next one.",
          "A process in the container's network gives back every UDP packet. One is sent each millisecond; the rule is in force when the first packet is sent that never comes back. What is shown runs from before the request is sent, and is known to a millisecond.",
          "Everything is real, and on one machine: a gateway, an actor host, PostgreSQL with fsync and synchronous_commit, NATS, the agent, and nftables.",
          `Percentiles of each round of ${options.seconds} s; medians of ${options.rounds} rounds. Targets of the p50: dropped within ${TARGET_MS.dropped} ms, answered within ${TARGET_MS.answered} ms.`,
          "nft alone: one rule of a table that filters nothing is replaced, as the agent does for each change, and the containers' table is listed, as it does for each check.",
        ],
        series: [],
        tables,
        versions: { PostgreSQL: await postgresVersion(server) },
      };
    } finally {
      await host.stop();
      await server.stop();
    }
  },
};

async function applyTable(title: string, host: BenchHost, options: RunOptions): Promise<Table> {
  const rounds: Round[] = [];
  for (let round = 0; round < options.rounds; round++) {
    const measured = await measure(host, options.seconds);
    rounds.push(measured);
    options.say(`${title}, round ${round + 1}: dropped after ${measured.dropped.p50.toFixed(0)} ms`);
  }
  const middle = (of: (round: Round) => number) => median(rounds.map(of));
  const all: Round = {
    changes: middle((round) => round.changes),
    dropped: { p50: middle((round) => round.dropped.p50), p95: middle((round) => round.dropped.p95) },
    answered: { p50: middle((round) => round.answered.p50), p95: middle((round) => round.answered.p95) },
  };
  const isMet = all.dropped.p50 <= TARGET_MS.dropped && all.answered.p50 <= TARGET_MS.answered;
  return {
    title,
    rows: [
      ["", "rules", "dropped, p50", "dropped, p95", "answered, p50", "answered, p95"],
      ...rounds.map((round, i) => row(`round ${i + 1}`, round)),
      row("**median**", all),
    ],
    notes: [`Targets met: ${isMet ? "yes" : "NO"}.`],
  };
}

/** Adds and removes a rule of the first container until the time is over. */
async function measure(host: BenchHost, forSeconds: number): Promise<Round> {
  const [id = ""] = host.containers;
  const change = (method: string, rule: object) => host.call(method, `/${id}/firewall/ingress`, rule);
  const appliedRevision = async () =>
    (await host.call("GET", `/${id}`)).body.data.firewall.applied_revision as number;
  await change("POST", ALLOW);
  const echo = await startEcho(host.init(id));
  const probe = await startProbe(host.address(id), PORT);
  const dropped: number[] = [];
  const answered: number[] = [];
  try {
    await addAndRemove(probe, change, appliedRevision);
    const limit = performance.now() + forSeconds * 1_000;
    while (performance.now() < limit) {
      const one = await addAndRemove(probe, change, appliedRevision);
      // Lost before the rule was asked for: this machine stood still.
      if (one.droppedMs < 0) continue;
      dropped.push(one.droppedMs);
      answered.push(one.answeredMs);
    }
  } finally {
    probe.close();
    echo.kill();
    await echo.exited;
  }
  return { changes: dropped.length, dropped: percentiles(dropped), answered: percentiles(answered) };
}

async function addAndRemove(
  probe: Probe,
  change: (method: string, rule: object) => ReturnType<BenchHost["call"]>,
  appliedRevision: () => Promise<number>,
): Promise<{ droppedMs: number; answeredMs: number }> {
  await probe.flowing();
  const fromMs = performance.now();
  const { status, body } = await change("POST", DROP);
  const answeredMs = performance.now() - fromMs;
  if (status !== 200) throw new Error(`a rule was answered with ${status}`);
  const { revision } = body.data.firewall;
  // Where the answer did not wait for the host, whoever asks sees it later.
  await until(async () => (await appliedRevision()) >= revision, { timeoutMs: APPLIED_MS_MAX });
  const droppedAtMs = await probe.droppedAt(performance.now());
  await change("DELETE", DROP);
  return { droppedMs: droppedAtMs - fromMs, answeredMs };
}

async function startEcho(init: number) {
  const echo = Bun.spawn(
    [
      ...["nsenter", "-t", String(init), "-n"],
      ...[process.execPath, join(import.meta.dir, "firewall/echo.ts"), String(PORT)],
    ],
    { stdin: "ignore", stdout: "pipe", stderr: "inherit" },
  );
  await echo.stdout.getReader().read();
  return echo;
}

function percentiles(values: readonly number[]) {
  const sorted = values.toSorted((a, b) => a - b);
  return { p50: quantile(sorted, 0.5), p95: quantile(sorted, 0.95) };
}

const seconds = (ms: number) => `${(ms / 1_000).toFixed(1)} s`;
const ms = (value: number) => `${value.toFixed(1)} ms`;

const row = (name: string, { changes, dropped, answered }: Round) => [
  name,
  String(changes),
  ms(dropped.p50),
  ms(dropped.p95),
  ms(answered.p50),
  ms(answered.p95),
];

/** What no change of a rule can be faster than: nft, which makes it and reads it back. @param data the agent's folder */
async function nftTable(data: string): Promise<Table> {
  const nft = new Nft();
  const session = new NftSession(temporaryFolder());
  const own = `berth_bench_${process.pid}`;
  const times = { started: [] as number[], running: [] as number[], list: [] as number[] };
  const timed = async (into: number[], act: () => Promise<unknown>) => {
    const fromMs = performance.now();
    await act();
    into.push(performance.now() - fromMs);
  };
  await nft.load(`add table inet ${own}\nadd chain inet ${own} rules`);
  try {
    await until(() => session.load("# nothing\n"));
    for (let at = 0; at < NFT_RUNS; at++) {
      const change = `flush chain inet ${own} rules\nadd chain inet ${own} rules { udp dport ${at + 1} drop; }`;
      await timed(times.started, () => nft.load(change));
      await timed(times.running, () => session.load(change));
      await timed(times.list, () => nft.listTable(firewallTableName(data)));
    }
  } finally {
    session.close();
    await nft.load(`delete table inet ${own}`);
  }
  const of = (values: number[], part: number) =>
    `${quantile(
      values.toSorted((a, b) => a - b),
      part,
    ).toFixed(1)} ms`;
  return {
    title: "nft alone",
    rows: [
      ["", "p50", "p95"],
      ["one rule is loaded by the process that runs", of(times.running, 0.5), of(times.running, 0.95)],
      ["by one that is started for it, until it ends", of(times.started, 0.5), of(times.started, 0.95)],
      [`a table of ${FULL} containers is listed`, of(times.list, 0.5), of(times.list, 0.95)],
    ],
    notes: [],
  };
}
