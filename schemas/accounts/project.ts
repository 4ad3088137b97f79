import { type Static, Type } from "@sinclair/typebox";
import { Reply } from "../envelope.ts";
import { CursorPagination, TotalCount } from "../paging.ts";
import { Id, Strict, Timestamp } from "../primitives.ts";
import { Name } from "../text.ts";

/** Projects group a user's containers (design §3). */

export const Project = Type.Object({
  id: Id,
  user_id: Id,
  name: Type.String(),
  created_at: Timestamp,
  updated_at: Timestamp,
});
export type Project = Static<typeof Project>;

export const CreateProject = Strict({ name: Name(100) });
export type CreateProject = Static<typeof CreateProject>;

export const ProjectReply = Reply(Project);
export const ProjectsReply = Reply(
  Type.Object({ projects: Type.Array(Project), count: TotalCount, pagination: CursorPagination }),
);
