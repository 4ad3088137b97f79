import { type Static, Type } from "@sinclair/typebox";
import { serverAudience } from "../../../schemas/audiences.ts";
import { DomainError } from "../../../schemas/errors.ts";
import type { EventType } from "../../../schemas/events.ts";
import { ContainerPermission } from "../../../schemas/hosting/container-permission.ts";
import { ContainerName } from "../../../schemas/hosting/container-settings.ts";
import { ContainerStatus, type DesiredContainer, TerminalOpened } from "../../../schemas/hosting/desired.ts";
import { REFERENCE_LENGTH_MAX } from "../../../schemas/hosting/image-reference.ts";
import { Volume } from "../../../schemas/hosting/volume.ts";
import { Id, Nullable, Strict } from "../../../schemas/primitives.ts";
import { deletedAccountConflict } from "../../platform/deleted-account.ts";
import { idempotencyKeyReused } from "../../platform/idempotency-key-reused.ts";
import { quotaConflicts } from "../../platform/quota-conflicts.ts";
import { recordEvent } from "../../platform/record-event.ts";
import { actor, type Context, command } from "../../runtime/definition.ts";
import { DESIRED_TOPIC } from "../host/desired.ts";
import {
  expirePermissions,
  GrantInput,
  grantPermission,
  RevokeInput,
  recordPermissionEvent,
  revokePermission,
} from "./permissions.ts";
import {
  assertPresent,
  type ContainerRecord,
  failsAgain,
  markUnreachable,
  pullImage,
  report,
  requestState,
  restart,
  setVolumes,
} from "./rules.ts";
import { AskedSettings, NamedSettings, newSettings, updateSettings } from "./settings.ts";
import { containerTable } from "./table.ts";

type State = ContainerRecord | null;

/** The gateway has checked that the caller may use the project and the server, and has read what the image runs. */
const CreateInput = Strict({
  user_id: Id,
  project_id: Id,
  server_id: Id,
  server_name: Type.String(),
  image_id: Nullable(Id),
  image_reference: Nullable(Type.String({ maxLength: REFERENCE_LENGTH_MAX })),
  name: ContainerName,
  /** The arguments that an entry of the catalogue has, where the user gives none. */
  image_args: Type.Array(Type.String({ maxLength: 4096 }), { maxItems: 64 }),
  settings: Type.Optional(AskedSettings),
  volumes: Type.Optional(Type.Array(Volume)),
});
const UpdateInput = Strict({
  /** The revisions that the caller has seen; null: any. */
  revisions: Nullable(Type.Array(Type.Integer())),
  settings: NamedSettings,
});
const Done = Type.Object({});
const CommandInput = Strict({
  by: Id,
  /** Its name alone: arguments may be secret. */
  program: Type.String({ maxLength: 200 }),
  command_id: Id,
  /** Of the whole request: the same key is for the same request. */
  digest: Type.String({ maxLength: 64 }),
});
const CommandRecorded = Type.Object({ command_id: Id });
/** The caller; undefined for Berth itself. */
const Asked = Strict({ by: Type.Optional(Id) });
const PullInput = Strict({
  ...Asked.properties,
  /** What its entry of the catalogue has now, where that is another reference than its own. */
  image_reference: Type.Optional(Type.String({ maxLength: REFERENCE_LENGTH_MAX })),
});

