import { spawnSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { natsServerPath } from "../scripts/provision.ts";
import { SetupError } from "../scripts/setup-error.ts";
import { type Arguments, readArguments } from "./arguments.ts";
import { available } from "./available.ts";
import type { Benchmark, Report } from "./benchmark.ts";
import { cliStart } from "./cli-start.ts";
import { consolePages } from "./console.ts";
import { containerStart } from "./container-start.ts";
import { edge } from "./edge.ts";
import { events } from "./events.ts";
import { failover } from "./failover.ts";
import { firewallApply } from "./firewall-apply.ts";
import { footprint } from "./footprint.ts";
import { gatewayRead } from "./gateway-read.ts";
import { idle } from "./idle.ts";
import { machine } from "./machine.ts";
import { neighbour } from "./neighbour.ts";
import { pipe1 } from "./pipe-1.ts";
import { pipeMany } from "./pipe-many.ts";
import { pipeN } from "./pipe-n.ts";
import { queueing } from "./queueing.ts";
import { toMarkdown } from "./report.ts";
import { scale } from "./scale.ts";
import { soak } from "./soak.ts";
import { terminalEcho } from "./terminal-echo.ts";
import { terminalFlood } from "./terminal-flood.ts";
import { walletHot } from "./wallet-hot.ts";
import { walletSpread } from "./wallet-spread.ts";
import { year } from "./year.ts";

/**
 * `bun run bench <name> [--rounds N] [--seconds S] [--quick]`: measures Berth, against its peers where it has any, prints a table and keeps
 * it in `bench/results/<name>.md`.
 */

const BENCHMARKS: Readonly<Record<string, Benchmark>> = {
  edge,
  available,
  "cli-start": cliStart,
  console: consolePages,
  "container-start": containerStart,
  events,
  failover,
  "firewall-apply": firewallApply,
  footprint,
  "gateway-read": gatewayRead,
  idle,
  neighbour,
  queueing,
  scale,
  soak,
  "wallet-hot": walletHot,
  "wallet-spread": walletSpread,
  "pipe-1": pipe1,
  "pipe-n": pipeN,
  "pipe-many": pipeMany,
  "terminal-flood": terminalFlood,
  "terminal-echo": terminalEcho,
  year,
};

const RESULTS = join(import.meta.dir, "results");

const say = (line: string) => console.error(`bench: ${line}`);

if (process.argv.length === 2) {
  console.log("bun run bench <name> [--rounds N] [--seconds S] [--quick], with one of these names:");
  for (const [name, { summary }] of Object.entries(BENCHMARKS)) console.log(`  ${name.padEnd(16)}${summary}`);
  process.exit(0);
}
try {
  await main(readArguments(process.argv.slice(2)));
  process.exit(0);
} catch (error) {
  console.error(`bench: ${error instanceof SetupError ? error.message : Bun.inspect(error)}`);
  process.exit(1);
}

async function main({ name, rounds, seconds, quick }: Arguments): Promise<void> {
  const benchmark = Object.hasOwn(BENCHMARKS, name) ? BENCHMARKS[name] : undefined;
  if (benchmark === undefined) {
    throw new SetupError(`unknown benchmark "${name}": give one of ${Object.keys(BENCHMARKS).join(", ")}`);
  }
  const report = await benchmark.run({ rounds, seconds, say });
  const page = toMarkdown({ name, summary: benchmark.summary, facts: await facts(report) }, report);
  console.log(page);
  if (quick) {
    say("a quick look is no claim: nothing was written");
    return;
  }
  mkdirSync(RESULTS, { recursive: true });
  const files = { ...report.files, [`${name}.md`]: page };
  for (const [file, text] of Object.entries(files)) await Bun.write(join(RESULTS, file), text);
  say(`written to bench/results/${name}.md`);
}

async function facts({ versions }: Report): Promise<string[]> {
  const nats = spawnSync(await natsServerPath(), ["--version"], { encoding: "utf8" }).stdout;
  const all = { Bun: Bun.version, "nats-server": /\d+(\.\d+)+/.exec(nats)?.[0] ?? "unknown", ...versions };
  return [
    `${new Date().toISOString().slice(0, 10)}`,
    Object.entries(all)
      .map(([name, version]) => `${name} ${version}`)
      .join(", "),
    machine(),
  ];
}
