import { useQuery } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { dataOf, polledApi } from "../../lib/api.ts";
import { formatBytes, formatPercent } from "../../lib/format.ts";
import type { Container } from "./states.tsx";

const EVERY_MS = 30_000;
/** Long enough for a measurement to be in it: hosts measure every ten seconds. */
const WINDOW_MS = 60_000;

/** What a container uses at present, as far as its host has measured it. Each is a question to a host, and is asked while it is in sight. */
export function LoadNow({ container: { id, state } }: { container: Container }) {
  const [place, isInSight] = useInSight();
  const { data } = useQuery({
    queryKey: ["containers", id, "load"],
    queryFn: () =>
      dataOf(
        polledApi.GET("/api/v1/containers/{id}/metrics", {
          params: {
            path: { id },
            query: { from: new Date(Date.now() - WINDOW_MS).toISOString(), step: "10" },
          },
        }),
      ),
    enabled: state === "running" && isInSight,
    refetchInterval: EVERY_MS,
    retry: false,
  });
  const newest = (values: readonly (number | null)[] = []) =>
    values.findLast((value) => value !== null) ?? null;
  const [cpu, memory] = [newest(data?.series.cpu_percent), newest(data?.series.memory_bytes)];
  const isKnown = state === "running" && (cpu !== null || memory !== null);
  return (
    <span ref={place} className={isKnown ? "load-now" : "hint"}>
      {isKnown
        ? `${cpu === null ? "–" : formatPercent(cpu)} · ${memory === null ? "–" : formatBytes(memory)}`
        : "–"}
    </span>
  );
}

/** Whether an element is on the part of the page that is shown. */
function useInSight() {
  const place = useRef<HTMLSpanElement>(null);
  const [isInSight, setInSight] = useState(false);
  useEffect(() => {
    const watch = new IntersectionObserver((entries) => setInSight(entries.at(-1)?.isIntersecting ?? false));
    if (place.current) watch.observe(place.current);
    return () => watch.disconnect();
  }, []);
  return [place, isInSight] as const;
}
