/** A gateway whose replies to some requests can be held back, with the real one behind it. */
export function holdingGateway(url: string) {
  let held: { readonly pattern: RegExp; readonly gate: PromiseWithResolvers<void> } | undefined;
  let waiting = 0;
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    idleTimeout: 0,
    async fetch(request) {
      const { pathname, search } = new URL(request.url);
      const body = request.body === null ? {} : { body: await request.arrayBuffer() };
      const { method, headers, signal } = request;
      headers.delete("host");
      const response = await fetch(`${url}${pathname}${search}`, { method, headers, signal, ...body });
      if (held?.pattern.test(`${method} ${pathname}`)) {
        waiting++;
        await held.gate.promise;
      }
      const copied = new Headers(response.headers);
      copied.delete("content-encoding");
      copied.delete("content-length");
      return new Response(response.body, { status: response.status, headers: copied });
    },
  });
  return {
    url: server.url.origin,
    hold(pattern: RegExp) {
      waiting = 0;
      held = { pattern, gate: Promise.withResolvers<void>() };
    },
    /** Whether a reply is held back now. */
    isHolding: () => waiting > 0,
    release() {
      held?.gate.resolve();
      held = undefined;
    },
    stop: () => server.stop(true),
  };
}
