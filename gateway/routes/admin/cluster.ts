import { Elysia } from "elysia";
import { readClusterView } from "../../../actors/runtime/store/cluster/queries.ts";
import { ClusterReply } from "../../../schemas/cluster.ts";
import { admin } from "../../auth/guards.ts";
import type { GatewayContext } from "../../context.ts";
import { ok } from "../../http/envelope.ts";

/** The state of the actor runtime (design §3 "Operator's surface"). */
export const adminClusterRoutes = ({ db, credentials }: GatewayContext) =>
  new Elysia({ prefix: "/api/v1/admin", detail: { tags: ["Administration"] } })
    .use(admin(credentials))
    .get("/cluster", async () => ok("Cluster retrieved", await readClusterView(db)), {
      response: { 200: ClusterReply },
      detail: {
        summary: "Actor hosts and partitions",
        description:
          "The owner and epoch of each partition; the queues, commit times and undelivered messages of each actor host, as of its latest renewal.",
      },
    });
