import type { RunningServer } from "../../scripts/servers/server.ts";
import type { Column, Measurement, RunOptions, Series } from "../benchmark.ts";
import { cpuSeconds } from "../cpu.ts";
import type { LoadPlan } from "../load/plan.ts";
import { runLoad } from "../load/run.ts";
import type { Contender, OwnContender, Peer } from "./contenders.ts";
import { checkpoint, countTransfers } from "./queries.ts";

/** Pools that each peer is tried with; it runs with the one that serves it best. */
const POOLS = [4, 10, 16, 32];
const TRIAL_MS = 2_000;
/** More than there are clients; few enough that checking their tokens for the first time takes no part of a trial. */
const TRIAL_TOKENS_MAX = 1_000;
/** Runs before each measurement and does not count: code is compiled, pages are in memory. */
export const WARMUP_MS = 1_000;

/** A transfer. 5% of the amount is a whole cent, so that it moves a net and a fee: two movements. */
export const PLAN = { path: "/api/v1/wallet/transfers", body: JSON.stringify({ amount: "0.20" }) };

/** One setting of the load. */
export interface Setting {
  readonly title: string;
  readonly clients: number;
  readonly hasClientKey: boolean;
}

export interface Field {
  readonly server: RunningServer;
  readonly berth: OwnContender;
  readonly peers: readonly Peer[];
  /** Fresh ones, good for the whole series. */
  readonly tokens: readonly string[];
}

/** Measures one setting: each peer's best pool first, then round by round, one contender after the other. */
export async function measureSeries(field: Field, setting: Setting, options: RunOptions): Promise<Series> {
  const { berth, peers, tokens } = field;
  const plan = { ...PLAN, tokens, clients: setting.clients, hasClientKey: setting.hasClientKey };
  const load = (until: LoadPlan["until"]) => (one: Contender) => measure(field, one, { ...plan, until });
  const once = load("each token once");
  const round = load({ warmupMs: WARMUP_MS, measureMs: options.seconds * 1000 });

  const chosen: { contender: Contender; pool: number }[] = [];
  for (const peer of peers) {
    const pool = await bestPool(field, peer, plan, options.say);
    chosen.push({ contender: await peer.start(pool), pool });
  }
  const contenders = [berth, ...chosen.map(({ contender }) => contender)];
  const measured = new Map<Contender, Measurement[]>(contenders.map((contender) => [contender, []]));
  // Every token was checked once by everyone, and every wallet was in memory, before anything counts.
  for (const contender of contenders) await once(contender);

  const before = await berth.commits();
  for (let number = 1; number <= options.rounds; number++) {
    for (const contender of contenders) measured.get(contender)?.push(await round(contender));
    const figures = contenders.map((one) => `${one.name} ${measured.get(one)?.at(-1)?.perSecond.toFixed(0)}`);
    options.say(`${setting.title}, round ${number}: ${figures.join(" · ")}`);
  }
  const after = await berth.commits();
  for (const { contender } of chosen) await contender.stop();

  const count = after.count - before.count;
  const perCommit = ((after.messages - before.messages) / count).toFixed(1);
  const msPerCommit = (((after.seconds - before.seconds) * 1000) / count).toFixed(1);
  return {
    title: setting.title,
    columns: contenders.map((contender): Column => {
      const pool = chosen.find((one) => one.contender === contender)?.pool;
      const rounds = measured.get(contender) ?? [];
      if (pool === undefined) return { name: contender.name, rounds };
      const note = `a pool of ${pool} connections, the best of ${POOLS.join(", ")}`;
      return { name: contender.name, note, rounds };
    }),
    notes: [`${berth.name}: ${perCommit} transfers a commit, ${msPerCommit} ms a commit`],
  };
}

/** The pool with which a peer serves this load best, by a short trial of each. */
async function bestPool(
  field: Field,
  peer: Peer,
  plan: Omit<LoadPlan, "port" | "until">,
  say: (line: string) => void,
): Promise<number> {
  const tokens = plan.tokens.slice(0, TRIAL_TOKENS_MAX);
  const tried: { pool: number; perSecond: number }[] = [];
  for (const pool of POOLS) {
    const contender = await peer.start(pool);
    await measure(field, contender, { ...plan, tokens, until: "each token once" });
    const until = { warmupMs: WARMUP_MS, measureMs: TRIAL_MS };
    const { perSecond } = await measure(field, contender, { ...plan, tokens, until });
    tried.push({ pool, perSecond });
    await contender.stop();
  }
  tried.sort((a, b) => b.perSecond - a.perSecond);
  say(
    `${peer.way}: ${tried.map(({ pool, perSecond }) => `pool ${pool}: ${perSecond.toFixed(0)}`).join(", ")}`,
  );
  return tried[0]?.pool ?? 0;
}

/**
 * One contender under one load.
 * @throws Error when it failed, or when the transfers in its database are not exactly those that it acknowledged.
 */
export async function measure(
  { server }: Pick<Field, "server">,
  contender: Contender,
  plan: Omit<LoadPlan, "port">,
): Promise<Measurement> {
  const processes = Object.entries({ ...contender.processes, PostgreSQL: server.pid });
  const cpu = () => processes.map(([, pid]) => cpuSeconds(pid));
  await checkpoint(contender.db);
  const countBefore = await countTransfers(contender.db);
  const cpuBefore = cpu();
  const result = await runLoad({ ...plan, port: contender.port }).catch((error) => {
    throw new Error(`${contender.name}: ${(error as Error).message}`);
  });
  const cpuAfter = cpu();
  const done = (await countTransfers(contender.db)) - countBefore;
  if (done !== result.acknowledged) {
    throw new Error(`${contender.name} acknowledged ${result.acknowledged} transfers and did ${done}`);
  }
  const perThousand = (seconds: number) => (seconds * 1e6) / result.acknowledged;
  const cpuMsPerThousand = Object.fromEntries([
    ...processes.map(([name], at) => [name, perThousand((cpuAfter[at] ?? 0) - (cpuBefore[at] ?? 0))]),
    ["load generator", perThousand(result.cpuSeconds)],
  ]);
  const { perSecond, p50Ms, p95Ms, p99Ms } = result;
  return { perSecond, p50Ms, p95Ms, p99Ms, cpuMsPerThousand };
}
