import {
  type Context,
  type Span as OpenTelemetrySpan,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  TraceFlags,
  trace,
} from "@opentelemetry/api";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import { resourceFromAttributes } from "@opentelemetry/resources";
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BasicTracerProvider,
  BatchSpanProcessor,
  ParentBasedSampler,
  type Sampler,
  TraceIdRatioBasedSampler,
} from "@opentelemetry/sdk-trace-base";
import type { Span, SpanOptions, Tracing, TracingSettings } from "./tracing.ts";

/** A trace can be looked up a second after its request. */
const EXPORT_MS = 1_000;

const KINDS: Record<SpanOptions["kind"], SpanKind> = {
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  producer: SpanKind.PRODUCER,
  consumer: SpanKind.CONSUMER,
  internal: SpanKind.INTERNAL,
};

/** The tracing of a process that exports by OTLP. Only loaded where it is used. */
export function openTelemetry(settings: TracingSettings, service: string): Tracing {
  const provider = new BasicTracerProvider({
    resource: resourceFromAttributes({
      ...settings.attributes,
      "service.name": settings.serviceName ?? service,
    }),
    sampler: samplerOf(settings),
    spanProcessors: [
      new BatchSpanProcessor(new OTLPTraceExporter({ url: settings.url, headers: { ...settings.headers } }), {
        scheduledDelayMillis: EXPORT_MS,
      }),
    ],
  });
  const tracer = provider.getTracer("berth");
  return {
    start(name, { kind, parent, attributes = {} }) {
      return toSpan(tracer.startSpan(name, { kind: KINDS[kind], attributes }, contextOf(parent)));
    },
    stop: () => provider.shutdown(),
  };
}

function toSpan(span: OpenTelemetrySpan): Span {
  const { traceId, spanId, traceFlags } = span.spanContext();
  return {
    traceparent: `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, "0")}`,
    rename: (name) => void span.updateName(name),
    end(attributes = {}, failure) {
      span.setAttributes(attributes);
      if (failure !== undefined) span.setStatus({ code: SpanStatusCode.ERROR, message: failure });
      span.end();
    },
  };
}

function contextOf(traceparent: string | undefined): Context {
  const [, traceId, spanId, flags] = traceparent?.split("-") ?? [];
  if (traceId === undefined || spanId === undefined) return ROOT_CONTEXT;
  const traceFlags = Number.parseInt(flags ?? "0", 16) & TraceFlags.SAMPLED;
  return trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId, traceFlags, isRemote: true });
}

/** By the names of OpenTelemetry's specification. */
function samplerOf({ sampler, ratio }: TracingSettings): Sampler {
  const [, base = "always_on"] = /^(?:parentbased_)?(.+)$/.exec(sampler) ?? [];
  const root =
    base === "always_off"
      ? new AlwaysOffSampler()
      : base === "traceidratio"
        ? new TraceIdRatioBasedSampler(ratio)
        : new AlwaysOnSampler();
  return sampler.startsWith("parentbased_") ? new ParentBasedSampler({ root }) : root;
}
