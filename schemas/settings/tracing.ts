import { List, type Role, type Setting, Text, Url, Word } from "./setting.ts";

const roles: readonly Role[] = ["gateway", "actors", "agent"];

/** Traces, by OpenTelemetry's standard names (docs/operations.md#traces). */
export const tracing: readonly Setting[] = [
  {
    name: "OTEL_EXPORTER_OTLP_ENDPOINT",
    roles,
    type: Url,
    meaning:
      "the collector that gets [traces](operations.md#traces), `http://collector:4318`; without it nothing is traced",
  },
  {
    name: "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT",
    roles,
    type: Url,
    standardIs: "the same with `/v1/traces`",
    meaning: "the whole address, in place of the one above",
  },
  {
    name: "OTEL_EXPORTER_OTLP_HEADERS",
    roles,
    type: List,
    meaning: "headers for the collector, `name=value,…`",
    isSecret: true,
  },
  {
    name: "OTEL_TRACES_SAMPLER",
    roles,
    type: Word(
      "always_on",
      "always_off",
      "traceidratio",
      "parentbased_always_on",
      "parentbased_always_off",
      "parentbased_traceidratio",
    ),
    standard: "parentbased_always_on",
    meaning:
      "which traces are kept; `parentbased_…` does as the client's `traceparent` says, and as the rest of the word where there is none",
  },
  {
    name: "OTEL_TRACES_SAMPLER_ARG",
    roles,
    type: Text,
    standard: "1",
    meaning: "the part that `traceidratio` keeps, from 0 to 1",
  },
  {
    name: "OTEL_TRACES_EXPORTER",
    roles,
    type: Word("otlp", "none"),
    standard: "otlp",
    meaning: "`none`: nothing is traced",
  },
  {
    name: "OTEL_SDK_DISABLED",
    roles,
    type: Word("true", "false"),
    standard: "false",
    meaning: "`true`: nothing is traced",
  },
  {
    name: "OTEL_SERVICE_NAME",
    roles,
    type: Text,
    standardIs: "`berth-gateway`, `berth-actors` or `berth-agent`",
    meaning: "the name of the process in traces",
  },
  {
    name: "OTEL_RESOURCE_ATTRIBUTES",
    roles,
    type: List,
    meaning: "further attributes of the process in traces, `name=value,…`",
  },
];
