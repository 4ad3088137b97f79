import { useEffect, useRef } from "react";
import uPlot from "uplot";

interface Series {
  readonly name: string;
  readonly values: readonly (number | null)[];
}

interface ChartProps {
  /** What it shows, for those who do not see it. */
  readonly label: string;
  /** Seconds since 1970. */
  readonly times: readonly number[];
  readonly series: readonly Series[];
  readonly max?: number;
}

const HEIGHT = 160;

/** Lines over time. Each has a colour and a dash of its own, and its newest value in words. */
export default function Chart({ label, times, series, max = 100 }: ChartProps) {
  const place = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot>(null);
  const names = series.map(({ name }) => name).join();
  useEffect(() => {
    const { current } = place;
    if (current === null) return;
    const axis = {
      stroke: resolved(current, "--muted"),
      grid: { stroke: resolved(current, "--line"), width: 1 },
      ticks: { show: false },
    };
    const made = new uPlot(
      {
        width: current.clientWidth,
        height: HEIGHT,
        legend: { show: false },
        cursor: { show: false },
        scales: { y: { range: [0, max] } },
        axes: [axis, { ...axis, size: 40 }],
        series: [
          {},
          ...names.split(",").map((name, index) => ({
            label: name,
            stroke: resolved(current, index === 0 ? "--accent" : "--warn"),
            width: 2,
            dash: index === 0 ? [] : [6, 4],
            points: { show: false },
          })),
        ],
      },
      [[], ...names.split(",").map(() => [])],
      current,
    );
    plot.current = made;
    const watch = new ResizeObserver(() => made.setSize({ width: current.clientWidth, height: HEIGHT }));
    watch.observe(current);
    return () => {
      watch.disconnect();
      made.destroy();
    };
  }, [names, max]);
  useEffect(() => {
    plot.current?.setData([[...times], ...series.map(({ values }) => [...values])]);
  }, [times, series]);
  return (
    <figure className="chart" aria-label={label}>
      <div ref={place} className="chart-place" />
      <figcaption className="hint">
        {series.map(({ name }, index) => (
          <span key={name} data-line={index}>
            {name}
          </span>
        ))}
      </figcaption>
    </figure>
  );
}

/** A canvas knows no `light-dark()`: the browser works out which of the two it is. */
function resolved(element: HTMLElement, name: string): string {
  const probe = document.createElement("span");
  probe.style.color = `var(${name})`;
  element.append(probe);
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
}
