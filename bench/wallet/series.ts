import type { RunningServer } from "../../scripts/servers/server.ts";
import type { Column, Measurement, RunOptions, Series } from "../benchmark.ts";
import type { LoadPlan } from "../load/plan.ts";
import { bestPool, poolNote } from "./best-pool.ts";
import type { Contender, OwnContender, Peer } from "./contenders.ts";
import { measureLoad, WARMUP_MS } from "./measure.ts";
import { countTransfers } from "./queries.ts";

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
    const pool = await bestPool(peer, plan, (one, trial) => measure(field, one, trial), options.say);
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
      return { name: contender.name, note: poolNote(pool), rounds };
    }),
    notes: [`${berth.name}: ${perCommit} transfers a commit, ${msPerCommit} ms a commit`],
  };
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
  const countBefore = await countTransfers(contender.db);
  const { measurement, acknowledged } = await measureLoad(server, contender, plan);
  const done = (await countTransfers(contender.db)) - countBefore;
  if (done !== acknowledged) {
    throw new Error(`${contender.name} acknowledged ${acknowledged} transfers and did ${done}`);
  }
  return measurement;
}
