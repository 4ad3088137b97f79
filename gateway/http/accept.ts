/** Whether a header `Accept` prefers HTML to JSON (RFC 9110 §12.5.1), as browsers do and programs do not. */
export const prefersHtml = (accept: string | null): boolean => {
  const of = qualitiesOf(accept);
  return of("text/html") > of("application/json");
};

/** Whether it prefers JSON to HTML: of both alike, as any type does, a page is as welcome. */
export const prefersJson = (accept: string | null): boolean => {
  const of = qualitiesOf(accept);
  return of("application/json") > of("text/html");
};

function qualitiesOf(accept: string | null): (type: string) => number {
  const qualities = new Map<string, number>();
  for (const range of (accept ?? "").toLowerCase().split(",")) {
    const [type = "", ...parameters] = range.split(";").map((part) => part.trim());
    const q = parameters.find((parameter) => parameter.startsWith("q="));
    qualities.set(type, q === undefined ? 1 : Number(q.slice(2)) || 0);
  }
  return (type) =>
    qualities.get(type) ?? qualities.get(type.replace(/\/.*/, "/*")) ?? qualities.get("*/*") ?? 0;
}
