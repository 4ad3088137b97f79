import type { Cli } from "../cli.ts";
import type { Columns } from "./print.ts";
import { table } from "./table.ts";

export interface LiveTable<Row> {
  /** The rows as they are now, and a line above them. */
  read(): Promise<{ readonly rows: readonly Row[]; readonly title?: string }>;
  readonly columns: Columns<Row>;
  readonly empty: string;
  readonly everyMs: number;
  /** Print one reading and end. */
  readonly once?: boolean | undefined;
}

/** Of a window that does not tell its size. */
const ROWS = 24;
const CLEAR_BELOW = "\u001b[J";
const upBy = (lines: number) => (lines === 0 ? "" : `\u001b[${lines}A\r`);

/** Shows rows again and again in the same place until Ctrl-C; once where the output is no terminal. */
export async function showLive<Row>(cli: Cli, live: LiveTable<Row>): Promise<void> {
  const { io, print } = cli;
  const isLive = io.columns !== undefined && !live.once && !cli.options().json && !cli.options().quiet;
  let drawn = 0;
  for (;;) {
    const reading = await live.read().catch((error) => {
      if (isLive && io.interrupted.aborted) return undefined;
      throw error;
    });
    if (reading === undefined) return;
    const { rows, title } = reading;
    if (!isLive) {
      if (title !== undefined) print.note(title);
      return print.list(rows, live.columns, live.empty);
    }
    if (io.interrupted.aborted) return;
    const lines = linesOf(live, rows, title, io.terminal?.size() ?? { cols: io.columns, rows: ROWS });
    await io.out(`${upBy(drawn)}${CLEAR_BELOW}${lines.map((line) => `${line}\n`).join("")}`);
    drawn = lines.length;
    await pause(live.everyMs, io.interrupted);
    if (io.interrupted.aborted) return;
  }
}

/** No more lines than the window has: the cursor cannot go back above its top. */
function linesOf<Row>(
  { columns, empty }: LiveTable<Row>,
  rows: readonly Row[],
  title: string | undefined,
  window: { readonly cols: number; readonly rows: number },
): string[] {
  const cells = rows.map((row) => Object.values(columns).map((value) => value(row)));
  const body = rows.length === 0 ? empty : table(Object.keys(columns), cells, window.cols).trimEnd();
  const lines = [...(title === undefined ? [] : [title.slice(0, window.cols)]), ...body.split("\n")];
  const room = Math.max(window.rows - 1, 1);
  if (lines.length <= room) return lines;
  return [...lines.slice(0, room - 1), `… ${lines.length - room + 1} more`];
}

function pause(ms: number, interrupted: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, ms);
  const stop = () => resolve();
  interrupted.addEventListener("abort", stop, { once: true });
  return promise.finally(() => {
    clearTimeout(timer);
    interrupted.removeEventListener("abort", stop);
  });
}
