import { Elysia } from "elysia";
import { listManagedContainers } from "../../../actors/hosting/container/managed/queries.ts";
import {
  CONTAINERS_SORT,
  ManagedContainersQuery,
  ManagedContainersReply,
} from "../../../schemas/hosting/container.ts";
import { LIST_PAGE } from "../../../schemas/paging.ts";
import { admin } from "../../auth/guards.ts";
import type { GatewayContext } from "../../context.ts";
import { ok } from "../../http/envelope.ts";
import { cursorPagination, listPage } from "../../http/paging.ts";

/** The containers of all users, for administrators. */
export const adminContainerRoutes = ({ db, credentials }: GatewayContext) =>
  new Elysia({ prefix: "/api/v1/admin/containers", detail: { tags: ["Administration"] } })
    .use(admin(credentials))
    .get(
      "/",
      async ({ query }) => {
        const page = listPage("admin/containers", query, LIST_PAGE, CONTAINERS_SORT);
        const filter = { ...query, search: page.search };
        const { rows: containers, total, next } = await listManagedContainers(db, filter, page);
        return ok("Containers", { containers, count: total, pagination: cursorPagination(page, next) });
      },
      {
        query: ManagedContainersQuery,
        response: { 200: ManagedContainersReply },
        detail: {
          summary: "The containers of all users, newest first",
          description:
            "Whose each is, where it runs and how it is; nothing of what is in it. Narrowed by `search`, `user_id`, `host`, `server_id` and `state`.",
        },
      },
    );
