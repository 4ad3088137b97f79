import { Elysia } from "elysia";
import { ContainerReply, UpdateContainer } from "../../../schemas/hosting/container.ts";
import { IdParams } from "../../../schemas/primitives.ts";
import { signedIn } from "../../auth/guards.ts";
import type { GatewayContext } from "../../context.ts";
import { errors, ok } from "../../http/envelope.ts";
import { requireIfMatch, versionTag } from "../../http/if-match.ts";
import { reachableContainer } from "./container.ts";
import { assertFits, changedSettings } from "./container-settings.ts";

/** Changes of what a container was created with. */
export const containerUpdateRoutes = (context: GatewayContext) =>
  new Elysia({ prefix: "/api/v1/containers", detail: { tags: ["Containers"] } })
    .use(signedIn(context.credentials, "resources.write", { realm: true }))
    .patch(
      "/:id",
      async ({ caller, params, body, operation, request, set }) => {
        const { server_id } = await reachableContainer(context, caller, "operate", params.id);
        const revisions = requireIfMatch(request);
        await assertFits(context.db, server_id, body.resources);
        const settings = changedSettings(body, params.id, context.secrets);
        await context.actors
          .container(params.id)
          .update({ revisions, settings }, operation.scopedTo(caller.userId));
        const container = await reachableContainer(context, caller, "read", params.id);
        set.headers.etag = versionTag(container.revision);
        return ok(messageOf(container.restart_required), container);
      },
      {
        params: IdParams,
        body: UpdateContainer,
        response: {
          200: ContainerReply,
          ...errors(
            "CONTAINER_NOT_FOUND",
            "NAME_TAKEN",
            "PRECONDITION_FAILED",
            "PRECONDITION_REQUIRED",
            "SECRETS_NOT_CONFIGURED",
            "IDEMPOTENCY_KEY_REUSED",
          ),
        },
        detail: {
          summary: "Change a container's settings",
          description:
            "What is left out stays as it is; a field that is given takes the place of the whole former one. `If-Match` names the revision that was read (the `ETag` of the record). " +
            "Name, command, arguments and environment are those of the next start: `restart_required` of the reply lists what a running container does not have yet. " +
            "Resources change while it runs, where its host can (`resources.applied`); labels, ports, restart policy, health check, and signal and time to stop at once. In `env`, a secret that is given without a `value` keeps the value that it has. " +
            "The reference of the image and the server of a container do not change; `POST …/{id}/pull` takes a newer image of the same reference, or of the one that the catalogue's entry has now.",
          "x-if-match": true,
        },
      },
    );

const messageOf = (restartRequired: readonly string[]): string =>
  restartRequired.length === 0
    ? "Container updated"
    : `Container updated; a restart applies: ${restartRequired.join(", ")}`;
