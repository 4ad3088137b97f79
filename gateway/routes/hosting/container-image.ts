import { Elysia } from "elysia";
import { readImageToRun } from "../../../actors/hosting/image/queries.ts";
import { isRentalOver } from "../../../actors/market/rental/queries.ts";
import { DomainError } from "../../../schemas/errors.ts";
import { ContainerReply } from "../../../schemas/hosting/container.ts";
import { IdParams } from "../../../schemas/primitives.ts";
import { signedIn } from "../../auth/guards.ts";
import type { GatewayContext } from "../../context.ts";
import { errors, ok } from "../../http/envelope.ts";
import { assertRunnable, reachableContainer } from "./container.ts";

/** A newer image for a container (docs/images.md). */
export const containerImageRoutes = (context: GatewayContext) => {
  const { db, actors, credentials } = context;
  return new Elysia({ prefix: "/api/v1/containers", detail: { tags: ["Containers"] } })
    .use(signedIn(credentials, "resources.write", { realm: true }))
    .post(
      "/:id/pull",
      async ({ caller, params, operation }) => {
        const container = await reachableContainer(context, caller, "operate", params.id);
        const { server_id, user_id, image, image_id } = container;
        if (await isRentalOver(db, server_id))
          throw new DomainError("RENTAL_ENDED", "The rental of its server has ended");
        // The catalogue may sell by now what it did not know when the container was made.
        if (image !== null && image_id === null) await assertRunnable(db, user_id, image.reference);
        const present = image_id === null ? undefined : await readImageToRun(db, user_id, image_id);
        const image_reference = present?.reference ?? undefined;
        const isChanged = image_reference !== undefined && image_reference !== image?.reference;
        await actors
          .container(params.id)
          .pull(
            { by: caller.userId, ...(isChanged ? { image_reference } : {}) },
            operation.scopedTo(caller.userId),
          );
        return ok("Image is looked for", await reachableContainer(context, caller, "read", params.id));
      },
      {
        params: IdParams,
        response: {
          200: ContainerReply,
          ...errors(
            "CONTAINER_NOT_FOUND",
            "CONTAINER_STATE_CONFLICT",
            "IMAGE_NOT_FOUND",
            "RENTAL_ENDED",
            "IDEMPOTENCY_KEY_REUSED",
          ),
        },
        detail: {
          summary: "Take the newest image of a container's reference",
          description:
            "The host asks the registry what the reference means now and pulls that. A container of an image of the catalogue takes the reference that the catalogue's entry has now. The container runs on meanwhile; if the image is another one than the container has, it is then stopped and started again with it. " +
            "Name, address, ports, firewall, storage shares and the folders that its former image declares as volumes stay; its other files are those of the new image. " +
            "If the image cannot be had, the container keeps the one that it has, and `error` of the record says why. `image.digest` of the record names the image that it runs.",
        },
      },
    );
};
