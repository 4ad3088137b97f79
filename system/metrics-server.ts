import { listenFailure } from "./listen-failure.ts";
import type { Registry } from "./prometheus.ts";
import { SettingError } from "./setting-error.ts";

/** Where a process serves its metrics and health; see `settings.ts`. */
export interface MetricsAddress {
  readonly port: number;
  readonly hostname: string;
}

export interface MetricsServer {
  readonly port: number;
  stop(): Promise<void>;
}

const PORT_MAX = 65_535;

/**
 * Reads `BERTH_METRICS_PORT` and `BERTH_METRICS_LISTEN`: the loopback interface unless told otherwise; undefined without a port.
 *
 * @throws SettingError
 */
export function readMetricsAddress(
  env: Readonly<Record<string, string | undefined>>,
): MetricsAddress | undefined {
  const text = env.BERTH_METRICS_PORT || "0";
  const port = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  if (!(port <= PORT_MAX))
    throw new SettingError(`BERTH_METRICS_PORT takes a whole number from 0 to ${PORT_MAX}`);
  return port === 0 ? undefined : { port, hostname: env.BERTH_METRICS_LISTEN || "127.0.0.1" };
}

/**
 * Serves `/metrics`, `/health/live` and `/health/ready` on a separate port: they are for operators, whereas the ports
 * of the gateway and the edge are public.
 *
 * @param missing names what this process needs and lacks; returns undefined when it can serve
 * @throws SettingError with one line that names the setting, when the port cannot be used
 */
export function serveMetrics(
  { port, hostname }: MetricsAddress,
  registry: Registry,
  missing: () => Promise<string | undefined>,
): MetricsServer {
  try {
    const server = Bun.serve({
      port,
      hostname,
      routes: {
        "/health/live": () => new Response("live\n"),
        "/health/ready": async () => {
          const away = await missing();
          return away === undefined
            ? new Response("ready\n")
            : new Response(`${away} is away\n`, { status: 503 });
        },
        "/metrics": async () =>
          new Response(await registry.metrics(), { headers: { "content-type": registry.contentType } }),
      },
      fetch: () => new Response("not found\n", { status: 404 }),
    });
    return { port: server.port as number, stop: () => server.stop() };
  } catch (cause) {
    throw listenFailure("BERTH_METRICS_PORT", [port], cause);
  }
}
