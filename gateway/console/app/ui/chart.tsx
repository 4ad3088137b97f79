import { useEffect, useRef, useState } from "react";
import uPlot from "uplot";
import { formatDateTime, formatMark } from "../lib/format.ts";

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
  /** The top of the scale; without it the scale follows the values. */
  readonly max?: number;
  /** A value in words, at the scale and below the chart. */
  readonly format: (value: number) => string;
  /** Bytes: the scale goes by powers of two, so that it has whole figures. */
  readonly isBytes?: boolean;
  /** For what stays as it is until it changes, such as a balance. */
  readonly isStepped?: boolean;
}

const HEIGHT = 160;
/** A chart of nothing but zeros still has a scale. */
const MAX_LEAST = 1;
/** Up to a petabyte. */
const POWERS_OF_TWO = Array.from({ length: 50 }, (_, power) => 2 ** power);
/** Room for the words of the scale. */
const SCALE_WIDTH = 72;
/** Room for a time below the chart. */
const MARK_WIDTH = 84;
const MARK_HEIGHT = 32;

/** Lines over time. Each has a colour and a dash of its own, and below stands its value: the newest, or the one that is pointed at. */
export default function Chart({
  label,
  times,
  series,
  max,
  format,
  isBytes = false,
  isStepped = false,
}: ChartProps) {
  const place = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot>(null);
  const words = useRef(format);
  words.current = format;
  const [pointed, setPointed] = useState<number | null>(null);
  const colours = useColours();
  const names = series.map(({ name }) => name).join();
  useEffect(() => {
    const { current } = place;
    if (current === null) return;
    const made = new uPlot(
      optionsFor(
        current,
        names.split(","),
        { max, isBytes, isStepped, format: (value) => words.current(value) },
        setPointed,
      ),
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
  }, [names, max, isBytes, isStepped, colours]);
  useEffect(() => {
    plot.current?.setData([[...times], ...series.map(({ values }) => [...values])]);
  }, [times, series, colours]);
  const at = pointed === null ? null : (times[pointed] ?? null);
  return (
    <figure className="chart" aria-label={label}>
      <div ref={place} className="chart-place" />
      <figcaption className="hint">
        {series.map(({ name, values }, index) => (
          <span key={name} data-line={index}>
            {name} <strong>{inWords(pointed === null ? newest(values) : values[pointed], format)}</strong>
          </span>
        ))}
        {at !== null && <span>{formatDateTime(new Date(at * 1_000).toISOString())}</span>}
      </figcaption>
    </figure>
  );
}

interface Drawing {
  readonly max: number | undefined;
  readonly isBytes: boolean;
  readonly isStepped: boolean;
  readonly format: (value: number) => string;
}

function optionsFor(
  place: HTMLElement,
  names: readonly string[],
  { max, isBytes, isStepped, format }: Drawing,
  onPoint: (index: number | null) => void,
): uPlot.Options {
  const stepped = isStepped ? uPlot.paths.stepped?.({ align: 1 }) : undefined;
  const axis = {
    stroke: resolved(place, "--muted"),
    grid: { stroke: resolved(place, "--line"), width: 1 },
    ticks: { show: false },
  };
  return {
    width: place.clientWidth,
    height: HEIGHT,
    // The time below the right edge is as wide to its right as to its left.
    padding: [null, MARK_WIDTH / 2, null, null],
    legend: { show: false },
    cursor: { y: false, points: { show: false }, drag: { x: false, y: false } },
    scales: { y: { range: (_plot, _least, most) => [0, max ?? Math.max(most * 1.1, MAX_LEAST)] } },
    axes: [
      {
        ...axis,
        size: MARK_HEIGHT,
        space: MARK_WIDTH,
        values: (_plot, marks, _axis, _space, step) => marks.map((mark) => formatMark(mark, step)),
      },
      {
        ...axis,
        size: SCALE_WIDTH,
        space: 36,
        ...(isBytes ? { incrs: POWERS_OF_TWO } : {}),
        values: (_plot, values) => values.map((value) => format(value)),
      },
    ],
    hooks: { setCursor: [(plot) => onPoint(plot.cursor.idx ?? null)] },
    series: [
      {},
      ...names.map((name, index) => ({
        label: name,
        stroke: resolved(place, index === 0 ? "--accent" : "--warn"),
        width: 2,
        dash: index === 0 ? [] : [6, 4],
        points: { show: false },
        ...(stepped ? { paths: stepped } : {}),
      })),
    ],
  };
}

const newest = (values: readonly (number | null)[]) => values.findLast((value) => value !== null);

const inWords = (value: number | null | undefined, format: (value: number) => string): string =>
  value === null || value === undefined ? "–" : format(value);

/** Another figure where the colours have become others: what is drawn keeps those that it was drawn with. */
function useColours(): number {
  const [count, setCount] = useState(0);
  useEffect(() => {
    const change = () => setCount((former) => former + 1);
    const system = matchMedia("(prefers-color-scheme: dark)");
    system.addEventListener("change", change);
    const chosen = new MutationObserver(change);
    chosen.observe(document.documentElement, { attributeFilter: ["data-theme"] });
    return () => {
      system.removeEventListener("change", change);
      chosen.disconnect();
    };
  }, []);
  return count;
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
