import { Elysia } from "elysia";
import { readProject } from "../../../actors/accounts/project/queries.ts";
import { listOpenAliases } from "../../../actors/hosting/alias/queries.ts";
import { listContainers, readContainer, readPermitted } from "../../../actors/hosting/container/queries.ts";
import { mayRunReference, readImageToRun } from "../../../actors/hosting/image/queries.ts";
import { isRentalOver } from "../../../actors/market/rental/queries.ts";
import { readHostPlacement, readRentedServer } from "../../../actors/market/server/queries.ts";
import type { Sql } from "../../../actors/platform/db/sql.ts";
import {
  BRIEF_EDGE_SESSION_SECONDS,
  type Caller,
  EDGE_SESSION_SECONDS,
} from "../../../schemas/accounts/auth.ts";
import type { Role } from "../../../schemas/accounts/pool.ts";
import { edgeUrl, serviceUrls } from "../../../schemas/addresses.ts";
import { EmptyReply } from "../../../schemas/envelope.ts";
import { DomainError, ValidationError } from "../../../schemas/errors.ts";
import {
  type AccessUrls,
  type Container,
  ContainerAccessReply,
  ContainerReply,
  ContainersQuery,
  ContainersReply,
  CreateContainer,
  type ServiceUrls,
  type StoredContainer,
} from "../../../schemas/hosting/container.ts";
import { LABEL_KEY } from "../../../schemas/hosting/container-settings.ts";
import { fullReference } from "../../../schemas/hosting/image-reference.ts";
import { hostNotJoined } from "../../../schemas/market/server.ts";
import { LIST_PAGE } from "../../../schemas/paging.ts";
import {
  CONTAINER_ACTS,
  type ContainerAct,
  type ContainerRole,
  mayAct,
  suffices,
} from "../../../schemas/permissions.ts";
import { IdParams } from "../../../schemas/primitives.ts";
import { NAMED_OLDEST_FIRST } from "../../../schemas/sorting.ts";
import { signedIn } from "../../auth/guards.ts";
import { inRealm } from "../../auth/realm.ts";
import type { GatewayContext } from "../../context.ts";
import { createOnHost } from "../../hosts/draining.ts";
import { actorIdFor } from "../../http/actor-id.ts";
import { created, done, errors, ok } from "../../http/envelope.ts";
import { versionTag } from "../../http/if-match.ts";
import { underReachedName } from "../../http/own-names.ts";
import { cursorPagination, listPage, ownList } from "../../http/paging.ts";
import { askedSettings, assertFits } from "./container-settings.ts";
import { assertMountable, volumesOf } from "./container-volumes.ts";

type Reads = Pick<GatewayContext, "db" | "appliedFirewalls" | "edge">;

/** Adds the container's addresses and the newest status of its firewall. */
const upToDate = ({ appliedFirewalls, edge }: Reads, container: StoredContainer): Container => ({
  ...container,
  services: serviceUrls(container, edge),
  firewall: appliedFirewalls.newest(container.id, container.firewall),
});

/**
 * The container with this id, if the caller may do this with it.
 * @throws CONTAINER_NOT_FOUND, also for a container of somebody else; INSUFFICIENT_PERMISSIONS for a member of its
 * pool without the role
 */
export async function reachableContainer(
  reads: Reads,
  caller: Pick<Caller, "userId" | "realmId">,
  act: ContainerAct,
  id: string,
): Promise<Container> {
  const reached = await readContainer(reads.db, caller.userId, id);
  if (reached === undefined || !inRealm(caller, reached.container.project_id))
    throw new DomainError("CONTAINER_NOT_FOUND", "Container not found");
  assertMayAct(reached.role, act);
  return upToDate(reads, reached.container);
}

/** @throws INSUFFICIENT_PERMISSIONS */
export function assertMayAct(role: ContainerRole, act: ContainerAct): void {
  if (!mayAct(role, act)) throw roleMissing(CONTAINER_ACTS[act]);
}

/** @throws INSUFFICIENT_PERMISSIONS */
export function assertRole(role: Role, least: Role): void {
  if (!suffices(role, least)) throw roleMissing(least);
}

