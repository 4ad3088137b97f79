import { type Balancer, startBalancer } from "../faults/balancer.ts";
import type { History } from "../faults/history.ts";
import { startLoad } from "../faults/load.ts";
import type { CallOptions, TestUser } from "../harness/stack-client.ts";

/** What clients of both gateways meet: transfers and reads, and when they were served. */
export interface Traffic {
  /** The longest time in which some user's reads, or transfers, were not served, since a moment of `performance.now()`. Milliseconds. */
  outages(sinceMs: number): { readonly reads: number; readonly writes: number };
  /** Requests served since a moment. */
  served(sinceMs: number): number;
  acknowledged(): number;
  call: Balancer["call"];
  /** Ends once each transfer has a clear answer. */
  stop(): Promise<History>;
}

/** A client waits for an answer so long, then asks again. */
const REQUEST_MS_MAX = 3_000;
const READ_EVERY_MS = 50;
const CLIENTS = 6;

export async function startTraffic(
  gateways: readonly string[],
  users: readonly TestUser[],
): Promise<Traffic> {
  const balancer = await startBalancer(gateways);
  const reads = new Map<string, number[]>();
  const writes = new Map<string, number[]>();
  let going = true;

  const call = async (method: string, path: string, options: CallOptions = {}) => {
    const answer = await balancer.call(method, path, {
      ...options,
      signal: AbortSignal.timeout(REQUEST_MS_MAX),
    });
    if (options.token !== undefined && answer.status < 500) {
      const served = method === "GET" ? reads : writes;
      const times = served.get(options.token) ?? [];
      served.set(options.token, times);
      times.push(performance.now());
    }
    return answer;
  };

  const load = startLoad({ call }, users, CLIENTS);
  const reading = Promise.all(
    users.map(async ({ token }) => {
      for (; going; await Bun.sleep(READ_EVERY_MS))
        await call("GET", "/api/v1/wallet/balances", { token }).catch(() => undefined);
    }),
  );

  const longest = (served: ReadonlyMap<string, number[]>, sinceMs: number) =>
    Math.max(...users.map(({ token }) => longestGap(served.get(token) ?? [], sinceMs, performance.now())));
  return {
    outages: (sinceMs) => ({ reads: longest(reads, sinceMs), writes: longest(writes, sinceMs) }),
    served: (sinceMs) =>
      [...reads.values(), ...writes.values()].flat().filter((time) => time >= sinceMs).length,
    acknowledged: () => load.acknowledged(),
    call,
    async stop() {
      const history = await load.stop();
      going = false;
      await reading;
      await balancer.stop();
      return history;
    },
  };
}

/** The longest time between two moments of a list, from one moment to another. */
export function longestGap(times: readonly number[], fromMs: number, untilMs: number): number {
  let before = fromMs;
  let gap = 0;
  for (const time of times) {
    if (time <= fromMs || time > untilMs) continue;
    gap = Math.max(gap, time - before);
    before = time;
  }
  return Math.max(gap, untilMs - before);
}
