import type { Column, Measurement, Report, Series, Table } from "./benchmark.ts";
import { median } from "./statistics.ts";

export interface Heading {
  readonly name: string;
  readonly summary: string;
  /** Date, versions and machine, a line each. */
  readonly facts: readonly string[];
}

/** The page of a benchmark: what was found first, then how. */
export function toMarkdown({ name, summary, facts }: Heading, report: Report): string {
  const parts = [
    `# ${name}`,
    `${summary}.`,
    ...report.series.map(seriesText),
    ...(report.tables ?? []).map(tableText),
    "## Method",
    report.method.map((line) => `- ${line}`).join("\n"),
    "## Versions and machine",
    facts.map((line) => `- ${line}`).join("\n"),
  ];
  return `${parts.join("\n\n")}\n`;
}

/** The tables of one series. */
export function seriesText({ title, columns, notes, unit = "requests" }: Series): string {
  const [own] = columns;
  if (own === undefined) throw new Error(`${title} has no columns`);
  const middle = (column: Column, of: (one: Measurement) => number) => median(column.rounds.map(of));
  const row = (label: string, cell: (column: Column) => string) => [label, ...columns.map(cell)];
  const rows = [
    ["", ...columns.map((column) => column.name)],
    ...own.rounds.map((_, round) =>
      row(`round ${round + 1}`, (column) => whole(column.rounds[round]?.perSecond ?? Number.NaN)),
    ),
    row(`**median, ${unit}/s**`, (column) => `**${whole(middle(column, perSecond))}**`),
    row("**Berth is**", (column) =>
      column === own ? "" : `**${ratio(middle(own, perSecond) / middle(column, perSecond))}**`,
    ),
    row("in single rounds", (column) => (column === own ? "" : rangeOfRatios(own, column))),
    ...(Number.isNaN(middle(own, p50))
      ? []
      : [
          row("p50, p95, p99 ms", (column) =>
            [p50, p95, p99].map((of) => middle(column, of).toFixed(1)).join(", "),
          ),
        ]),
  ];
  const remarks = [
    ...columns
      .filter((column) => column.note !== undefined)
      .map((column) => `${column.name}: ${column.note}`),
    ...columns
      .filter((column) => Object.keys(column.rounds[0]?.cpuMsPerThousand ?? {}).length > 0)
      .map((column) => `${column.name}: CPU ${cpuText(column, unit)}`),
    ...notes,
  ];
  return [`## ${title}`, table(rows), remarks.map((line) => `- ${line}`).join("\n")].join("\n\n");
}

const tableText = ({ title, rows, notes }: Table): string =>
  [
    `## ${title}`,
    table(rows),
    ...(notes.length > 0 ? [notes.map((line) => `- ${line}`).join("\n")] : []),
  ].join("\n\n");

const perSecond = (one: Measurement) => one.perSecond;
const p50 = (one: Measurement) => one.p50Ms;
const p95 = (one: Measurement) => one.p95Ms;
const p99 = (one: Measurement) => one.p99Ms;

const whole = (value: number) => value.toFixed(0);
const ratio = (value: number) => `${value.toFixed(2)}×`;

/** Contenders of one round ran within seconds of each other, on the same state of the machine. */
function rangeOfRatios(own: Column, other: Column): string {
  const ratios = own.rounds.map(
    (one, round) => one.perSecond / (other.rounds[round]?.perSecond ?? Number.NaN),
  );
  return `${ratio(Math.min(...ratios))} to ${ratio(Math.max(...ratios))}`;
}

function cpuText({ rounds }: Column, unit: string): string {
  const names = Object.keys(rounds[0]?.cpuMsPerThousand ?? {});
  const parts = names.map((name) => {
    return `${name} ${whole(median(rounds.map((one) => one.cpuMsPerThousand[name] ?? 0)))}`;
  });
  return `ms a thousand ${unit}: ${parts.join(", ")}`;
}

/** Padded, so that it reads as well on a terminal as on a page. */
function table(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, at) => Math.max(...rows.map((cells) => (cells[at] ?? "").length)));
  const line = (cells: readonly string[]) => {
    const padded = cells.map((cell, at) =>
      at === 0 ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0),
    );
    return `| ${padded.join(" | ")} |`;
  };
  const [head = [], ...body] = rows;
  const rule = `|${widths.map((width, at) => (at === 0 ? `${"-".repeat(width + 2)}` : `${"-".repeat(width + 1)}:`)).join("|")}|`;
  return [line(head), rule, ...body.map(line)].join("\n");
}
