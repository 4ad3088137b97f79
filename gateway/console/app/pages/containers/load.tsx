import { useQuery } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { dataOf, polledApi } from "../../lib/api.ts";
import { formatBytes, formatPercent } from "../../lib/format.ts";
import type { Container } from "./states.tsx";

const EVERY_MS = 30_000;
/** Long enough for a measurement to be in it: hosts measure every ten seconds. */
const WINDOW_MS = 60_000;

/** What a container uses at present, as far as its host has measured it. Each is a question to a host, and is asked while it is in sight. */
export function LoadNow({ container }: { container: Container }) {
  const [place, isInSight] = useInSight();
  return (
    <span ref={place} className="load-now">
      {isInSight && container.state === "running" ? <Measured id={container.id} /> : NOT_KNOWN}
    </span>
  );
}

const NOT_KNOWN = <span className="hint">–</span>;

function Measured({ id }: { id: string }) {
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
    refetchInterval: EVERY_MS,
    retry: false,
  });
  const newest = (values: readonly (number | null)[] = []) =>
    values.findLast((value) => value !== null) ?? null;
  const [cpu, memory] = [newest(data?.series.cpu_percent), newest(data?.series.memory_bytes)];
  if (cpu === null && memory === null) return NOT_KNOWN;
  return <>{`${cpu === null ? "–" : formatPercent(cpu)} · ${memory === null ? "–" : formatBytes(memory)}`}</>;
}

/** One for all rows: hundreds of observers are asked at each frame. */
let watch: IntersectionObserver | undefined;
const watched = new WeakMap<Element, (isInSight: boolean) => void>();

function watchPlace(place: Element, onChange: (isInSight: boolean) => void): () => void {
  watch ??= new IntersectionObserver((entries) => {
    for (const { target, isIntersecting } of entries) watched.get(target)?.(isIntersecting);
  });
  watched.set(place, onChange);
  watch.observe(place);
  return () => watch?.unobserve(place);
}

/** Whether an element is on the part of the page that is shown. */
function useInSight() {
  const place = useRef<HTMLSpanElement>(null);
  const [isInSight, setInSight] = useState(false);
  useEffect(() => (place.current ? watchPlace(place.current, setInSight) : undefined), []);
  return [place, isInSight] as const;
}