const roleMissing = (least: Role) =>
  new DomainError("INSUFFICIENT_PERMISSIONS", `This needs the role ${least} in the server's pool`);

/** The end of a caller's connections to a container, in seconds since the epoch: they do not outlast the credential. */
function edgeSessionEnd({ credential, endsAtMs = Number.POSITIVE_INFINITY }: Caller): number {
  const seconds = credential === "account" ? EDGE_SESSION_SECONDS : BRIEF_EDGE_SESSION_SECONDS;
  return Math.floor(Math.min(Date.now() + seconds * 1_000, endsAtMs) / 1_000);
}

/** The reference of a new container's image; null: an image of the catalogue, or none. @throws VALIDATION_ERROR */
function referenceOf({ image, image_id, args, command }: CreateContainer): string | null {
  if (image !== undefined && image_id !== undefined)
    throw new ValidationError("body.image", "must not be combined with image_id: a container has one image");
  if (args !== undefined && image === undefined && image_id === undefined && command === undefined)
    throw new ValidationError("body.args", "needs a command or an image that takes them");
  return image === undefined ? null : fullReference(image, "body.image");
}

/** The labels of a filter, `key` or `key:value`. @throws VALIDATION_ERROR */
const labelsOf = (label: string | readonly string[] = []) =>
  [label].flat().map((text) => {
    const [key = "", ...rest] = text.split(":");
    if (!new RegExp(LABEL_KEY).test(key))
      throw new ValidationError("query.label", "must be a label's key, or key:value");
    return { key, value: rest.length === 0 ? null : rest.join(":") };
  });

/** @throws IMAGE_NOT_FOUND for what the catalogue sells or hides under this reference, unless the user has it */
export async function assertRunnable(db: Sql, userId: string, reference: string): Promise<void> {
  const run = await mayRunReference(db, userId, reference);
  if (run.allowed) return;
  const why = run.isPublic
    ? ": the catalogue has it; purchase or import it there, then use its image_id"
    : "";
  throw new DomainError("IMAGE_NOT_FOUND", `Image not found${why}`);
}

