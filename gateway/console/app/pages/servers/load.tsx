import { useQuery } from "@tanstack/react-query";
import { BerthError, dataOf, polledApi } from "../../lib/api.ts";
import { formatBytes, plural } from "../../lib/format.ts";
import { ErrorNote } from "../../ui/error-note.tsx";
import { Skeleton } from "../../ui/page.tsx";
import { Status } from "../../ui/status.tsx";

/** The gateway keeps a reading for two seconds. */
const READ_MS = 3_000;
/** What the server uses at present. */
export function Load({ rentalId }: { rentalId: string }) {
  const { data, error } = useQuery({
    queryKey: ["load", rentalId],
    queryFn: () =>
      dataOf(polledApi.GET("/api/v1/rentals/{id}/runtime", { params: { path: { id: rentalId } } })),
    refetchInterval: READ_MS,
  });
  return (
    <section className="panel stack" aria-labelledby="load">
      <h2 id="load">At present</h2>
      {data === undefined && error === null && <Skeleton rows={4} />}
      {data === undefined && error !== null && <NoReading error={error} />}
      {data !== undefined && (
        <>
          <Gauge
            name="CPU"
            percent={data.cpu.usage_percent}
            of={data.cpu.cores === null ? "" : plural(data.cpu.cores, "core")}
          />
          <Gauge
            name="Memory"
            percent={data.memory.usage_percent}
            of={data.memory.total_bytes === null ? "" : formatBytes(data.memory.total_bytes)}
          />
          {"usage_percent" in data.disk && (
            <Gauge name="Disk" percent={data.disk.usage_percent} of={formatBytes(data.disk.total_bytes)} />
          )}
        </>
      )}
    </section>
  );
}

/** A shared host has no readings for one tenant, which is no failure; nor is a host that is not there yet. */
function NoReading({ error }: { error: unknown }) {
  if (!(error instanceof BerthError)) return <ErrorNote error={error} />;
  if (error.code === "SHARED_HOST") return <p className="hint">{error.message}</p>;
  if (error.code !== "HOST_SILENT") return <ErrorNote error={error} />;
  return (
    <>
      <Status tone="warn">its host does not answer</Status>
      <p className="hint">
        It has not joined yet, or is away for the moment. Containers can be created once it has joined; those
        that are there go on without the control plane.
      </p>
    </>
  );
}

const Gauge = ({ name, percent, of }: { name: string; percent: number | null; of: string }) => (
  <div className="gauge">
    <span>
      {name} <span className="hint">{of}</span>
    </span>
    <strong>{percent === null ? "–" : `${percent.toFixed(percent < 10 ? 1 : 0)} %`}</strong>
    <meter min={0} max={100} value={percent ?? 0} aria-label={name} />
  </div>
);
