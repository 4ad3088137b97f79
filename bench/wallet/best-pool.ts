import type { Measurement } from "../benchmark.ts";
import type { LoadPlan } from "../load/plan.ts";
import type { Contender, Peer } from "./contenders.ts";
import { WARMUP_MS } from "./measure.ts";

/** Pools that each peer is tried with; it runs with the one that serves it best. */
const POOLS = [4, 10, 16, 32];
const TRIAL_MS = 2_000;
/** More than there are clients; few enough that checking their tokens for the first time takes no part of a trial. */
const TRIAL_TOKENS_MAX = 1_000;

type Load = Omit<LoadPlan, "port">;

/** The pool with which a peer serves this load best, by a short trial of each. */
export async function bestPool(
  peer: Peer,
  plan: Omit<Load, "until">,
  measure: (contender: Contender, load: Load) => Promise<Measurement>,
  say: (line: string) => void,
): Promise<number> {
  const tokens = plan.tokens.slice(0, TRIAL_TOKENS_MAX);
  const tried: { pool: number; perSecond: number }[] = [];
  for (const pool of POOLS) {
    const contender = await peer.start(pool);
    await measure(contender, { ...plan, tokens, until: "each token once" });
    const until = { warmupMs: WARMUP_MS, measureMs: TRIAL_MS };
    const { perSecond } = await measure(contender, { ...plan, tokens, until });
    tried.push({ pool, perSecond });
    await contender.stop();
  }
  tried.sort((a, b) => b.perSecond - a.perSecond);
  say(
    `${peer.way}: ${tried.map(({ pool, perSecond }) => `pool ${pool}: ${perSecond.toFixed(0)}`).join(", ")}`,
  );
  return tried[0]?.pool ?? 0;
}

export const poolNote = (pool: number): string =>
  `a pool of ${pool} connections, the best of ${POOLS.join(", ")}`;
