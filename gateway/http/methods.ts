interface Route {
  readonly method: string;
  readonly path: string;
}

/**
 * The methods that routes allow at a path, for the header `Allow`; none if no route matches. A literal path such as
 * `/events/stats` belongs to its own route, although it also matches `/events/:id`.
 */
export function methodsAt(routes: readonly Route[], path: string): string[] {
  const actual = segments(path);
  const matching = routes.filter((route) => matches(patternOf(route.path), actual));
  const literal = matching.filter((route) => !/[:*]/.test(route.path));
  const taken = literal.length > 0 ? literal : matching;
  const methods = new Set(taken.map(({ method }) => (method === "WS" ? "GET" : method)));
  if (methods.has("GET")) methods.add("HEAD");
  return [...methods].sort();
}

/** A trailing slash makes no difference, as in Elysia's router. */
function matches(expected: readonly string[], actual: readonly string[]): boolean {
  if (expected.at(-1) === "*")
    return actual.length >= expected.length - 1 && every(expected.slice(0, -1), actual);
  return expected.length === actual.length && every(expected, actual);
}

const segments = (path: string) => path.replace(/\/$/, "").split("/");

/** Routes are fixed, and each is split once: requests for what is not there come in thousands. */
const patterns = new Map<string, string[]>();
function patternOf(path: string): string[] {
  let pattern = patterns.get(path);
  if (pattern === undefined) {
    pattern = segments(path);
    patterns.set(path, pattern);
  }
  return pattern;
}

const every = (expected: readonly string[], actual: readonly string[]) =>
  expected.every((part, index) => (part.startsWith(":") ? actual[index] !== "" : part === actual[index]));
