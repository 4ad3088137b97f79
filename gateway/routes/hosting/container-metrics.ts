import { Elysia } from "elysia";
import { ContainerMetricsReply, MetricsQuery } from "../../../schemas/hosting/metrics.ts";
import { IdParams } from "../../../schemas/primitives.ts";
import { signedIn } from "../../auth/guards.ts";
import type { GatewayContext } from "../../context.ts";
import { errors, ok } from "../../http/envelope.ts";
import { metricsRange, rangeReply } from "../../http/metrics-range.ts";
import { reachableContainer } from "./container.ts";

/** What a container has used over time, from its host. */
export const containerMetricsRoutes = (context: GatewayContext) =>
  new Elysia({ prefix: "/api/v1/containers", detail: { tags: ["Containers"] } })
    .use(signedIn(context.credentials, "resources.read", { realm: true }))
    .get(
      "/:id/metrics",
      async ({ caller, params, query }) => {
        const { id, server_name } = await reachableContainer(context, caller, "read", params.id);
        const range = metricsRange(query);
        const series = await context.readMetrics(server_name, { ...range, container_ids: [id] });
        return ok("Metrics", { ...rangeReply(range), series });
      },
      {
        params: IdParams,
        query: MetricsQuery,
        response: { 200: ContainerMetricsReply, ...errors("CONTAINER_NOT_FOUND", "HOST_SILENT") },
        detail: {
          summary: "What a container has used over time: CPU, memory, disk, network",
          description:
            "The container's host measures every 10 seconds. It keeps a day of that, and a month of means of 5 minutes. The reply has 1,000 values of each series at most. " +
            "Where the host offers no isolation (driver `process`), only the disk is measured.",
        },
      },
    );
