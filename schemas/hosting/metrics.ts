import { type Static, Type } from "@sinclair/typebox";
import { Reply } from "../envelope.ts";
import { QueryInteger } from "../paging.ts";
import { Id, Nullable, OneOf, Strict, Timestamp } from "../primitives.ts";

/** What containers and servers have used over time, as their host has measured it. */

/** A host measures at this interval, and keeps that for a day. */
export const METRICS_STEP_SECONDS = 10;
export const METRICS_FINE_SECONDS = 24 * 60 * 60;
/** For a month it keeps the means of this interval. */
export const METRICS_COARSE_STEP_SECONDS = 5 * 60;
export const METRICS_COARSE_SECONDS = 31 * 24 * 60 * 60;
/** Values of one series in a reply. */
export const METRICS_POINTS_MAX = 1_000;

export const MetricsQuery = Strict({
  from: Type.Optional(Type.String({ description: "RFC 3339; an hour before `to` by default" })),
  to: Type.Optional(Type.String({ description: "RFC 3339; now by default" })),
  step: Type.Optional(
    Type.Unsafe<string>({
      ...QueryInteger,
      description: `seconds for which each value is the mean: a multiple of ${METRICS_STEP_SECONDS}; of ${METRICS_COARSE_STEP_SECONDS} where the range begins more than a day ago. By default what gives a few hundred values`,
    }),
  ),
});
export type MetricsQuery = Static<typeof MetricsQuery>;

const Series = (description: string) =>
  Type.Array(Nullable(Type.Number({ minimum: 0 })), { maxItems: METRICS_POINTS_MAX, description });

export const MetricsSeries = Type.Object(
  {
    cpu_percent: Series("percent of one core: two busy cores are 200"),
    memory_bytes: Series("memory in use"),
    disk_bytes: Series("disk space in use"),
    network_received_bytes_per_second: Series("what came in over the network"),
    network_sent_bytes_per_second: Series("what went out over the network"),
  },
  {
    description:
      "Value n of each is for the time from `from` + n·`step_seconds` on. null: nothing was measured then, because it did not run, its host's agent did not, or the kernel does not count it",
  },
);
export type MetricsSeries = Static<typeof MetricsSeries>;
export const METRIC_NAMES = Object.keys(MetricsSeries.properties) as (keyof MetricsSeries)[];

const range = {
  from: Type.Unsafe<string>({ ...Timestamp, description: "the asked time, brought down to a whole step" }),
  to: Type.Unsafe<string>({ ...Timestamp, description: "the asked time, brought up to a whole step" }),
  step_seconds: Type.Integer({ minimum: METRICS_STEP_SECONDS }),
};

export const ContainerMetrics = Type.Object({ ...range, series: MetricsSeries });
export type ContainerMetrics = Static<typeof ContainerMetrics>;
export const ContainerMetricsReply = Reply(ContainerMetrics);

export const RentalMetrics = Type.Object({
  scope: OneOf(
    ["physical", "subserver"],
    "`physical`: of the whole server; `subserver`: the sum of its containers",
  ),
  rental_id: Id,
  server_id: Id,
  server_name: Type.String(),
  ...range,
  series: MetricsSeries,
});
export const RentalMetricsReply = Reply(RentalMetrics);

/** A range whose ends are whole steps, in seconds since the epoch. */
export const MetricsRange = Type.Object({
  from: Type.Integer({ minimum: 0 }),
  to: Type.Integer({ minimum: 0 }),
  step: Type.Integer({ minimum: METRICS_STEP_SECONDS }),
});
export type MetricsRange = Static<typeof MetricsRange>;

/** A request to a host's agent: the sum of these containers, or with null the host itself. */
export const HostMetricsRequest = Type.Composite([
  MetricsRange,
  Type.Object({ container_ids: Nullable(Type.Array(Id)) }),
]);
export type HostMetricsRequest = Static<typeof HostMetricsRequest>;
