import { Type } from "@sinclair/typebox";
import { CreateProject, Project } from "../../../schemas/accounts/project.ts";
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
    // A container that was created at the same time prevents the deletion.
    containers_project: {
      code: "PROJECT_NOT_EMPTY",
      message: "delete the project's containers first",
    },
  },
  on: {
    create: command(CreateInput, Project, (project: State, input, ctx: Context<State>) => {
      if (project !== null) throw idempotencyKeyReused();
      ctx.setState({ userId: input.user_id, name: input.name, createdAt: ctx.now });
      recordEvent(ctx, {
        event_type: "project.created",
        resource_id: ctx.actorId,
        user_id: input.user_id,
        project_id: ctx.actorId,
        data: { name: input.name },
      });
      const at = ctx.now.toISOString();
      return { id: ctx.actorId, user_id: input.user_id, name: input.name, created_at: at, updated_at: at };
    }),

    delete: command(Strict({}), Type.Object({}), (project: State, _input, ctx: Context<State>) => {
      if (project === null) throw new DomainError("PROJECT_NOT_FOUND", "Project not found");
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
