import type { Fragment } from "postgres";
import type { Sql } from "../db/sql.ts";

/** A condition in SQL: whether there is work of one kind. It may take parameters, and its text is always the same. */
export type DueCondition = (db: Sql) => Fragment;

/** The names of those whose condition holds, in one statement. */
export async function findDue(
  db: Sql,
  conditions: readonly (readonly [name: string, isDue: DueCondition])[],
): Promise<ReadonlySet<string>> {
  const [first, ...others] = conditions.map(
    ([name, isDue]) => db`CASE WHEN ${isDue(db)} THEN ${name}::text END`,
  );
  if (first === undefined) return new Set();
  const names = others.reduce((before: Fragment, one) => db`${before}, ${one}`, first);
  const [row] = await db<{ due: string[] }[]>`SELECT array_remove(ARRAY[${names}], NULL) AS due`;
  return new Set(row?.due);
}