/** The caller's containers (design §3 "Projects and containers"). */
export const containerRoutes = (context: GatewayContext) => {
  const { db, actors, credentials, issuer, newId, joinedHosts, secrets, publicUrl } = context;
  const reachable = (caller: Caller, act: ContainerAct, id: string) =>
    reachableContainer(context, caller, act, id);
  /** The record, with the revision of its settings as the `ETag`. */
  const tagged = async (set: { headers: { etag?: string } }, caller: Caller, id: string) => {
    const container = await reachable(caller, "read", id);
    set.headers.etag = versionTag(container.revision);
    return container;
  };

  /** A container that the caller may enter: by a role, or by a permission for this container, which ends. */
  async function enterable(caller: Caller, id: string) {
    const permitted = caller.realmId === undefined ? await readPermitted(db, caller.userId, id) : undefined;
    const entered = await reachable(caller, "use", id).catch((error) => {
      if (permitted === undefined || !(error instanceof DomainError)) throw error;
    });
    if (entered !== undefined)
      return {
        id,
        reply: { services: null, urls: entered.services },
        endSeconds: Number.POSITIVE_INFINITY,
      };
    if (permitted === undefined) throw new DomainError("CONTAINER_NOT_FOUND", "Container not found");
    const endMs = permitted.expires_at?.getTime() ?? Number.POSITIVE_INFINITY;
    const { services } = permitted;
    const aliases = services === null ? undefined : await listOpenAliases(db, id, services);
    return {
      id,
      reply: {
        services,
        urls: urlsOf(services, serviceUrls(permitted, context.edge)),
        ...(aliases && {
          aliases: aliases.map(({ alias, program, server_name }) => ({
            program,
            url: edgeUrl(alias, server_name, context.edge),
          })),
        }),
      },
      endSeconds: Math.floor(endMs / 1_000),
    };
  }

  /** Start, stop and restart reply with the record at once; its state changes when the host has done it. */
  const change = (what: "start" | "stop" | "restart", message: string) =>
    new Elysia().use(signedIn(credentials, "resources.write", { realm: true })).post(
      `/:id/${what}`,
      async ({ caller, params, operation }) => {
        const { server_id } = await reachable(caller, "operate", params.id);
        if (what !== "stop" && (await isRentalOver(db, server_id)))
          throw new DomainError("RENTAL_ENDED", "The rental of its server has ended");
        await actors.container(params.id)[what]({ by: caller.userId }, operation.scopedTo(caller.userId));
        return ok(message, await reachable(caller, "read", params.id));
      },
      {
        params: IdParams,
        response: {
          200: ContainerReply,
          ...errors("CONTAINER_NOT_FOUND", "CONTAINER_STATE_CONFLICT", "RENTAL_ENDED"),
        },
        detail: { summary: `${message}; its state changes when the host has done it` },
      },
    );

  const reading = new Elysia()
    .use(signedIn(credentials, "resources.read", { realm: true }))
    .get(
      "/",
      async ({ caller, query }) => {
        const page = listPage(ownList("containers", caller), query, LIST_PAGE, NAMED_OLDEST_FIRST);
        const filter = {
          projectId: query.project_id,
          labels: labelsOf(query.label),
          search: query.search?.toLowerCase(),
        };
        const { rows, total, next } = await listContainers(db, caller, filter, page);
        return ok("Containers", {
          containers: rows.map((container) => upToDate(context, container)),
          count: total,
          pagination: cursorPagination(page, next),
        });
      },
      {
        query: ContainersQuery,
        response: { 200: ContainersReply },
        detail: {
          summary:
            "The containers on your servers and in your pools, and those that you created, oldest first",
        },
      },
    )
    .get("/:id", async ({ caller, params, set }) => ok("Container", await tagged(set, caller, params.id)), {
      params: IdParams,
      response: { 200: ContainerReply, ...errors("CONTAINER_NOT_FOUND") },
      detail: {
        summary: "A container, with its server and the state that its host last applied",
        description:
          "The `ETag` is the revision of its settings, for `If-Match` of a change; it does not change with the container's state.",
      },
    });

  const writing = new Elysia()
    .use(signedIn(credentials, "resources.write", { realm: true }))
    .post(
      "/",
      async ({ caller, body, operation, set }) => {
        const { project_id, server_id, image_id, image: _image, name, volumes: requested, ...asked } = body;
        const reference = referenceOf(body);
        const volumes = volumesOf(requested);
        const id = actorIdFor("container", caller.userId, operation, newId);
        const [made, project, server, runs] = await Promise.all([
          readContainer(db, caller.userId, id),
          readProject(db, caller.userId, project_id),
          readRentedServer(db, caller.userId, server_id),
          image_id === undefined ? { reference, command: [] } : readImageToRun(db, caller.userId, image_id),
        ]);
        const settings = askedSettings(asked, id, secrets);
        // A repeated key is recognized before any other check, even if the rental has ended since.
        if (made === undefined) {
          if (project === undefined || !inRealm(caller, project_id))
            throw new DomainError("PROJECT_NOT_FOUND", "Project not found");
          if (server === undefined)
            throw new DomainError(
              "SERVER_NOT_FOUND",
              "Server not found: you neither rent one with this id nor share one through a pool",
            );
          assertRole(server.role, CONTAINER_ACTS.operate);
          if (runs === undefined) throw new DomainError("IMAGE_NOT_FOUND", "Image not found");
          if (reference !== null) await assertRunnable(db, caller.userId, reference);
          await assertFits(db, server_id, body.resources);
          await assertMountable(db, volumes, { projectId: project_id, serverId: server_id });
          if (!server.joined) await joinedHosts.probe(server.name);
          if (!server.joined && (await readRentedServer(db, caller.userId, server_id))?.joined !== true)
            throw hostNotJoined();
        }
        const server_name = server?.name ?? made?.container.server_name ?? "";
        const create = () =>
          actors.container(id).create(
            {
              user_id: caller.userId,
              project_id,
              server_id,
              server_name,
              image_id: image_id ?? null,
              image_reference: runs?.reference ?? null,
              name,
              image_args: runs?.command ?? [],
              ...(Object.keys(settings).length === 0 ? {} : { settings }),
              volumes,
            },
            operation,
          );
        if (made !== undefined) await create();
        else await createOnHost(db, server_name, { create, undo: () => actors.container(id).delete({}) });
        return created("Container created", await tagged(set, caller, id));
      },
      {
        body: CreateContainer,
        response: {
          201: ContainerReply,
          ...errors(
            "PROJECT_NOT_FOUND",
            "SERVER_NOT_FOUND",
            "IMAGE_NOT_FOUND",
            "STORAGE_SHARE_NOT_FOUND",
            "HOST_NOT_JOINED",
            "SECRETS_NOT_CONFIGURED",
            "HOST_DRAINING",
            "NAME_TAKEN",
            "QUOTA_EXCEEDED",
            "IDEMPOTENCY_KEY_REUSED",
          ),
        },
        detail: {
          summary: "Create a container on a server that you rent, and start it",
          description:
            "The container's file system comes from an image: one of the catalogue (`image_id`), or any image of a registry (`image`). The field `image` of the record shows the progress of the pull. Without either, the container sees the programs of its host. " +
            "`command` and `args` have the meaning that they have in Kubernetes: `command` takes the place of the image's entry point, `args` that of its arguments; a `command` alone runs without the image's arguments. " +
            "Values of `env` that are marked `secret` are stored encrypted and never shown again.",
        },
      },
    )
    .delete(
      "/:id",
      async ({ caller, params, operation }) => {
        const container = await reachable(caller, "delete", params.id);
        await actors.container(params.id).delete({}, operation.scopedTo(caller.userId));
        // Frees its aliases, which reply 404 at once. If this fails, the reconciler of hosts does it.
        const host = await readHostPlacement(db, container.server_id).catch(() => undefined);
        await actors
          .alias(host?.server_id ?? container.server_id)
          .discard({ container_id: container.id })
          .catch(() => {});
        return done("Container deleted");
      },
      {
        params: IdParams,
        response: { 200: EmptyReply, ...errors("CONTAINER_NOT_FOUND") },
        detail: {
          summary: "Delete a container and everything in it",
          description:
            "Allowed for the renter of its server, admins of the server's pool, and its creator, also after leaving the pool.",
        },
      },
    )
    .post(
      "/:id/access",
      async ({ caller, params, request }) => {
        const { id, reply, endSeconds } = await enterable(caller, params.id);
        const { token, expiresIn } = await issuer.issueForContainer({
          sub: caller.userId,
          sid: caller.sessionId,
          ...(caller.impersonatorId === undefined ? {} : { act: { sub: caller.impersonatorId } }),
          container_id: id,
          session_exp: Math.min(edgeSessionEnd(caller), endSeconds),
          console: new URL(underReachedName(publicUrl, request.headers.get("origin"))).origin,
        });
        return ok("Access to the container's services", {
          access_token: token,
          expires_in: expiresIn,
          ...reply,
        });
      },
      {
        params: IdParams,
        response: { 200: ContainerAccessReply, ...errors("CONTAINER_NOT_FOUND") },
        // Each reply is a new credential: an idempotency key would have no effect.
        detail: {
          summary: "A credential for a container's terminal, pipe and notifications",
          "x-idempotency-key": false,
        },
      },
    );

  return new Elysia({ prefix: "/api/v1/containers", detail: { tags: ["Containers"] } })
    .use(reading)
    .use(writing)
    .use(change("start", "Container starting"))
    .use(change("stop", "Container stopping"))
    .use(change("restart", "Container restarting"));
};

/** The addresses of those services alone that a permission is for; null: of all. */
const urlsOf = (services: readonly string[] | null, urls: ServiceUrls): AccessUrls =>
  Object.fromEntries(Object.entries(urls).filter(([service]) => services?.includes(service) ?? true));
