import type { Cli } from "./cli.ts";
import { Refused } from "./failures.ts";
import type { Noun } from "./nouns.ts";
import { readRows } from "./read.ts";

const ID = /^[0-9a-f]{24}$/;

export const isId = (text: string): boolean => ID.test(text);

/** The id that a user means: an id itself, or a name, with a choice where several have it. @throws Refused */
export async function idOf<Row extends { readonly id: string }>(
  cli: Cli,
  noun: Noun<Row>,
  given: string,
): Promise<string> {
  return isId(given) ? given : (await named(cli, noun, given)).id;
}

/** The record of the list that a user means, by its id or its name. @throws Refused */
export async function rowOf<Row extends { readonly id: string }>(
  cli: Cli,
  noun: Noun<Row>,
  given: string,
): Promise<Row> {
  if (!isId(given)) return named(cli, noun, given);
  const row = (await readRows(await cli.api(), noun.read)).find(({ id }) => id === given);
  if (row === undefined) throw new Refused(`there is no ${noun.one} with the id ${given}`);
  return row;
}

async function named<Row extends { readonly id: string }>(
  cli: Cli,
  noun: Noun<Row>,
  given: string,
): Promise<Row> {
  const rows = await readRows(await cli.api(), noun.read);
  const [first, ...others] = rows.filter((row) => noun.name(row) === given);
  if (first === undefined) throw new Refused(`there is no ${noun.one} named "${given}"`);
  if (others.length === 0) return first;
  const choices = [first, ...others].map((row) => ({
    name: [row.id, noun.name(row), noun.detail?.(row) ?? ""].join("  ").trimEnd(),
    value: row,
  }));
  return cli.choose(`Several are named "${given}".`, choices);
}
