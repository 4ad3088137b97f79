import { type Static, Type } from "@sinclair/typebox";
import { Reply } from "../envelope.ts";
import { Id, Nullable, Timestamp } from "../primitives.ts";

/** The current load of a server (spec, control plane §4.3 "runtime"), as measured by its host's agent. */

const Bytes = Type.Integer({ minimum: 0, description: "bytes" });
const Percent = Type.Number({ minimum: 0, maximum: 100 });

/** Of memory and of a disk. */
export const SpaceUsage = Type.Object({
  total_bytes: Bytes,
  used_bytes: Bytes,
  available_bytes: Bytes,
  usage_percent: Percent,
});

export const ContainerUsage = Type.Object({
  id: Id,
  cpu_percent: Nullable(
    Type.Number({ minimum: 0, description: "percent of one core; null where the kernel does not count it" }),
  ),
  memory_bytes: Nullable(Bytes),
});

/** The reply of an agent. */
export const HostUsage = Type.Object({
  measured_at: Timestamp,
  uptime_seconds: Type.Integer({ minimum: 0 }),
  cpu: Type.Object({
    cores: Type.Integer({ minimum: 1 }),
    usage_percent: Type.Number({ minimum: 0, maximum: 100, description: "of all cores together" }),
    load_average: Type.Tuple([Type.Number(), Type.Number(), Type.Number()], {
      description: "averages over 1, 5 and 15 minutes",
    }),
  }),
  memory: SpaceUsage,
  disk: SpaceUsage,
  containers: Type.Array(ContainerUsage),
});
export type HostUsage = Static<typeof HostUsage>;

/** Of a subserver: what its containers use, and the totals of its specifications, which are null where they are not stated. */
const SubserverUsage = Type.Object({
  measured_at: Timestamp,
  uptime_seconds: Type.Integer({ minimum: 0, description: "of the host" }),
  cpu: Type.Object({
    cores: Nullable(Type.Integer({ minimum: 1 })),
    usage_percent: Nullable(
      Type.Number({ minimum: 0, maximum: 100, description: "of the subserver's cores together" }),
    ),
  }),
  memory: Type.Object({
    total_bytes: Nullable(Bytes),
    used_bytes: Nullable(Bytes),
    usage_percent: Nullable(Percent),
  }),
  disk: Type.Object({ total_bytes: Nullable(Bytes) }),
  containers: Type.Array(ContainerUsage),
});
export type SubserverUsage = Static<typeof SubserverUsage>;

const rented = { rental_id: Id, server_id: Id, server_name: Type.String() };
export const RuntimeReply = Reply(
  Type.Union([
    Type.Composite([Type.Object({ scope: Type.Literal("physical"), ...rented }), HostUsage]),
    Type.Composite([Type.Object({ scope: Type.Literal("subserver"), ...rented }), SubserverUsage]),
  ]),
);