/** Containers. Keyed by container. */
export const containerActor = actor("container", {
  table: containerTable,
  empty: (): State => null,
  conflicts: {
    ...quotaConflicts("containers_per_user", "containers_per_project", "containers_per_server"),
    ...deletedAccountConflict(),
    containers_project_name: { code: "NAME_TAKEN", message: "the project has a container of this name" },
    containers_project: { code: "PROJECT_NOT_FOUND", message: "Project not found" },
    containers_server: { code: "SERVER_NOT_FOUND", message: "Server not found" },
    // A share that was deleted at the same time.
    container_volumes_share: { code: "STORAGE_SHARE_NOT_FOUND", message: "Storage share not found" },
    containers_image: { code: "IMAGE_NOT_FOUND", message: "Image not found" },
  },
  on: {
    create: command(
      CreateInput,
      Done,
      (container: State, input: Static<typeof CreateInput>, ctx: Context<State>) => {
        if (container !== null) throw idempotencyKeyReused();
        const { settings = {} } = input;
        const args = settings.args ?? (settings.command?.length ? [] : input.image_args);
        change(
          ctx,
          "container.created",
          {
            userId: input.user_id,
            projectId: input.project_id,
            serverId: input.server_id,
            serverName: input.server_name,
            imageId: input.image_id,
            imageReference: input.image_reference,
            image: null,
            ...newSettings(input.name, { ...settings, args }),
            settingsRevision: 1,
            settingChanges: {},
            permissions: [],
            volumes: input.volumes ?? [],
            desiredState: "running",
            desiredRevision: 1,
            generation: 1,
            accessRevision: 0,
            specsRevision: 0,
            restartingRevision: null,
            imageGeneration: 0,
            pullingRevision: null,
            state: "creating",
            driver: null,
            address: null,
            error: null,
            startedRevision: null,
            exit: null,
            health: null,
            restarts: 0,
            appliedResources: null,
            createdAt: ctx.now,
          },
          input.user_id,
        );
        return {};
      },
      // The server's name and the image's arguments were read by the gateway and may have changed by the time of a
      // replay.
      {
        fingerprint: ({
          user_id,
          project_id,
          server_id,
          image_id,
          name,
          image_reference,
          settings,
          volumes = [],
        }) =>
          JSON.stringify([
            ...[user_id, project_id, server_id, image_id, name],
            ...(image_id === null && image_reference !== null ? [image_reference] : []),
            ...(settings === undefined ? [] : [settings]),
            ...(volumes.length > 0 ? [volumes] : []),
          ]),
      },
    ),

    /** Changes what users choose. No event type of the contract tells of it. */
    update: command(
      UpdateInput,
      Type.Object({ revision: Type.Integer() }),
      (state: State, { settings, revisions }, ctx: Context<State>) => {
        const container = requireContainer(state);
        assertPresent(container);
        const updated = updateSettings(container, settings, revisions);
        if (updated !== container) ctx.setState(updated);
        if (updated.desiredRevision !== container.desiredRevision)
          ctx.emit(DESIRED_TOPIC, { kind: "container", id: ctx.actorId });
        return { revision: updated.settingsRevision };
      },
    ),

    start: command(Asked, Done, (state: State, { by }, ctx: Context<State>) =>
      askFor(ctx, requireContainer(state), "running", "container.starting", by),
    ),
    stop: command(Asked, Done, (state: State, { by }, ctx: Context<State>) =>
      askFor(ctx, requireContainer(state), "stopped", "container.stopping", by),
    ),
    restart: command(Asked, Done, (state: State, { by }, ctx: Context<State>) => {
      change(ctx, "container.restarting", restart(requireContainer(state)), by);
      return {};
    }),
    /** Has the host resolve the reference of its image again, and take what it means now. */
    pull: command(
      PullInput,
      Done,
      (state: State, { by, image_reference }, ctx: Context<State>) => {
        const container = pullImage(requireContainer(state), image_reference);
        ctx.setState(container);
        ctx.emit(DESIRED_TOPIC, { kind: "container", id: ctx.actorId });
        const data = { pull: true, ...imageOf(container) };
        recordContainerEvent(ctx, "container.restarting", container, data, by);
        return {};
      },
      // The gateway has read the reference, which may have changed by the time of a replay.
      { fingerprint: ({ by }) => JSON.stringify({ by }) },
    ),
    /** The gateway has checked that the shares are of its project and server. A running container keeps those that it has. */
    set_volumes: command(
      Strict({ ...Asked.properties, volumes: Type.Array(Volume) }),
      Done,
      (state: State, { by, volumes }, ctx: Context<State>) => {
        const changed = setVolumes(requireContainer(state), volumes);
        if (changed === undefined) return {};
        ctx.setState(changed.container);
        ctx.emit(DESIRED_TOPIC, { kind: "container", id: ctx.actorId });
        for (const { share_id, ...volume } of changed.removed)
          recordShareEvent(ctx, changed.container, share_id, { removed_volume: volume }, by);
        for (const { share_id, ...volume } of changed.added)
          recordShareEvent(ctx, changed.container, share_id, { volume }, by);
        return {};
      },
    ),
    /** The gateway has checked that the caller may, and has found the user. */
    grant_permission: command(GrantInput, ContainerPermission, (state: State, input, ctx: Context<State>) => {
      const { container, permission } = grantPermission(requirePresent(state), input, ctx.now);
      saveAccess(ctx, container);
      recordPermissionEvent(ctx, "proxy_permissions.granted", container, permission, input.by);
      return permission;
    }),
    revoke_permission: command(RevokeInput, Done, (state: State, { by, user_id }, ctx: Context<State>) => {
      const { container, revoked } = revokePermission(requirePresent(state), user_id);
      saveAccess(ctx, container);
      recordPermissionEvent(ctx, "proxy_permissions.revoked", container, revoked, by);
      return {};
    }),
    /** Removes permissions whose time is over: nobody enters by them any more, with or without this. */
    expire_permissions: command(Strict({}), Done, (state: State, _input, ctx: Context<State>) => {
      const expired = state === null ? undefined : expirePermissions(state, ctx.now);
      if (expired === undefined) return {};
      saveAccess(ctx, expired.container);
      for (const permission of expired.revoked)
        recordPermissionEvent(ctx, "proxy_permissions.revoked", expired.container, permission, undefined);
      return {};
    }),
    /** Has the host delete the container; the host's report then deletes the record. Its shares are free at once. */
    delete: command(Strict({}), Done, (state: State, _input, ctx: Context<State>) => {
      const container = requestState(requireContainer(state), "deleted");
      ctx.setState({ ...container, state: "deleted", volumes: [], permissions: [] });
      for (const permission of container.permissions)
        recordPermissionEvent(ctx, "proxy_permissions.revoked", container, permission, undefined);
      ctx.emit(DESIRED_TOPIC, { kind: "container", id: ctx.actorId });
      return {};
    }),

    /** Publishes a changed access list to the host. */
    update_access: command(
      Strict({ access_revision: Type.Integer() }),
      Done,
      (container: State, { access_revision }, ctx: Context<State>) => {
        if (container === null || container.accessRevision === access_revision) return {};
        ctx.setState({
          ...container,
          accessRevision: access_revision,
          desiredRevision: container.desiredRevision + 1,
        });
        ctx.emit(DESIRED_TOPIC, { kind: "container", id: ctx.actorId });
        return {};
      },
    ),

    /** Publishes changed specifications of its server to the host, which holds the container to them while it runs. */
    update_specs: command(
      Strict({ specs_revision: Type.Integer() }),
      Done,
      (container: State, { specs_revision }, ctx: Context<State>) => {
        if (container === null || container.specsRevision >= specs_revision) return {};
        ctx.setState({
          ...container,
          specsRevision: specs_revision,
          desiredRevision: container.desiredRevision + 1,
        });
        ctx.emit(DESIRED_TOPIC, { kind: "container", id: ctx.actorId });
        return {};
      },
    ),

    /**
     * Handles a report of its host. The reply says whether the record was deleted, so that dependent records can be
     * deleted too.
     */
    report: command(
      ContainerStatus,
      Type.Object({ gone: Type.Boolean() }),
      (container: State, status, ctx: Context<State>) => {
        if (container === null) return { gone: true };
        const reported = report(container, status);
        if (reported === undefined) return { gone: false };
        ctx.setState(reported.container);
        const now = reported.container ?? container;
        for (const type of reported.events)
          recordContainerEvent(ctx, type, now, {
            ...failure(status.error),
            ...(type === "container.error" && failsAgain(container, now) ? { again: true } : {}),
            ...imageOf(reported.container),
            ...healthOf(reported.container),
          });
        return { gone: reported.container === null };
      },
    ),

    /** Records that a user opened terminals, as its host reports; the sender has checked that the user may. */
    record_terminal_opened: command(
      TerminalOpened,
      Done,
      (container: State, opening, ctx: Context<State>) => {
        const { user_id, terminal_id, count, opened_at } = opening;
        if (container === null) return {};
        recordContainerEvent(
          ctx,
          "container.terminal_opened",
          container,
          { terminal_id, count, opened_at },
          user_id,
        );
        return {};
      },
    ),

    /**
     * Records that a user runs a command, before it runs. A repeated request gets the id of the first one, which the host runs
     * once.
     */
    record_command: command(
      CommandInput,
      CommandRecorded,
      (state: State, { by, program, command_id }, ctx: Context<State>) => {
        const container = requireContainer(state);
        if (container.state !== "running")
          throw new DomainError("CONTAINER_STATE_CONFLICT", "The container does not run");
        const opened_at = ctx.now.toISOString();
        recordContainerEvent(
          ctx,
          "container.terminal_opened",
          container,
          { command: program, opened_at },
          by,
        );
        return { command_id };
      },
      { fingerprint: ({ by, digest }) => JSON.stringify([by, digest]) },
    ),

    /** Marks that its host does not respond. The container's state may be unchanged, so there is no event. */
    mark_unreachable: command(Strict({}), Done, (container: State, _input, ctx: Context<State>) => {
      const silent = container === null ? undefined : markUnreachable(container);
      if (silent !== undefined) ctx.setState(silent);
      return {};
    }),
  },
});

