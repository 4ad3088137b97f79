/**
 * The parts of prom-client that Berth uses. The package's own entry also loads an HTTP client and support of clusters:
 * a tenth of the processor time that the start of a process takes.
 */
export { default as Counter } from "prom-client/lib/counter.js";
export { default as Gauge } from "prom-client/lib/gauge.js";
export { default as Histogram } from "prom-client/lib/histogram.js";
export { default as Registry } from "prom-client/lib/registry.js";
