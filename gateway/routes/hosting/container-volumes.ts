import { Elysia } from "elysia";
import { listMountable } from "../../../actors/hosting/storage-share/queries.ts";
import type { Sql } from "../../../actors/platform/db/sql.ts";
import { DomainError, ValidationError } from "../../../schemas/errors.ts";
import { ContainerReply } from "../../../schemas/hosting/container.ts";
import { SetVolumes, type Volume, type VolumeRequest, volumeOf } from "../../../schemas/hosting/volume.ts";
import { faultOfVolumes } from "../../../schemas/hosting/volume-paths.ts";
import { IdParams } from "../../../schemas/primitives.ts";
import { signedIn } from "../../auth/guards.ts";
import type { GatewayContext } from "../../context.ts";
import { errors, ok } from "../../http/envelope.ts";
import { reachableContainer } from "./container.ts";

/** The volumes of a request. @throws VALIDATION_ERROR that names the volume */
export function volumesOf(requests: readonly VolumeRequest[] = []): Volume[] {
  const volumes = requests.map(volumeOf);
  const wrong = faultOfVolumes(volumes);
  if (wrong !== undefined) throw new ValidationError(`body.volumes.${wrong.at}.path`, wrong.fault);
  return volumes;
}

/** @throws STORAGE_SHARE_NOT_FOUND for a share of another project or server */
export async function assertMountable(
  db: Sql,
  volumes: readonly Volume[],
  container: { projectId: string; serverId: string },
): Promise<void> {
  if (volumes.length === 0) return;
  const ids = volumes.map(({ share_id }) => share_id);
  const mountable = await listMountable(db, ids, container);
  const missing = ids.findIndex((id) => !mountable.has(id));
  if (missing !== -1)
    throw new DomainError(
      "STORAGE_SHARE_NOT_FOUND",
      `volumes.${missing}.share_id: the container's project has no such storage share on its server`,
    );
}

/** Which storage shares a container mounts (docs/storage.md). */
export const containerVolumeRoutes = (context: GatewayContext) => {
  const { db, actors, credentials } = context;
  return new Elysia({ prefix: "/api/v1/containers", detail: { tags: ["Storage shares"] } })
    .use(signedIn(credentials, "resources.write", { realm: true }))
    .put(
      "/:id/volumes",
      async ({ caller, params, body, operation }) => {
        const volumes = volumesOf(body.volumes);
        const { project_id, server_id } = await reachableContainer(context, caller, "operate", params.id);
        await assertMountable(db, volumes, { projectId: project_id, serverId: server_id });
        await actors
          .container(params.id)
          .set_volumes({ by: caller.userId, volumes }, operation.scopedTo(caller.userId));
        return ok("Volumes set", await reachableContainer(context, caller, "read", params.id));
      },
      {
        params: IdParams,
        body: SetVolumes,
        response: {
          200: ContainerReply,
          ...errors("CONTAINER_NOT_FOUND", "STORAGE_SHARE_NOT_FOUND", "IDEMPOTENCY_KEY_REUSED"),
        },
        detail: {
          summary: "Set the volumes of a container",
          description:
            "The volumes of the body replace all that the container had. They are mounted at its next start: a running container keeps what it has until it is restarted.",
        },
      },
    );
};
