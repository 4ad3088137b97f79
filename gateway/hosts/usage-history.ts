import { type HostMetricsRequest, MetricsSeries } from "../../schemas/hosting/metrics.ts";
import { type AskHost, hostQuestion } from "./ask-host.ts";

/** A month of a host's containers is read from its disk in some 100 ms. */
const READ_MS_MAX = 5_000;
/** Five series of a thousand numbers. */
const REPLY_LENGTH_MAX = 200_000;
const METRICS = hostQuestion("metrics", MetricsSeries, REPLY_LENGTH_MAX);

/** Reads what a host or its containers have used over time. @throws HOST_SILENT */
export type ReadMetrics = (serverName: string, request: HostMetricsRequest) => Promise<MetricsSeries>;

export const metricsReader =
  (ask: AskHost): ReadMetrics =>
  (serverName, request) =>
    ask(serverName, METRICS, request, READ_MS_MAX);
