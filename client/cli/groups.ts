import type { Command } from "@commander-js/extra-typings";
import type { Cli } from "./cli.ts";
import type { Noun } from "./nouns.ts";
import { count, type ReadPage, ROWS_MAX, readRows } from "./read.ts";

export type { Command };

/** Adds a group of commands to the program. */
export type CommandGroup = (program: Command, cli: Cli) => void;

/** Lists that only grow are shown from their newest row on. */
export const RECENT_ROWS = 50;

/** `list`: all of a noun. */
export function addList<Row extends { readonly id: string }>(
  group: Command,
  cli: Cli,
  noun: Noun<Row>,
  summary: string,
  name = "list",
): void {
  group
    .command(name)
    .summary(summary)
    .description(summary)
    .option("--limit <rows>", "how many at most", String(ROWS_MAX))
    .action(({ limit }) => printRows(cli, noun, noun.read, limit));
}

/** Prints the first rows of a list, as the columns of their noun. */
export async function printRows<Row extends { readonly id: string }>(
  cli: Cli,
  noun: Pick<Noun<Row>, "columns" | "empty">,
  read: ReadPage<Row>,
  limit: string,
): Promise<void> {
  const rows = await readRows(await cli.api(), read, count(limit));
  await cli.print.list(rows, noun.columns, noun.empty);
}
