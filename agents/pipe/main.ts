import { parseArgs } from "node:util";
import { listenFailure } from "../../system/listen-failure.ts";
import { readMetricsAddress, serveMetrics } from "../../system/metrics-server.ts";
import type { Limits } from "./limits.ts";
import { createMetrics } from "./metrics.ts";
import { type PipeServer, servePipe } from "./server.ts";

/** Runs a standalone pipe, without a control plane: `bun run pipe [--port 8090] [--host 127.0.0.1]`. */

const USAGE = `bun run pipe [options]

  --port N           where to listen (8090; 0: any free port)
  --host ADDRESS     on which address (127.0.0.1: this machine only; it asks nobody who they are)
  --https            its clients reach it by https, through a proxy
  --per-address N    how many connections one address may hold, loopback too
  --peers N          how many all may hold together
  --sender-idle S    a transfer has failed when its sender sends nothing for so many seconds,
                     although its receivers would take it (300)

BERTH_METRICS_PORT is a port for /metrics, /health/live and /health/ready (none), and BERTH_METRICS_LISTEN its address (127.0.0.1)`;

class UsageError extends Error {}

try {
  const server = start(process.argv.slice(2));
  const stop = () => {
    server?.stop();
    process.exit(0);
  };
  process.on("SIGTERM", stop);
  process.on("SIGINT", stop);
} catch (error) {
  console.error(`pipe: ${error instanceof Error ? error.message : error}`);
  if (error instanceof UsageError) console.error(USAGE);
  process.exit(1);
}

function start(argv: string[]): PipeServer | undefined {
  const values = parse(argv);
  if (values.help === true) {
    console.log(USAGE);
    return undefined;
  }
  const port = whole("--port", values.port ?? "8090", 0, 65_535) ?? 0;
  const hostname = values.host ?? "127.0.0.1";
  const metrics = readMetricsAddress(process.env);
  const server = listen(hostname, port, limitsOf(values), values.https === true ? "https" : "http");
  // A standalone pipe depends on no other service, so it is always ready.
  if (metrics !== undefined) serveMetrics(metrics, createMetrics(server.service), async () => undefined);
  console.log(`ready  http://${hostname.includes(":") ? `[${hostname}]` : hostname}:${server.port}`);
  return server;
}

function parse(argv: string[]) {
  try {
    return parseArgs({
      args: argv,
      options: {
        port: { type: "string" },
        host: { type: "string" },
        https: { type: "boolean" },
        "per-address": { type: "string" },
        peers: { type: "string" },
        "sender-idle": { type: "string" },
        help: { type: "boolean", short: "h" },
      },
    }).values;
  } catch (cause) {
    throw new UsageError(cause instanceof Error ? cause.message : String(cause), { cause });
  }
}

function limitsOf(values: ReturnType<typeof parse>): Partial<Limits> {
  const perAddress = whole("--per-address", values["per-address"], 1, 1_000_000);
  const peers = whole("--peers", values.peers, 1, 1_000_000);
  const senderIdle = whole("--sender-idle", values["sender-idle"], 1, 1_000_000);
  return {
    ...(perAddress === undefined ? {} : { peersPerAddressMax: perAddress, peersPerLoopbackMax: perAddress }),
    ...(peers === undefined ? {} : { peersMax: peers, connectionsMax: peers * 2 }),
    ...(senderIdle === undefined ? {} : { senderIdleMs: senderIdle * 1_000 }),
  };
}

function whole(name: string, text: string | undefined, min: number, max: number): number | undefined {
  if (text === undefined) return undefined;
  const value = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  if (!(value >= min && value <= max))
    throw new UsageError(`${name} takes a whole number from ${min} to ${max}`);
  return value;
}

function listen(
  hostname: string,
  port: number,
  limits: Partial<Limits>,
  scheme: "http" | "https",
): PipeServer {
  try {
    return servePipe({ hostname, port, limits, scheme });
  } catch (cause) {
    throw listenFailure("--port", [port], cause);
  }
}
