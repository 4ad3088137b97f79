import { type Static, Type } from "@sinclair/typebox";
import { Reply } from "../envelope.ts";
import { CursorPagination, namedListQuery, TotalCount } from "../paging.ts";
import { Id, Strict, Timestamp } from "../primitives.ts";
import { NAMED_OLDEST_FIRST } from "../sorting.ts";
import { Name, Text } from "../text.ts";

/** Projects group a user's containers (design §3). */

export const Project = Type.Object({
  id: Id,
  user_id: Id,
  name: Type.String(),
  description: Type.String(),
  created_at: Timestamp,
  updated_at: Timestamp,
});
export type Project = Static<typeof Project>;

const description = Text({ maxLength: 500, description: "any text, also of several lines" });
export const CreateProject = Strict({ name: Name(100), description: Type.Optional(description) });
export type CreateProject = Static<typeof CreateProject>;

/** What is left out stays as it is. */
export const UpdateProject = Strict(
  { name: Type.Optional(Name(100)), description: Type.Optional(description) },
  { minProperties: 1 },
);
export type UpdateProject = Static<typeof UpdateProject>;

export const ProjectReply = Reply(Project);
export const ProjectsQuery = namedListQuery(NAMED_OLDEST_FIRST);
export const ProjectsReply = Reply(
  Type.Object({ projects: Type.Array(Project), count: TotalCount, pagination: CursorPagination }),
);
