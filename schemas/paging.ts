import { type Static, Type } from "@sinclair/typebox";
import { Strict } from "./primitives.ts";

/** Pages of a list: `page` and `limit` in the query, `pagination` in the reply (spec, control plane §2). */

export const QueryInteger = Type.String({ pattern: "^[0-9]{1,15}$", description: "a whole number" });

/** The query of a list without numbered pages. */
export const OffsetQuery = Strict({
  limit: Type.Optional(QueryInteger),
  offset: Type.Optional(QueryInteger),
});

export const SortOrder = Type.Union([Type.Literal("asc"), Type.Literal("desc")]);
export type SortOrder = Static<typeof SortOrder>;

export const Pagination = Type.Object({
  total: Type.Integer(),
  page: Type.Integer(),
  limit: Type.Integer(),
  totalPages: Type.Integer(),
});
export type Pagination = Static<typeof Pagination>;
