import { Type } from "@sinclair/typebox";
import { Reply } from "./envelope.ts";

/** The actor runtime as operators see it (design §3 "Operator's surface"). */

const Count = (description: string) => Type.Integer({ minimum: 0, description });

const HostStatus = Type.Object({
  started_at: Type.String({ format: "date-time" }),
  version: Type.Optional(
    Type.String({ description: "of its program; versions before this one do not say it" }),
  ),
  partitions: Count("partitions that the host owns"),
  queued: Count("requests that wait for their actor"),
  actors: Count("actors in memory"),
  quarantined: Type.Array(Type.String(), {
    description: "actors that are quarantined because their records cannot be read, `kind/id`",
  }),
  tasks: Count("timers and messages between actors that are in progress or begin within a minute"),
  tasks_failing: Count("tasks that failed and are retried"),
  undelivered: Count("committed effects that are not delivered yet"),
  commit_ms: Type.Object(
    { p50: Type.Number(), p95: Type.Number(), commits: Count("commits since the host started") },
    { description: "duration of its latest commits, milliseconds" },
  ),
});

export const ClusterReply = Reply(
  Type.Object({
    hosts: Type.Array(
      Type.Object({
        host: Type.String(),
        status: Type.Union([HostStatus, Type.Null()], { description: "as of its latest renewal" }),
      }),
      { description: "actor hosts that are alive" },
    ),
    partitions: Type.Array(
      Type.Object({
        partition: Count("its number, from 0 on"),
        owner: Type.Union([Type.String(), Type.Null()]),
        epoch: Count("raised at every change of owner"),
        expired: Type.Boolean({ description: "the owner has not renewed in time: the partition is free" }),
        undelivered: Count("effects in the outbox without a confirmed delivery"),
      }),
    ),
  }),
);
