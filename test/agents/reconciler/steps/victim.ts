import "./count-steps.ts";
import { until } from "../../../harness/until.ts";
import { isReady, type LocalAgentOptions, startLocalAgent } from "./local-agent.ts";
import { begin } from "./step.ts";

/**
 * An agent that is told a desired state and is killed at a step of its way there: `victim.ts <JSON>`. It ends with status 0 where it gets there.
 */
export interface VictimOrder {
  readonly agent: LocalAgentOptions;
  readonly id: string;
  /** By their keys. */
  readonly desired: Readonly<Record<string, { readonly revision: number }>>;
  readonly until: { readonly revision: number; readonly state: string; readonly digest?: string };
  readonly killAt: number;
}

if (import.meta.main) {
  const order = JSON.parse(process.argv[2] ?? "") as VictimOrder;
  const agent = await startLocalAgent(order.agent);
  begin(order.killAt);
  for (const [key, value] of Object.entries(order.desired)) agent.reconciler.desire(key, value);
  const { revision, state, digest } = order.until;
  await until(() => {
    const now = agent.last(order.id);
    return now?.revision === revision && now.state === state && (!digest || isReady(now.image, digest));
  });
  process.exit(0);
}
