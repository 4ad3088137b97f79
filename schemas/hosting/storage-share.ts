import { type Static, Type } from "@sinclair/typebox";
import { Reply } from "../envelope.ts";
import { DomainError } from "../errors.ts";
import {
  CursorPagination,
  cursorQuery,
  LIST_PAGE,
  namedListQuery,
  searchQuery,
  TotalCount,
} from "../paging.ts";
import { Id, IdempotencyKey, Nullable, OneOf, Strict, SubserverName, Timestamp } from "../primitives.ts";
import { NAMED_OLDEST_FIRST, sorting } from "../sorting.ts";
import { Name } from "../text.ts";

/** Storage shares: files of a project on a server that outlive its containers (docs/storage.md). */

const MIB = 2 ** 20;
/** A file system of its own needs some room for itself; a file of more the usual disks of hosts cannot hold. */
export const SHARE_BYTES = { minimum: 16 * MIB, maximum: 8 * 2 ** 40 };
/** Each may take as much room on the host's disk as the share. */
export const SNAPSHOTS_MAX = 16;
/** How many containers a record names: all of a project, unless the operator has raised its quota. */
export const MOUNTED_BY_MAX = 100;

const SizeBytes = Type.Integer({
  ...SHARE_BYTES,
  description:
    "the size limit in bytes, file names and tables of the file system included. It can grow, and does not shrink",
  examples: [1_073_741_824],
});

export const CreateStorageShare = Strict({
  project_id: Id,
  server_id: Id,
  name: Name(63),
  size_bytes: SizeBytes,
  idempotency_key: Type.Optional(IdempotencyKey),
});
export type CreateStorageShare = Static<typeof CreateStorageShare>;

/** The longest time between two scheduled snapshots: 30 days. */
const SCHEDULE_HOURS_MAX = 720;

export const SnapshotSchedule = Strict(
  {
    every_hours: Type.Integer({
      ...{ minimum: 1, maximum: SCHEDULE_HOURS_MAX },
      description: "the hours between two snapshots. The first is taken at once",
      examples: [24],
    }),
    keep: Type.Integer({
      ...{ minimum: 1, maximum: SNAPSHOTS_MAX - 1 },
      description: "how many scheduled snapshots stay: the oldest is deleted when a newer one is ready",
      examples: [7],
    }),
  },
  { description: "snapshots at regular times; null: none. Those that were taken stay" },
);
export type SnapshotSchedule = Static<typeof SnapshotSchedule>;

export const PatchStorageShare = Strict(
  {
    name: Type.Optional(Name(63)),
    size_bytes: Type.Optional(SizeBytes),
    snapshot_schedule: Type.Optional(Nullable(SnapshotSchedule)),
  },
  { minProperties: 1 },
);
export type PatchStorageShare = Static<typeof PatchStorageShare>;

export const SHARE_STATES = ["creating", "ready", "error", "deleted"] as const;
export const StorageShareState = OneOf(
  SHARE_STATES,
  "`error`: its host cannot make or change it, as `error` says; `deleted`: its host is removing it",
);
export type StorageShareState = (typeof SHARE_STATES)[number];

export const StorageShare = Type.Object({
  id: Id,
  user_id: Id,
  project_id: Id,
  server_id: Id,
  server_name: Type.String(),
  subserver_name: SubserverName,
  name: Type.String(),
  state: StorageShareState,
  size_bytes: SizeBytes,
  applied_size_bytes: Nullable(
    Type.Integer({ description: "the size that its host has given it; null before it is made" }),
  ),
  used_bytes: Nullable(
    Type.Integer({ description: "what its files take, as its host measured last; null before that" }),
  ),
  enforced: Nullable(
    Type.Boolean({
      description:
        "whether its host refuses writes past the limit. False: the host can only measure; `error` then says that the share is too large",
    }),
  ),
  error: Nullable(Type.String()),
  mounted_by: Type.Array(Id, {
    maxItems: MOUNTED_BY_MAX,
    description: "the containers that run with it now",
  }),
  snapshot_count: TotalCount,
  restoring_snapshot_id: Nullable(Id),
  snapshot_schedule: Nullable(SnapshotSchedule),
  next_snapshot_at: Nullable(
    Type.Unsafe<string>({
      ...Timestamp,
      description: "when the schedule takes the next snapshot; in the past: as soon as its host can",
    }),
  ),
  created_at: Timestamp,
  updated_at: Timestamp,
});
export type StorageShare = Static<typeof StorageShare>;

/** A container with a share among its volumes. Its name is for people; where only its id is known, that is its name. */
export interface ShareUser {
  readonly id: string;
  readonly name: string;
}

const namesOf = (users: readonly ShareUser[]) => users.map(({ name }) => name).join(", ");
const idsOf = (users: readonly ShareUser[]) => ({ container_ids: users.map(({ id }) => id) });

/** The refusal of what needs a share without running containers. */
export const shareMounted = (users: readonly ShareUser[]): DomainError =>
  new DomainError(
    "STORAGE_SHARE_MOUNTED",
    `containers run with the share: stop them first (${namesOf(users)})`,
    idsOf(users),
  );

/** The refusal to delete a share that containers have among their volumes. */
export const shareInUse = (users: readonly ShareUser[]): DomainError =>
  new DomainError(
    "STORAGE_SHARE_IN_USE",
    `containers have the share among their volumes: remove it there first, or delete them (${namesOf(users)})`,
    idsOf(users),
  );

export const CreateSnapshot = Type.Optional(
  Strict({
    name: Type.Optional(Name(63)),
    idempotency_key: Type.Optional(IdempotencyKey),
  }),
);

export const StorageSnapshot = Type.Object({
  id: Id,
  name: Type.String({ description: "the time at which it was asked for, unless a name was given" }),
  state: OneOf(["creating", "ready", "error"], "`creating`: its host has not made it yet"),
  bytes: Nullable(Type.Integer({ description: "what its files take; null before it is made" })),
  error: Nullable(Type.String()),
  scheduled: Type.Boolean({ description: "whether the share's schedule asked for it" }),
  created_at: Timestamp,
});
export type StorageSnapshot = Static<typeof StorageSnapshot>;

export const SnapshotParams = Strict({ id: Id, snapshot_id: Id });

export const SHARES_SORT = sorting("created_at", { created_at: "time", name: "text", size_bytes: "integer" });
export const SnapshotsQuery = namedListQuery(NAMED_OLDEST_FIRST);
export const StorageSharesQuery = Strict({
  ...cursorQuery(LIST_PAGE, SHARES_SORT),
  ...searchQuery(),
  project_id: Type.Optional(Id),
  server_id: Type.Optional(Id),
});

export const StorageShareReply = Reply(StorageShare);
export const StorageSharesReply = Reply(
  Type.Object({
    storage_shares: Type.Array(StorageShare),
    count: TotalCount,
    pagination: CursorPagination,
  }),
);
export const StorageSnapshotReply = Reply(StorageSnapshot);
export const StorageSnapshotsReply = Reply(
  Type.Object({
    snapshots: Type.Array(StorageSnapshot),
    count: TotalCount,
    pagination: CursorPagination,
  }),
);
