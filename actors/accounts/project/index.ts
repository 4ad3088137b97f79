import { Type } from "@sinclair/typebox";
import { CreateProject, Project, UpdateProject } from "../../../schemas/accounts/project.ts";
import { DomainError } from "../../../schemas/errors.ts";
import { Id, Strict } from "../../../schemas/primitives.ts";
import { idempotencyKeyReused } from "../../platform/idempotency-key-reused.ts";
import { quotaConflicts } from "../../platform/quota-conflicts.ts";
import { recordEvent } from "../../platform/record-event.ts";
import { actor, type Context, command } from "../../runtime/definition.ts";
import { type ProjectState, projectTable } from "./table.ts";

type State = ProjectState | null;

const CreateInput = Strict({ user_id: Id, ...CreateProject.properties });

/** Projects. Keyed by project. */
export const projectActor = actor("project", {
  table: projectTable,
  empty: (): State => null,
  conflicts: {
    ...quotaConflicts("projects_per_user"),
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
      const created = { userId: input.user_id, name, description, createdAt: ctx.now };
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
