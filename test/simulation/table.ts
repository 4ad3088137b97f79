import type { Loaded } from "../../actors/runtime/definition.ts";
import type { RootTable } from "../../actors/runtime/table.ts";
import type { SimulatedSql } from "./store.ts";

/** The same table; its rows come from the simulated store. Children are left out: no rule that is played reads them. */
export const simulated = <State>(table: RootTable<State>): RootTable<State> => ({
  ...table,
  async load(db: unknown, ids: readonly string[]): Promise<Map<string, Loaded<State>>> {
    const rows = await (db as SimulatedSql).rows(table.name, ids);
    return new Map(
      rows.map((row) => [
        String(row[table.key]),
        { version: Number(row.version), state: table.decode(row) as State },
      ]),
    );
  },
});