const failure = (error: string | null) => (error === null ? {} : { error });

function imageOf(container: State) {
  if (!container?.image) return {};
  const { reference, digest, state } = container.image;
  return { image: { reference, digest, state } };
}

function healthOf(container: State) {
  if (!container?.health) return {};
  const { state, message } = container.health;
  return { health: { state, message } };
}

function requireContainer(container: State): ContainerRecord {
  if (container === null) throw new DomainError("CONTAINER_NOT_FOUND", "Container not found");
  return container;
}

function askFor(
  ctx: Context<State>,
  container: ContainerRecord,
  state: DesiredContainer["state"],
  type: EventType,
  by: string | undefined,
): Record<string, never> {
  const asked = requestState(container, state);
  if (asked !== container) change(ctx, type, asked, by);
  return {};
}

function change(
  ctx: Context<State>,
  type: EventType,
  container: ContainerRecord,
  by: string | undefined,
): void {
  ctx.setState(container);
  ctx.emit(DESIRED_TOPIC, { kind: "container", id: ctx.actorId });
  recordContainerEvent(ctx, type, container, {}, by);
}

function requirePresent(state: State): ContainerRecord {
  const container = requireContainer(state);
  assertPresent(container);
  return container;
}

/** Saves a change of who may enter, and has the host learn of it. */
function saveAccess(ctx: Context<State>, container: ContainerRecord): void {
  ctx.setState(container);
  ctx.emit(DESIRED_TOPIC, { kind: "container", id: ctx.actorId });
}

/** What a container has of a storage share: an event of the share. */
function recordShareEvent(
  ctx: Context<State>,
  { userId, projectId, serverId, name }: ContainerRecord,
  shareId: string,
  data: Record<string, unknown>,
  by: string | undefined,
): void {
  recordEvent(ctx, {
    event_type: "storage_share.updated",
    resource_id: shareId,
    user_id: userId,
    project_id: projectId,
    container_id: ctx.actorId,
    by,
    data: { container_name: name, ...data },
    audience: serverAudience(serverId),
  });
}

function recordContainerEvent(
  ctx: Context<State>,
  event_type: EventType,
  container: ContainerRecord,
  data: Record<string, unknown>,
  by?: string,
): void {
  recordEvent(ctx, {
    event_type,
    resource_id: ctx.actorId,
    user_id: container.userId,
    project_id: container.projectId,
    container_id: ctx.actorId,
    by,
    data: { name: container.name, ...data },
    audience: serverAudience(container.serverId),
  });
}
