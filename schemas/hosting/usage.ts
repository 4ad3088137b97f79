import { type Static, Type } from "@sinclair/typebox";
import { Reply } from "../envelope.ts";
import { Id, Nullable, Timestamp } from "../primitives.ts";

/** What a server does just now (spec, control plane §4.3 "runtime"). Read by its host's agent. */

const Bytes = Type.Integer({ minimum: 0, description: "bytes" });
const Percent = Type.Number({ minimum: 0, maximum: 100 });

const ContainerUsage = Type.Object({
  id: Id,
  cpu_percent: Nullable(
    Type.Number({ minimum: 0, description: "of one core; null where the kernel does not count it" }),
  ),
  memory_bytes: Nullable(Bytes),
});

/** What an agent answers. */
export const HostUsage = Type.Object({
  measured_at: Timestamp,
  uptime_seconds: Type.Integer({ minimum: 0 }),
  cpu: Type.Object({
    cores: Type.Integer({ minimum: 1 }),
    usage_percent: Type.Number({ minimum: 0, maximum: 100, description: "of all cores together" }),
    load_average: Type.Tuple([Type.Number(), Type.Number(), Type.Number()], {
      description: "of 1, 5 and 15 minutes",
    }),
  }),
  memory: Type.Object({
    total_bytes: Bytes,
    used_bytes: Bytes,
    available_bytes: Bytes,
    usage_percent: Percent,
  }),
  disk: Type.Object({
    total_bytes: Bytes,
    used_bytes: Bytes,
    available_bytes: Bytes,
    usage_percent: Percent,
  }),
  containers: Type.Array(ContainerUsage),
});
export type HostUsage = Static<typeof HostUsage>;

export const RuntimeReply = Reply(
  Type.Composite([
    Type.Object({
      scope: Type.Literal("physical"),
      rental_id: Id,
      server_id: Id,
      server_name: Type.String(),
    }),
    HostUsage,
  ]),
);
