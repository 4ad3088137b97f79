import { join } from "node:path";
import type { Benchmark, Measurement, Series } from "./benchmark.ts";
import {
  type RunningProxy,
  startBareRelay,
  startCaddy,
  startEdge,
  startNginx,
  startTarget,
} from "./edge/proxies.ts";
import { inRounds } from "./pipe/rounds.ts";

const CLIENT = join(import.meta.dir, "edge/client.ts");
const CLIENTS = 32;
/** Each holds a core's worth of copying. */
const LARGE_CLIENTS = 4;

const KINDS = [
  { kind: "small", clients: CLIENTS, unit: "requests", title: "Small requests on kept connections" },
  { kind: "large", clients: LARGE_CLIENTS, unit: "MB", title: "A body of 64 MiB" },
  { kind: "echo", clients: CLIENTS, unit: "messages", title: "An echo of 200 bytes over WebSockets" },
] as const;

/** The edge beside nginx and Caddy as the proxy before one target, and beside the least that a proxy of its runtime can do. */
export const edge: Benchmark = {
  summary: "HTTP and WebSockets through the edge, through nginx and through Caddy",
  async run(options) {
    const target = await startTarget();
    const nginx = await startNginx(target.port);
    const caddy = await startCaddy(target.port);
    const own = await startEdge(target.port);
    const bound = await startBareRelay(target.port);
    try {
      const series: Series[] = [];
      for (const { kind, clients, unit, title } of KINDS) {
        const runners = [own, nginx, caddy, bound].map((proxy) => ({
          name: proxy.name,
          ...(proxy.note === undefined ? {} : { note: proxy.note }),
          measure: () => measure(proxy, kind, clients, options.seconds),
        }));
        const columns = await inRounds(title, runners, options);
        series.push({ title: `${title}, ${clients} clients`, unit, columns, notes: [] });
      }
      return { method: METHOD, series, versions: { nginx: nginx.version, Caddy: caddy.version } };
    } finally {
      for (const process of [own, nginx, caddy, bound, target]) await process.stop();
    }
  },
};

async function measure(
  proxy: RunningProxy,
  kind: string,
  clients: number,
  seconds: number,
): Promise<Measurement> {
  const cpuBefore = proxy.cpuSeconds();
  const child = Bun.spawn(
    [process.execPath, CLIENT, kind, String(proxy.port), String(clients), String(seconds)],
    { stdio: ["ignore", "pipe", "inherit"] },
  );
  const text = await new Response(child.stdout).text();
  if ((await child.exited) !== 0) throw new Error(`${proxy.name}: the clients failed`);
  const measured = JSON.parse(text) as Omit<Measurement, "cpuMsPerThousand">;
  const cpuMs = (proxy.cpuSeconds() - cpuBefore) * 1_000;
  const perThousand = (cpuMs / (measured.perSecond * seconds)) * 1_000;
  return { ...measured, cpuMsPerThousand: { [proxy.name]: perThousand } };
}

const METHOD = [
  "One target on the loopback (Bun), which all proxies pass on to over kept connections; clients in a process of their own, each with one request or message under way.",
  "Plain HTTP on both sides. All but the bare relay write an access log, and none keeps a body on disk.",
  "Everything is on one machine: client and target take the larger part of it, and bound what a proxy can show.",
  "A B C D, A B C D: each proxy once in each round, after a first run that does not count. CPU includes the first half second of each run.",
];
