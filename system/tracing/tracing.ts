import type { Origin } from "../../schemas/origin.ts";
import { SettingError } from "../setting-error.ts";

/** What a process does for one message, from its arrival to its end. */
export interface Span {
  /** The header by which further spans become children of this one (W3C Trace Context). */
  readonly traceparent: string;
  /** @param failure why the work failed */
  end(attributes?: Attributes, failure?: string): void;
  rename(name: string): void;
}

export type Attributes = Readonly<Record<string, string | number>>;

export interface SpanOptions {
  readonly kind: "server" | "client" | "producer" | "consumer" | "internal";
  /** The span that caused this one. */
  readonly parent?: string | undefined;
  readonly attributes?: Attributes;
}

/** Records spans. Undefined wherever it is optional: nothing is traced, and nothing of OpenTelemetry is loaded. */
export interface Tracing {
  start(name: string, options: SpanOptions): Span;
  /** Exports what is left. */
  stop(): Promise<void>;
}

export interface TracingSettings {
  /** The address that spans are sent to, by OTLP over HTTP. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly sampler: string;
  /** The part of all traces that is kept, 0 to 1. */
  readonly ratio: number;
  readonly serviceName: string | undefined;
  readonly attributes: Readonly<Record<string, string>>;
}

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Reads the standard variables of OpenTelemetry; undefined without an endpoint.
 *
 * @throws SettingError
 */
export function readTracingSettings(env: Environment): TracingSettings | undefined {
  const all = env.OTEL_EXPORTER_OTLP_ENDPOINT;
  const url = env.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT || (all && `${all.replace(/\/+$/, "")}/v1/traces`);
  const isOff = env.OTEL_SDK_DISABLED === "true" || env.OTEL_TRACES_EXPORTER === "none";
  const settings = {
    headers: pairs(env.OTEL_EXPORTER_OTLP_HEADERS),
    sampler: env.OTEL_TRACES_SAMPLER || "parentbased_always_on",
    ratio: ratioOf(env.OTEL_TRACES_SAMPLER_ARG || "1"),
    serviceName: env.OTEL_SERVICE_NAME || undefined,
    attributes: pairs(env.OTEL_RESOURCE_ATTRIBUTES),
  };
  if (!url || isOff) return undefined;
  if (!/^https?:/.test(url) || !URL.canParse(url))
    throw new SettingError("OTEL_EXPORTER_OTLP_ENDPOINT has another form than http://host:4318");
  return { url, ...settings };
}

function ratioOf(text: string): number {
  const ratio = /^\d+(\.\d+)?$/.test(text) ? Number(text) : Number.NaN;
  if (ratio >= 0 && ratio <= 1) return ratio;
  throw new SettingError("OTEL_TRACES_SAMPLER_ARG takes a number from 0 to 1");
}

/** `key=value,key=value`, with values in percent-encoding. */
function pairs(text = ""): Record<string, string> {
  const parts = text.split(",").filter((part) => part.includes("="));
  return Object.fromEntries(
    parts.map((part) => {
      const at = part.indexOf("=");
      return [part.slice(0, at).trim(), decode(part.slice(at + 1).trim())];
    }),
  );
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Starts to trace; undefined, and nothing loaded, without an endpoint. @param service its name, where the settings have none */
export async function startTracing(
  settings: TracingSettings | undefined,
  service: string,
): Promise<Tracing | undefined> {
  if (settings === undefined) return undefined;
  const { openTelemetry } = await import("./open-telemetry.ts");
  return openTelemetry(settings, service);
}

/** The origin that the messages of a span carry. */
export const originWithin = (origin: Origin | undefined, span: Span | undefined): Origin | undefined =>
  span === undefined ? origin : { ...origin, traceparent: span.traceparent };
