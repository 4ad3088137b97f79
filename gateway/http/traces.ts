import { Elysia } from "elysia";
import { currentOrigin, runFor } from "../../system/origin.ts";
import { originWithin, type Span, type Tracing } from "../../system/tracing/tracing.ts";

/** How a request ended. */
export interface EndedRequest {
  readonly request: Request;
  readonly method: string;
  /** The pattern of the route. */
  readonly route: string;
  readonly status: string;
}

/** Makes each request a span, and what it leads to children of the span. `ended` is to be called with its response. */
export function requestTraces(tracing: Tracing) {
  const spans = new WeakMap<Request, Span>();
  const plugin = new Elysia({ name: "traces" }).wrap((handle) => (request: Request, ...rest: unknown[]) => {
    const origin = currentOrigin();
    const span = tracing.start(request.method, {
      kind: "server",
      parent: origin?.traceparent,
      attributes: {
        "http.request.method": request.method,
        "berth.request_id": origin?.request_id ?? "",
      },
    });
    spans.set(request, span);
    return runFor(originWithin(origin, span) ?? {}, () => handle(request, ...rest));
  });
  const ended = ({ request, method, route, status }: EndedRequest): void => {
    const span = spans.get(request);
    span?.rename(`${method} ${route}`);
    span?.end(
      { "http.route": route, "http.response.status_code": Number(status) },
      Number(status) >= 500 ? `status ${status}` : undefined,
    );
  };
  return { plugin, ended };
}
