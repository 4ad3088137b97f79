import type { Sql } from "./sql.ts";

/** A table as its rows are copied from one database to another. */
export interface Table {
  readonly name: string;
  /** Without generated columns, which the database fills itself. */
  readonly columns: readonly string[];
  /** The type of each column, as PostgreSQL writes it. */
  readonly types: readonly string[];
  /** Tables that its rows refer to. */
  readonly parents: readonly string[];
}

/** What `migrate` alone writes. */
const NOT_COPIED = ["migrations", "commit_layouts"];

/** Every table of the schema, each after those that its rows refer to. Partitions are rows of their parent. */
export async function listTables(sql: Sql): Promise<Table[]> {
  const tables = await sql<Table[]>`
    SELECT c.relname AS name,
      array_agg(a.attname::text ORDER BY a.attnum) AS columns,
      array_agg(format_type(a.atttypid, a.atttypmod) ORDER BY a.attnum) AS types,
      ARRAY(SELECT DISTINCT f.confrelid::regclass::text FROM pg_constraint f
        WHERE f.conrelid = c.oid AND f.contype = 'f' AND f.confrelid <> c.oid) AS parents
    FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
    WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
      AND c.relname <> ALL (${NOT_COPIED}::text[]) AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''
    GROUP BY c.oid, c.relname ORDER BY c.relname`;
  return parentsFirst(tables);
}

function parentsFirst(tables: readonly Table[]): Table[] {
  const sorted: Table[] = [];
  const left = new Map(tables.map((table) => [table.name, table]));
  while (left.size > 0) {
    const ready = [...left.values()].filter(({ parents }) => parents.every((parent) => !left.has(parent)));
    if (ready.length === 0) throw new Error(`tables refer to each other: ${[...left.keys()].join(", ")}`);
    for (const table of ready) left.delete(table.name);
    sorted.push(...ready);
  }
  return sorted;
}

/** A name in a statement that is put together: of a table or a column, from the database's own catalogue. */
export const quoteName = (name: string): string => `"${name.replaceAll('"', '""')}"`;
