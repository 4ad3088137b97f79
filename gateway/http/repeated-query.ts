/**
 * Elysia keeps only the last value of a repeated query parameter. This puts all its values into `query`, so that a
 * schema for one value refuses the request; otherwise a filter would be dropped silently.
 */
export function collectRepeatedParameters(query: Record<string, unknown>, url: string): void {
  const queryAt = url.indexOf("?");
  if (queryAt === -1 || pairsAfter(queryAt, url) <= Object.keys(query).length) return;
  const sent = new URLSearchParams(url.slice(queryAt + 1));
  for (const key of new Set(sent.keys())) {
    const values = sent.getAll(key);
    if (values.length > 1 && !Array.isArray(query[key])) query[key] = values;
  }
}

function pairsAfter(queryAt: number, url: string): number {
  let pairs = 1;
  for (let at = url.indexOf("&", queryAt); at !== -1; at = url.indexOf("&", at + 1)) pairs++;
  return pairs;
}
