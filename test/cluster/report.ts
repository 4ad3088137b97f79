import { median } from "../../bench/statistics.ts";
import { BACK_WITHIN_MS, INCIDENTS, type Round, TARGETS } from "./chaos.ts";
import type { Run } from "./run.ts";

const seconds = (ms: number) => `${(ms / 1_000).toFixed(1)} s`;

/** The page of a run: what was lost, and how long somebody was not served. */
export function report(run: Run, facts: readonly string[]): string {
  const rows = TARGETS.flatMap((target) =>
    INCIDENTS.flatMap((incident) => {
      const rounds = run.rounds.filter((round) => round.target === target && round.incident === incident);
      return rounds.length === 0 ? [] : [rowOf(rounds)];
    }),
  );
  return [
    "# chaos",
    "",
    "One machine of a cluster is killed, loses its power, its network, or a quarter of its packets, under load.",
    "",
    `- ${run.minutes.toFixed(1)} minutes, ${run.rounds.length} incidents, ${run.acknowledged} acknowledged transfers.`,
    `- Lost, done twice, or not served within the stated time: ${run.faults.length}.`,
    ...run.faults.map((fault) => `  - ${fault}`),
    "",
    "## The longest time in which some user was not served",
    "",
    "| incident | rounds | reads, median | reads, longest | stated | writes, median | writes, longest | stated | whole again, median |",
    "|---|---:|---:|---:|---:|---:|---:|---:|---:|",
    ...rows,
    "",
    "## Method",
    "",
    "- Each machine is a network namespace on one bridge: three with NATS (JetStream, three replicas) and etcd, two with PostgreSQL under Patroni (synchronous, one standby), two gateways, three actor hosts, two hosts with an agent and a container each.",
    "- Four users; six clients move their money through both gateways, each transfer under a key of its own, and four read balances. A client waits 3 s for an answer and asks again under the same key.",
    '- "kill" is SIGKILL of the program (of PostgreSQL its server, which Patroni outlives); "power off" ends everything on the machine for 20 s; "cut off" takes its link down for 20 s; "slow down" drops 25% of its packets in either direction for 20 s.',
    "- The next incident comes when every machine does its work again. At the end every answer is compared with every row and with the stream of events (`test/faults/checker.ts`), and both hosts stop and start their containers.",
    "",
    "## Versions and machine",
    "",
    ...facts.map((fact) => `- ${fact}`),
    "",
  ].join("\n");
}

function rowOf(rounds: readonly Round[]): string {
  const [{ target, incident }] = rounds as [Round];
  const limit = BACK_WITHIN_MS[target];
  const cells = (of: (round: Round) => number, limitMs: number) => [
    seconds(median(rounds.map(of))),
    seconds(Math.max(...rounds.map(of))),
    seconds(limitMs),
  ];
  return `| ${[
    `${target}: ${incident}`,
    rounds.length,
    ...cells(({ reads }) => reads, limit.reads),
    ...cells(({ writes }) => writes, limit.writes),
    seconds(median(rounds.map(({ wholeMs }) => wholeMs))),
  ].join(" | ")} |`;
}
