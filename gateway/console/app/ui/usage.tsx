import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { lazy, Suspense } from "react";
import type { Schemas } from "../lib/api.ts";
import { formatBytes, formatPercent } from "../lib/format.ts";
import { useFilters } from "../lib/lists.ts";
import { ChoiceField } from "./field.tsx";
import { Loaded, Skeleton } from "./page.tsx";

const Chart = lazy(() => import("./chart.tsx"));

type Metrics = Pick<Schemas["ContainerMetrics"], "from" | "step_seconds" | "series">;

const HOUR_MS = 3_600_000;
/** The host keeps a day of its measurements, and a month of their means. */
const RANGES = [
  { value: "", label: "the last hour", ms: HOUR_MS, everyMs: 10_000 },
  { value: "6h", label: "the last 6 hours", ms: 6 * HOUR_MS, everyMs: 60_000 },
  { value: "24h", label: "the last 24 hours", ms: 24 * HOUR_MS, everyMs: 60_000 },
  { value: "7d", label: "the last 7 days", ms: 7 * 24 * HOUR_MS, everyMs: 300_000 },
  { value: "30d", label: "the last 30 days", ms: 30 * 24 * HOUR_MS, everyMs: 300_000 },
] as const;

interface UsageProps {
  readonly queryKey: readonly string[];
  readonly read: (query: { from: string }) => Promise<Metrics>;
  /** What the thing may take, where that is known. */
  readonly limits?: { readonly cores?: number | null; readonly memoryBytes?: number | null };
}

/** What a container or a server has used over time, with what it uses now. */
export function Usage({ queryKey, read, limits = {} }: UsageProps) {
  const [{ range: asked = "" }, change] = useFilters(["range"]);
  const range = RANGES.find(({ value }) => value === asked) ?? RANGES[0];
  const query = useQuery({
    queryKey: [...queryKey, "metrics", range.value],
    queryFn: () => read({ from: new Date(Date.now() - range.ms).toISOString() }),
    refetchInterval: range.everyMs,
    placeholderData: keepPreviousData,
  });
  return (
    <>
      <div className="bar">
        <ChoiceField
          label="Show"
          value={range.value}
          onChange={(value) => change({ range: value })}
          choices={RANGES}
        />
      </div>
      <Loaded query={query} rows={8}>
        {(metrics) => <Charts metrics={metrics} limits={limits} />}
      </Loaded>
    </>
  );
}

function Charts({ metrics, limits }: { metrics: Metrics; limits: NonNullable<UsageProps["limits"]> }) {
  const { series, from, step_seconds } = metrics;
  const begin = Date.parse(from) / 1_000;
  const times = series.cpu_percent.map((_, index) => begin + index * step_seconds);
  const perSecond = (bytes: number) => `${formatBytes(bytes)}/s`;
  const charts = [
    {
      title: "CPU",
      lines: [{ name: "of one core", values: series.cpu_percent }],
      format: formatPercent,
      max: limits.cores ? limits.cores * 100 : undefined,
    },
    {
      title: "Memory",
      lines: [{ name: "in use", values: series.memory_bytes }],
      format: formatBytes,
      isBytes: true,
      max: limits.memoryBytes ?? undefined,
    },
    {
      title: "Disk",
      lines: [{ name: "in use", values: series.disk_bytes }],
      format: formatBytes,
      isBytes: true,
    },
    {
      title: "Network",
      lines: [
        { name: "received", values: series.network_received_bytes_per_second },
        { name: "sent", values: series.network_sent_bytes_per_second },
      ],
      format: perSecond,
      isBytes: true,
    },
  ];
  return (
    <div className="charts">
      {charts.map(({ title, lines, format, max, isBytes = false }) => (
        <section key={title} className="panel" aria-label={title}>
          <h3>{title}</h3>
          <Suspense fallback={<Skeleton rows={3} />}>
            {lines.some(({ values }) => values.some((value) => value !== null)) ? (
              <Chart
                label={`${title} over time`}
                times={times}
                series={lines}
                format={format}
                isBytes={isBytes}
                {...(max === undefined ? {} : { max })}
              />
            ) : (
              <p className="hint chart-empty">Nothing was measured in this time.</p>
            )}
          </Suspense>
        </section>
      ))}
    </div>
  );
}
