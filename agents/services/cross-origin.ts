/** Where a container's files are at the address of its terminal, for the console. */
export const FILES_PREFIX = "/files";

export const isFilesPath = (path: string): boolean =>
  path === FILES_PREFIX || path.startsWith(`${FILES_PREFIX}/`);

/** As long as browsers keep what a preflight said, in seconds. */
const PREFLIGHT_SECONDS = "600";

/**
 * Lets pages of other origins ask with a token of their own, as the console does. A page that has none gets nothing: the edge takes no
 * cookie from a page of another origin, and browsers show no response to a request with one.
 */
export function crossOrigin(
  serve: (request: Request) => Promise<Response>,
): (request: Request) => Promise<Response> {
  return async (request) => {
    if (request.method === "OPTIONS") return preflight(request);
    const response = await serve(request);
    response.headers.set("access-control-allow-origin", "*");
    return response;
  };
}

function preflight({ headers }: Request): Response {
  const isPrivate = headers.get("access-control-request-private-network") === "true";
  return new Response(null, {
    status: 204,
    headers: {
      "access-control-allow-origin": "*",
      "access-control-allow-methods": "GET, HEAD, PUT, POST, DELETE",
      "access-control-allow-headers": "Authorization, Accept, Content-Type, Repr-Digest",
      "access-control-max-age": PREFLIGHT_SECONDS,
      ...(isPrivate ? { "access-control-allow-private-network": "true" } : {}),
    },
  });
}
