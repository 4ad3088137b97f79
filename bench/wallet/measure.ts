import type { RunningServer } from "../../scripts/servers/server.ts";
import type { Measurement } from "../benchmark.ts";
import { cpuSeconds } from "../cpu.ts";
import type { LoadPlan } from "../load/plan.ts";
import { runLoad } from "../load/run.ts";
import type { Contender } from "./contenders.ts";
import { checkpoint } from "./queries.ts";

/** Runs before each measurement and does not count: code is compiled, pages are in memory. */
export const WARMUP_MS = 1_000;

/**
 * One contender under one load: what it served, and the CPU that each of its processes took.
 * @throws Error when any answer was not 200.
 */
export async function measureLoad(
  server: RunningServer,
  contender: Contender,
  plan: Omit<LoadPlan, "port">,
): Promise<{ measurement: Measurement; acknowledged: number }> {
  const processes = Object.entries({ ...contender.processes, PostgreSQL: server.pid });
  const cpu = () => processes.map(([, pid]) => cpuSeconds(pid));
  await checkpoint(contender.db);
  const cpuBefore = cpu();
  const result = await runLoad({ ...plan, port: contender.port }).catch((error) => {
    throw new Error(`${contender.name}: ${(error as Error).message}`);
  });
  const cpuAfter = cpu();
  const { acknowledged, perSecond, p50Ms, p95Ms, p99Ms } = result;
  const perThousand = (seconds: number) => (seconds * 1e6) / acknowledged;
  const cpuMsPerThousand = Object.fromEntries([
    ...processes.map(([name], at) => [name, perThousand((cpuAfter[at] ?? 0) - (cpuBefore[at] ?? 0))]),
    ["load generator", perThousand(result.cpuSeconds)],
  ]);
  return { measurement: { perSecond, p50Ms, p95Ms, p99Ms, cpuMsPerThousand }, acknowledged };
}
