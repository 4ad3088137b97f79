import type { Column, Measurement, RunOptions } from "../benchmark.ts";

export interface Runner {
  readonly name: string;
  readonly note?: string;
  measure(): Promise<Measurement>;
}

/** Measures one contender after the other, round by round. */
export async function inRounds(
  title: string,
  runners: readonly Runner[],
  { rounds, say }: RunOptions,
): Promise<Column[]> {
  const measured = runners.map((): Measurement[] => []);
  // The first run of each is to warm up, and does not count.
  for (const runner of runners) await runner.measure();
  for (let round = 1; round <= rounds; round++) {
    for (const [at, runner] of runners.entries()) measured[at]?.push(await runner.measure());
    const figures = runners.map(({ name }, at) => `${name} ${measured[at]?.at(-1)?.perSecond.toFixed(0)}`);
    say(`${title}, round ${round}: ${figures.join(" · ")}`);
  }
  return runners.map(({ name, note }, at) => ({
    name,
    ...(note === undefined ? {} : { note }),
    rounds: measured[at] ?? [],
  }));
}
