interface Route {
  readonly method: string;
  readonly path: string;
}

/** The methods that some route takes at a path, for the header `Allow`; none where no route has the path. */
export function methodsAt(routes: readonly Route[], path: string): string[] {
  const methods = new Set<string>();
  for (const route of routes) {
    if (matches(route.path, path)) methods.add(route.method === "WS" ? "GET" : route.method);
  }
  if (methods.has("GET")) methods.add("HEAD");
  return [...methods].sort();
}

/** A trailing slash makes no difference, as in Elysia's router. */
function matches(pattern: string, path: string): boolean {
  const expected = segments(pattern);
  const actual = segments(path);
  if (expected.at(-1) === "*")
    return actual.length >= expected.length - 1 && every(expected.slice(0, -1), actual);
  return expected.length === actual.length && every(expected, actual);
}

const segments = (path: string) => path.replace(/\/$/, "").split("/");

const every = (expected: string[], actual: string[]) =>
  expected.every((part, index) => (part.startsWith(":") ? actual[index] !== "" : part === actual[index]));
