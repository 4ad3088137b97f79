import { Elysia } from "elysia";
import { readClusterView } from "../../../actors/runtime/store/cluster/queries.ts";
import { ClusterReply } from "../../../schemas/cluster.ts";
import { admin } from "../../auth/guards.ts";
import type { GatewayContext } from "../../context.ts";
import { ok } from "../../http/envelope.ts";

/** How the actor runtime is doing (design §3 "Operator's surface"). */
export const clusterRoutes = ({ db, credentials }: GatewayContext) =>
  new Elysia({ prefix: "/api/v1/admin", detail: { tags: ["Administration"] } })
    .use(admin(credentials))
    .get("/cluster", async () => ok("Cluster retrieved", await readClusterView(db)), {
      response: { 200: ClusterReply },
      detail: {
        summary: "Actor hosts and partitions",
        description:
          "Who owns which partition in which epoch; each host's queues, commit times and what it has left to deliver, as of its latest renewal.",
      },
    });
