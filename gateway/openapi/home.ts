/** The links of the home page. */
const LINKS = {
  documentation: "/openapi",
  openapi: "/openapi/json",
  live: "/health/live",
  ready: "/health/ready",
};

const ABOUT = "Berth: a hosting control plane. The API is under /api/v1.";

/** The reply of `GET /` to programs. */
export const homeData = (version: string) => ({
  statusCode: 200,
  message: ABOUT,
  data: { name: "Berth", version, links: LINKS },
});

/** Whether a header `Accept` prefers HTML to JSON (RFC 9110 §12.5.1), as browsers do and programs do not. */
export function prefersHtml(accept: string | null): boolean {
  const qualities = new Map<string, number>();
  for (const range of (accept ?? "").toLowerCase().split(",")) {
    const [type = "", ...parameters] = range.split(";").map((part) => part.trim());
    const q = parameters.find((parameter) => parameter.startsWith("q="));
    qualities.set(type, q === undefined ? 1 : Number(q.slice(2)) || 0);
  }
  const of = (type: string) =>
    qualities.get(type) ?? qualities.get(type.replace(/\/.*/, "/*")) ?? qualities.get("*/*") ?? 0;
  return of("text/html") > of("application/json");
}
