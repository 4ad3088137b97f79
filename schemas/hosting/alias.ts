import { type Static, Type } from "@sinclair/typebox";
import { Reply } from "../envelope.ts";
import { CursorPagination, cursorQuery, LIST_PAGE, QueryFlag, searchQuery, TotalCount } from "../paging.ts";
import { Id, Nullable, Strict, SubserverName, Timestamp } from "../primitives.ts";
import { sorting, sortKeys } from "../sorting.ts";
import { Text } from "../text.ts";
import { PortName } from "./container-settings.ts";

/** Proxy aliases: short public names of containers (spec, control plane §2 "Proxy alias", §4.5). */

/** A DNS label; its length is checked separately. */
const ALIAS_LABEL = /^[a-z0-9]([a-z0-9-]*[a-z0-9])?$/;
export const ALIAS_LENGTH_MIN = 3;
export const ALIAS_LENGTH_MAX = 61;
export const TARGET_PATH_MAX = 2_048;

/** Whether a text may be an alias (spec, control plane §8). */
export const isAliasLabel = (text: string): boolean =>
  text.length >= ALIAS_LENGTH_MIN && text.length <= ALIAS_LENGTH_MAX && ALIAS_LABEL.test(text);

/** Checked by the actor, which replies INVALID_ALIAS_FORMAT to text that is not a label. */
const Label = Type.Union([Type.String(), Type.Null(), Type.Literal(false)], {
  description:
    "3 to 61 of a-z, 0-9 and hyphen, which is neither first nor last; null or false: a generated label of 48 hexadecimal characters",
});
const Program = Text({
  minLength: 1,
  maxLength: 64,
  description:
    "`terminal`, `pipe`, `notifications`, `files`, a program that the container's image declares, such as `code` or `display`; or `http`, `https` or `ssh`, which may carry a port: `http:8080`",
});
const Port = (description: string) => Type.Integer({ minimum: 1, maximum: 65_535, description });

const PortNumber = Port(
  "target port of http, https and ssh; takes precedence over `index` and over a port in `program`",
);
const targetProperties = {
  port: Type.Optional(
    Type.Union([PortNumber, PortName], {
      description:
        "target port of http, https and ssh, or the name of one of the container's `ports`, whose number it has at this moment; takes precedence over `index` and over a port in `program`",
    }),
  ),
  index: Type.Optional(
    Port(
      "instance of a program; of `display` the number of the X display; for http, https and ssh the target port",
    ),
  ),
  target_path: Type.Optional(
    Nullable(
      Text({
        maxLength: TARGET_PATH_MAX,
        description: `path in front of each request's own; a missing leading \`/\` is added, and with it the path has at most ${TARGET_PATH_MAX} characters`,
      }),
    ),
  ),
  allow_path_override: Type.Optional(Type.Boolean()),
  enabled: Type.Optional(Type.Boolean()),
};

export const CreateAlias = Strict({
  container_id: Id,
  program: Program,
  alias: Type.Optional(Label),
  expires_at: Type.Optional(
    Nullable(Type.String({ description: "ISO 8601, in the future; without a zone it is UTC" })),
  ),
  ...targetProperties,
});
export type CreateAlias = Static<typeof CreateAlias>;
/** The same for the actor: a port's name has become its number. */
export const AliasToCreate = Strict({ ...CreateAlias.properties, port: Type.Optional(PortNumber) });
export type AliasToCreate = Static<typeof AliasToCreate>;

/** Missing fields stay unchanged; an empty patch is refused. */
export const PatchAlias = Strict(
  {
    alias: Type.Optional(Label),
    program: Type.Optional(Program),
    expires_at: Type.Optional(
      Type.Union([Type.String(), Type.Number({ minimum: 0 }), Type.Null()], {
        description:
          "ISO 8601, or Unix time in seconds or, from 1000000000000 on, milliseconds; in the future, or its present value; null: it does not expire",
      }),
    ),
    ...targetProperties,
  },
  { minProperties: 1 },
);
export type PatchAlias = Static<typeof PatchAlias>;
export const AliasToPatch = Strict({ ...PatchAlias.properties, port: Type.Optional(PortNumber) });
export type AliasToPatch = Static<typeof AliasToPatch>;

export const AliasState = Strict({ enabled: Type.Boolean() });

export const ALIASES_SORT = sorting("created_at", { created_at: "time", alias: "text" });
export const AliasSort = sortKeys(ALIASES_SORT);
export const AliasesQuery = Strict({
  project_id: Type.Optional(Id),
  container_id: Type.Optional(Id),
  realm_id: Type.Optional(Id),
  enabled: Type.Optional(QueryFlag),
  expired: Type.Optional(QueryFlag),
  ...cursorQuery(LIST_PAGE, ALIASES_SORT),
  ...searchQuery("the alias"),
});
export type AliasesQuery = Static<typeof AliasesQuery>;

const recordProperties = {
  id: Id,
  user_id: Id,
  project_id: Id,
  container_id: Id,
  alias: Type.String(),
  program: Type.String({ description: "without a port" }),
  index: Type.Integer({
    description:
      "instance of a program; of `display` the number of the X display; for http, https and ssh the target port",
  }),
  target_path: Nullable(Type.String()),
  allow_path_override: Type.Boolean(),
  expires_at: Nullable(Timestamp),
  enabled: Type.Boolean({ description: "false as soon as `expires_at` has passed" }),
  created_at: Timestamp,
  updated_at: Timestamp,
  server_id: Id,
  server_name: Type.String(),
  subserver_name: SubserverName,
};

/** An alias as its actor returns it. */
export const AliasRecord = Type.Object(recordProperties);
export type AliasRecord = Static<typeof AliasRecord>;

const Url = Type.String({ description: "https://<alias>.<server_name>.<container_domain>" });
export const Alias = Type.Object({ ...recordProperties, url: Url });
export type Alias = Static<typeof Alias>;

export const AliasReply = Reply(Alias);
export const AliasesReply = Reply(
  Type.Object({
    aliases: Type.Array(Alias),
    count: TotalCount,
    pagination: CursorPagination,
  }),
);
export const OneAliasReply = Reply(
  Type.Object({
    ...recordProperties,
    url: Url,
    project: Type.Object({ id: Id, alias: Type.String({ description: "the project's name" }) }),
    container: Type.Object({ id: Id, name: Type.String() }),
  }),
);
