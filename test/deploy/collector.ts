/** A collector of OpenTelemetry: what it gets by OTLP over HTTP, in JSON. */

export interface CollectedSpan {
  readonly service: string;
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string;
}

interface Export {
  resourceSpans: {
    resource: { attributes: { key: string; value: { stringValue: string } }[] };
    scopeSpans: { spans: Omit<CollectedSpan, "service">[] }[];
  }[];
}

/** Adds each span to `into`. */
export const startCollector = (into: CollectedSpan[]) =>
  Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    routes: {
      "/v1/traces": async (request) => {
        for (const { resource, scopeSpans } of ((await request.json()) as Export).resourceSpans) {
          const name = resource.attributes.find(({ key }) => key === "service.name");
          for (const span of scopeSpans.flatMap(({ spans }) => spans))
            into.push({ ...span, service: name?.value.stringValue ?? "" });
        }
        return Response.json({});
      },
    },
  });

/** Adds each line of JSON to `into`, until the stream ends. */
export async function collectLines(
  from: ReadableStream<Uint8Array>,
  into: Record<string, unknown>[],
): Promise<void> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const chunk of from) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) into.push(JSON.parse(line));
  }
}
