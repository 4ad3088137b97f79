import type { QueryClient, QueryKey } from "@tanstack/query-core";

/**
 * Reads again what has changed; everything unless a key is given. A first reading that is under way may have its answer from before the
 * change, and the library takes it for the new one: another follows it.
 */
export async function readAgain(client: QueryClient, queryKey?: QueryKey): Promise<void> {
  const filters = queryKey === undefined ? {} : { queryKey };
  const firstReadings = client
    .getQueryCache()
    .findAll({ ...filters, fetchStatus: "fetching" })
    .filter(({ state }) => state.data === undefined);
  await Promise.all([
    client.invalidateQueries(filters),
    ...firstReadings.map(async (query) => {
      await query.promise?.catch(() => undefined);
      await client.invalidateQueries({ queryKey: query.queryKey, exact: true });
    }),
  ]);
}
