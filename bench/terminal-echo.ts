import type { Benchmark, Measurement, Series } from "./benchmark.ts";
import { quantile } from "./statistics.ts";
import { type Contender, contenders, finished, type TerminalClient } from "./terminal-contenders.ts";

const OTHERS = 50;
const WARM_UP = 200;

/** How long a keystroke takes to come back, alone and beside sessions that write. */
export const terminalEcho: Benchmark = {
  summary: "The echo of a keystroke, one after the other",
  async run({ rounds, seconds, say }) {
    const { all, versions } = await contenders();
    const series: Series[] = [];
    for (const others of [0, OTHERS]) {
      const measured = all.map((): Measurement[] => []);
      for (let round = 0; round < rounds; round++) {
        for (const [at, contender] of all.entries()) {
          say(`${others} other sessions, round ${round + 1}: ${contender.name}`);
          measured[at]?.push(await measure(contender, others, seconds));
        }
      }
      series.push({
        title:
          others === 0
            ? "one session"
            : `beside ${others} sessions, each with a client, that write ten times a second`,
        unit: "echoes",
        columns: all.map(({ name }, at) => ({ name, rounds: measured[at] ?? [] })),
        notes: [],
      });
    }
    return {
      versions,
      method: [
        "`cat` on a terminal in raw mode without echo: each byte that is typed comes back once, and then the next one is typed.",
        "Clients are on the loopback, in one process; a server of its own in each round.",
      ],
      series,
    };
  },
};

async function measure(contender: Contender, others: number, seconds: number): Promise<Measurement> {
  const server = await contender.start();
  const clients: TerminalClient[] = [];
  for (let n = 0; n < others; n++) {
    const client = await server.open();
    client.write("while sleep 0.1; do date; done\n");
    clients.push(client);
  }
  const client = await server.open();
  await finished(client, "stty raw -echo; echo rea''dy; cat\n", "ready");
  const echoMs: number[] = [];
  const once = () =>
    new Promise<number>((resolve) => {
      const startedAt = performance.now();
      client.onOutput = () => resolve(performance.now() - startedAt);
      client.write("x");
    });
  for (let n = 0; n < WARM_UP; n++) await once();
  const limit = performance.now() + seconds * 1000;
  const startedAt = performance.now();
  while (performance.now() < limit) echoMs.push(await once());
  const elapsed = performance.now() - startedAt;
  for (const one of [client, ...clients]) one.close();
  await server.stop();
  echoMs.sort((a, b) => a - b);
  return {
    perSecond: echoMs.length / (elapsed / 1000),
    p50Ms: quantile(echoMs, 0.5),
    p95Ms: quantile(echoMs, 0.95),
    p99Ms: quantile(echoMs, 0.99),
    cpuMsPerThousand: {},
  };
}
