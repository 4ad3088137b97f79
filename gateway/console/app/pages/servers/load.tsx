import { useQuery } from "@tanstack/react-query";
import { lazy, Suspense, useEffect, useState } from "react";
import { api, BerthError, dataOf } from "../../lib/api.ts";
import { formatBytes } from "../../lib/format.ts";
import { ErrorNote } from "../../ui/error-note.tsx";
import { Skeleton } from "../../ui/page.tsx";

const Chart = lazy(() => import("../../ui/chart.tsx"));

/** The gateway keeps a reading for two seconds. */
const READ_MS = 3_000;
const READINGS_MAX = 120;

interface Reading {
  readonly at: number;
  readonly cpu: number | null;
  readonly memory: number | null;
}

/** What the server uses at present, and since the page was opened. */
export function Load({ rentalId }: { rentalId: string }) {
  const [readings, setReadings] = useState<readonly Reading[]>([]);
  const { data, error } = useQuery({
    queryKey: ["load", rentalId],
    queryFn: () => dataOf(api.GET("/api/v1/rentals/{id}/runtime", { params: { path: { id: rentalId } } })),
    refetchInterval: READ_MS,
  });
  useEffect(() => {
    if (data === undefined) return;
    const at = new Date(data.measured_at).getTime() / 1_000;
    const next = { at, cpu: data.cpu.usage_percent, memory: data.memory.usage_percent };
    setReadings((former) => (former.at(-1)?.at === at ? former : [...former, next].slice(-READINGS_MAX)));
  }, [data]);
  return (
    <section className="panel stack" aria-labelledby="load">
      <h2 id="load">At present</h2>
      {data === undefined && error === null && <Skeleton rows={4} />}
      {data === undefined && error !== null && <NoReading error={error} />}
      {data !== undefined && (
        <>
          <Gauge name="CPU" percent={data.cpu.usage_percent} of={`${data.cpu.cores ?? "?"} cores`} />
          <Gauge
            name="Memory"
            percent={data.memory.usage_percent}
            of={data.memory.total_bytes === null ? "" : formatBytes(data.memory.total_bytes)}
          />
          {"usage_percent" in data.disk && (
            <Gauge name="Disk" percent={data.disk.usage_percent} of={formatBytes(data.disk.total_bytes)} />
          )}
          <Suspense fallback={<Skeleton rows={3} />}>
            <Chart
              label="CPU and memory since this page was opened, in percent"
              times={readings.map(({ at }) => at)}
              series={[
                { name: "CPU", values: readings.map(({ cpu }) => cpu) },
                { name: "Memory", values: readings.map(({ memory }) => memory) },
              ]}
            />
          </Suspense>
        </>
      )}
    </section>
  );
}

/** A shared host has no readings for one tenant, which is no failure. */
const NoReading = ({ error }: { error: unknown }) =>
  error instanceof BerthError && error.code === "SHARED_HOST" ? (
    <p className="hint">{error.message}</p>
  ) : (
    <ErrorNote error={error} />
  );

const Gauge = ({ name, percent, of }: { name: string; percent: number | null; of: string }) => (
  <div className="gauge">
    <span>
      {name} <span className="hint">{of}</span>
    </span>
    <strong>{percent === null ? "–" : `${percent.toFixed(percent < 10 ? 1 : 0)} %`}</strong>
    <meter min={0} max={100} value={percent ?? 0} aria-label={name} />
  </div>
);
