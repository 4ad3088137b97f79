import { type Command, Option } from "@commander-js/extra-typings";
import type { Cli } from "./cli.ts";
import type { Noun } from "./nouns.ts";
import { count, type ListOptions, type ReadPage, ROWS_MAX, readRows } from "./read.ts";

export type { Command };

/** Adds a group of commands to the program. */
export type CommandGroup = (program: Command, cli: Cli) => void;

/** Lists that only grow are shown from their newest row on. */
export const RECENT_ROWS = 50;

/** Of lists that may be long: how much of them. */
export const limitOption = (rows: number) =>
  new Option("--limit <rows>", "how many at most").default(String(rows));

/** Of every list: its order. */
export const sortOption = () =>
  new Option("--sort <field>", "the field to sort by, such as created_at; descending with - before it");

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
    .addOption(limitOption(ROWS_MAX))
    .addOption(sortOption())
    .action((options) => printRows(cli, noun, noun.read, options));
}

/** Prints the first rows of a list, as the columns of their noun. */
export async function printRows<Row extends { readonly id: string }>(
  cli: Cli,
  noun: Pick<Noun<Row>, "columns" | "empty">,
  read: ReadPage<Row>,
  options: ListOptions,
): Promise<void> {
  const max = options.limit === undefined ? ROWS_MAX : count(options.limit);
  const rows = await readRows(await cli.api(), read, max, options);
  await cli.print.list(rows, noun.columns, noun.empty);
}
