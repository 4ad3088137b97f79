import { Type } from "@sinclair/typebox";
import { CreateProject, Project, UpdateProject } from "../../../schemas/accounts/project.ts";
import {
  REGISTRY_CREDENTIALS_MAX,
  RegistryCredential,
  type StoredRegistryCredential,
} from "../../../schemas/accounts/registry-credential.ts";
import { DomainError } from "../../../schemas/errors.ts";
import { Id, Strict } from "../../../schemas/primitives.ts";
import { deletedAccountConflict } from "../../platform/deleted-account.ts";
import { idempotencyKeyReused } from "../../platform/idempotency-key-reused.ts";
import { quotaConflicts } from "../../platform/quota-conflicts.ts";
import { recordEvent } from "../../platform/record-event.ts";
import { actor, type Context, command } from "../../runtime/definition.ts";
import { withoutPassword } from "./queries.ts";
import { type ProjectState, projectTable } from "./table.ts";

type State = ProjectState | null;

const SetCredentialInput = Strict({
  registry: Type.String(),
  username: Type.String(),
  sealed: Type.String(),
});

const CreateInput = Strict({ user_id: Id, ...CreateProject.properties });

/** Projects. Keyed by project. */
export const projectActor = actor("project", {
  table: projectTable,
  empty: (): State => null,
  conflicts: {
    ...quotaConflicts("projects_per_user"),
    ...deletedAccountConflict(),
    projects_user_name: { code: "NAME_TAKEN", message: "you have a project of this name" },
    // A container or storage share that was created at the same time prevents the deletion.
    containers_project: {
      code: "PROJECT_NOT_EMPTY",
      message: "delete the project's containers first",
    },
    storage_shares_project: {
      code: "PROJECT_NOT_EMPTY",
      message: "delete the project's storage shares first",
    },
  },
  on: {
    create: command(CreateInput, Project, (project: State, input, ctx: Context<State>) => {
      if (project !== null) throw idempotencyKeyReused();
      const { name, description = "" } = input;
      const created = {
        userId: input.user_id,
        name,
        description,
        registryCredentials: [],
        createdAt: ctx.now,
      };
      ctx.setState(created);
      recordEvent(ctx, {
        event_type: "project.created",
        resource_id: ctx.actorId,
        user_id: input.user_id,
        project_id: ctx.actorId,
        data: { name: input.name },
      });
      return shown(ctx, created);
    }),

    update: command(UpdateProject, Project, (state: State, asked, ctx: Context<State>) => {
      const project = requireProject(state);
      const updated = { ...project, ...asked };
      const changed = (["name", "description"] as const).filter((field) => updated[field] !== project[field]);
      if (changed.length > 0) {
        ctx.setState(updated);
        recordEvent(ctx, {
          event_type: "project.updated",
          resource_id: ctx.actorId,
          user_id: project.userId,
          project_id: ctx.actorId,
          data: { name: updated.name, changed },
        });
      }
      return shown(ctx, updated);
    }),

    /** The gateway has encrypted the password. One that is there for the registry is replaced. */
    set_registry_credential: command(
      SetCredentialInput,
      RegistryCredential,
      (state: State, input, ctx: Context<State>) => {
        const project = requireProject(state);
        const others = project.registryCredentials.filter(({ registry }) => registry !== input.registry);
        if (others.length >= REGISTRY_CREDENTIALS_MAX)
          throw new DomainError(
            "QUOTA_EXCEEDED",
            `a project has credentials for ${REGISTRY_CREDENTIALS_MAX} registries at most`,
          );
        const stored = { ...input, updated_at: ctx.now.toISOString() };
        changeCredentials(ctx, project, [...others, stored]);
        return withoutPassword(stored);
      },
    ),

    remove_registry_credential: command(
      Strict({ registry: Type.String() }),
      Type.Object({}),
      (state: State, input, ctx: Context<State>) => {
        const project = requireProject(state);
        const others = project.registryCredentials.filter(({ registry }) => registry !== input.registry);
        if (others.length === project.registryCredentials.length)
          throw new DomainError(
            "REGISTRY_CREDENTIAL_NOT_FOUND",
            "The project has no credential for this registry",
          );
        changeCredentials(ctx, project, others);
        return {};
      },
    ),

    delete: command(Strict({}), Type.Object({}), (state: State, _input, ctx: Context<State>) => {
      const project = requireProject(state);
      ctx.setState(null);
      recordEvent(ctx, {
        event_type: "project.deleted",
        resource_id: ctx.actorId,
        user_id: project.userId,
        project_id: ctx.actorId,
        data: { name: project.name },
      });
      return {};
    }),
  },
});

function changeCredentials(
  ctx: Context<State>,
  project: ProjectState,
  registryCredentials: readonly StoredRegistryCredential[],
): void {
  ctx.setState({ ...project, registryCredentials });
  recordEvent(ctx, {
    event_type: "project.updated",
    resource_id: ctx.actorId,
    user_id: project.userId,
    project_id: ctx.actorId,
    data: { name: project.name, changed: ["registry_credentials"] },
  });
}

function requireProject(project: State): ProjectState {
  if (project === null) throw new DomainError("PROJECT_NOT_FOUND", "Project not found");
  return project;
}

const shown = (ctx: Context<State>, { userId, name, description, createdAt }: ProjectState): Project => ({
  id: ctx.actorId,
  user_id: userId,
  name,
  description,
  created_at: createdAt.toISOString(),
  updated_at: ctx.now.toISOString(),
});
