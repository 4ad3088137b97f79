import { Elysia } from "elysia";
import { listAttention, readHoldings } from "../../../actors/platform/overview/queries.ts";
import { type ClusterView, readClusterView } from "../../../actors/runtime/store/cluster/queries.ts";
import { ATTENTION_KINDS, type Attention, NAMES_MAX, OverviewReply } from "../../../schemas/overview.ts";
import { admin } from "../../auth/guards.ts";
import type { GatewayContext } from "../../context.ts";
import { ok } from "../../http/envelope.ts";

/** What an operator looks at first (design §3 "Operator's surface"). */
export const adminOverviewRoutes = ({ db, credentials }: GatewayContext) =>
  new Elysia({ prefix: "/api/v1/admin", detail: { tags: ["Administration"] } }).use(admin(credentials)).get(
    "/overview",
    async () => {
      const [holdings, waiting, cluster] = await Promise.all([
        readHoldings(db),
        listAttention(db),
        readClusterView(db),
      ]);
      const attention = [...waiting, ...clusterAttention(cluster)].toSorted(
        (a, b) => ATTENTION_KINDS.indexOf(a.kind) - ATTENTION_KINDS.indexOf(b.kind),
      );
      return ok("Overview", { holdings, attention });
    },
    {
      response: { 200: OverviewReply },
      detail: {
        summary: "What there is, and what waits for an operator",
        description:
          "`attention` has one item for each kind of thing that an operator should look at, with how many there are and the first names, the most urgent kind first.",
      },
    },
  );

/** What the actor runtime says about itself. */
function clusterAttention({ hosts, partitions }: ClusterView): Attention[] {
  const free = partitions.filter(({ owner, expired }) => owner === null || expired);
  const failing = hosts.filter(({ status }) => (status?.tasks_failing ?? 0) > 0);
  return [
    item(
      "actors_quarantined",
      hosts.flatMap(({ status }) => status?.quarantined ?? []),
    ),
    item(
      "partitions_without_owner",
      free.map(({ partition }) => String(partition)),
    ),
    {
      ...item(
        "tasks_failing",
        failing.map(({ host }) => host),
      ),
      count: tasksOf(failing),
    },
  ].filter(({ count }) => count > 0);
}

const tasksOf = (hosts: ClusterView["hosts"]): number =>
  hosts.reduce((sum, { status }) => sum + (status?.tasks_failing ?? 0), 0);

const item = (kind: Attention["kind"], names: readonly string[]): Attention => ({
  kind,
  count: names.length,
  names: names.slice(0, NAMES_MAX),
});
