import { Elysia } from "elysia";
import { listProjects, readProject } from "../../../actors/accounts/project/queries.ts";
import type { Caller } from "../../../schemas/accounts/auth.ts";
import {
  CreateProject,
  type Project,
  ProjectReply,
  ProjectsQuery,
  ProjectsReply,
  UpdateProject,
} from "../../../schemas/accounts/project.ts";
import { EmptyReply } from "../../../schemas/envelope.ts";
import { DomainError } from "../../../schemas/errors.ts";
import { LIST_PAGE } from "../../../schemas/paging.ts";
import { IdParams } from "../../../schemas/primitives.ts";
import { NAMED_OLDEST_FIRST } from "../../../schemas/sorting.ts";
import { signedIn } from "../../auth/guards.ts";
import { inRealm } from "../../auth/realm.ts";
import type { GatewayContext } from "../../context.ts";
import { actorIdFor } from "../../http/actor-id.ts";
import { created, done, errors, ok } from "../../http/envelope.ts";
import { cursorPagination, listPage, ownList } from "../../http/paging.ts";

/** The caller's projects (design §3 "Projects and containers"). */
export const projectRoutes = ({ db, actors, credentials, newId }: GatewayContext) => {
  const own = async (caller: Caller, id: string): Promise<Project> => {
    const project = await readProject(db, caller.userId, id);
    if (project === undefined || !inRealm(caller, id))
      throw new DomainError("PROJECT_NOT_FOUND", "Project not found");
    return project;
  };
  const reading = new Elysia()
    .use(signedIn(credentials, "resources.read", { realm: true }))
    .get(
      "/",
      async ({ caller, query }) => {
        const page = listPage(ownList("projects", caller), query, LIST_PAGE, NAMED_OLDEST_FIRST);
        const { rows: projects, total, next } = await listProjects(db, caller, page);
        return ok("Projects", {
          projects,
          count: total,
          pagination: cursorPagination(page, next),
        });
      },
      {
        query: ProjectsQuery,
        response: { 200: ProjectsReply },
        detail: { summary: "Your projects, oldest first" },
      },
    )
    .get("/:id", async ({ caller, params }) => ok("Project", await own(caller, params.id)), {
      params: IdParams,
      response: { 200: ProjectReply, ...errors("PROJECT_NOT_FOUND") },
      detail: { summary: "A project" },
    });

  const creating = new Elysia().use(signedIn(credentials, "resources.write")).post(
    "/",
    async ({ caller, body, operation }) => {
      const id = actorIdFor("project", caller.userId, operation, newId);
      const { value } = await actors.project(id).create({ user_id: caller.userId, ...body }, operation);
      return created("Project created", value);
    },
    {
      body: CreateProject,
      response: { 201: ProjectReply, ...errors("NAME_TAKEN", "QUOTA_EXCEEDED", "IDEMPOTENCY_KEY_REUSED") },
      detail: { summary: "Create a project" },
    },
  );

  const changing = new Elysia()
    .use(signedIn(credentials, "resources.write", { realm: true }))
    .patch(
      "/:id",
      async ({ caller, params, body, operation }) => {
        await own(caller, params.id);
        await actors.project(params.id).update(body, operation);
        return ok("Project updated", await own(caller, params.id));
      },
      {
        params: IdParams,
        body: UpdateProject,
        response: {
          200: ProjectReply,
          ...errors("PROJECT_NOT_FOUND", "NAME_TAKEN", "IDEMPOTENCY_KEY_REUSED"),
        },
        detail: {
          summary: "Change a project's name or description; what is left out stays as it is",
          description:
            "Addresses of containers and aliases have the project's id, and so they stay as they are.",
        },
      },
    )
    .delete(
      "/:id",
      async ({ caller, params, operation }) => {
        await own(caller, params.id);
        await actors.project(params.id).delete({}, operation);
        return done("Project deleted");
      },
      {
        params: IdParams,
        response: { 200: EmptyReply, ...errors("PROJECT_NOT_FOUND", "PROJECT_NOT_EMPTY") },
        detail: { summary: "Delete a project that has no containers and no storage shares" },
      },
    );

  return new Elysia({ prefix: "/api/v1/projects", detail: { tags: ["Projects"] } })
    .use(reading)
    .use(creating)
    .use(changing);
};
